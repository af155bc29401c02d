import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { readFile, readdir } from 'node:fs/promises';
import { HELP_TOPICS } from '../../../contract/envelope/results.ts';
import { envelopeSchema } from '../../../contract/envelope/schema.ts';
import { envelopeText } from '../../../contract/envelope/text.ts';
import type { EvaluateReply, EvaluationFault, GuestOutcome } from '../../../contract/sandbox-protocol.ts';
import { readTrace } from '../../evidence/reader/testing/read-trace.ts';
import type { TraceRecord } from '../../evidence/reader/read-trace.ts';
import { removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import type { RunnableApplication } from '../application.ts';
import type { ProjectArtifacts } from '../../documents/project/artifacts.ts';
import type { RunReport } from '../perform-run.ts';
import { exitOf } from './exit-of.ts';
import { evaluatesTo, fakeSandbox, type FakeAnswers } from './fake-sandbox.ts';
import {
  testRun,
  plainApplication,
  runPrepared,
  runSeams,
  type TestRun,
  type FixtureOptions,
  type RunSeams,
} from './run-fixture.ts';

const isEnvelope = new Ajv2020({ strict: true, strictTuples: false }).compile(
  envelopeSchema(HELP_TOPICS.map((topic) => ({ topic, usage: [`svc ${topic}`], options: [], notices: [] }))),
);

export interface Situation {
  readonly answers?: FakeAnswers;
  readonly application?: RunnableApplication;
  readonly request?: (root: string) => Partial<TestRun>;
  readonly tools?: Partial<FixtureOptions>;
  /** Seams of the run that this test gives otherwise. */
  readonly seams?: Partial<RunSeams>;
}

export interface EndedRun extends RunReport {
  readonly runRef: string;
  readonly exit: number;
  readonly liveIsolates: number;
}

/** Runs of one test in a directory of its own; each envelope is checked against the published schema. */
export interface Runs {
  readonly root: string;
  run(situation: Situation): Promise<EndedRun>;
  /** The trace in the project's artifact root, read back. */
  traceOf(ended: EndedRun, suffix?: string): Promise<readonly TraceRecord[]>;
  /** Hidden names of the publication protocol that are still there. */
  leftovers(): Promise<readonly string[]>;
}

const allArtifacts = (root: string): ProjectArtifacts => ({
  root: `${root}/.svc`,
  trace: true,
  inspection: false,
  result: true,
  envelope: false,
});

/** Registers the directory of each test of the enclosing suite. */
export function useRuns(): Runs {
  let root = '';
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(async () => {
    await removeScratch(root);
  });
  return {
    get root() {
      return root;
    },
    run: async (situation) => runIn(root, situation),
    traceOf: async ({ runRef }, suffix = '.jsonl') => {
      const read = readTrace(await readFile(`${root}/.svc/traces/${runRef}${suffix}`));
      if (!read.ok) throw new Error(read.fault.rule);
      return read.records;
    },
    leftovers: async () => {
      const names = await readdir(root, { recursive: true });
      return names.filter((name) => name.includes('.svc-private') || name.includes('.svc-reservation'));
    },
  };
}

async function runIn(
  root: string,
  {
    answers = evaluatesTo('{"greeting":"hello world"}'),
    application = plainApplication(),
    request,
    tools = {},
    seams = {},
  }: Situation,
): Promise<EndedRun> {
  const sandbox = fakeSandbox(answers);
  const requested = testRun({ project: allArtifacts(root), ...request?.(root) });
  const signal = tools.signal ?? new AbortController().signal;
  const performed = await runPrepared({ ...runSeams({ sandbox, ...tools, signal }), ...seams }, requested, application);
  const schemaFaults = isEnvelope(JSON.parse(envelopeText(performed.envelope))) ? [] : isEnvelope.errors;
  expect(schemaFaults, 'the envelope fits its published schema').to.deep.equal([]);
  return { ...performed, runRef: requested.runRef, exit: exitOf(performed, signal), liveIsolates: sandbox.live() };
}

export function replied(reply: EvaluateReply): FakeAnswers {
  return { evaluate: () => ({ status: 'replied', reply }) };
}

export function faulted(reason: string, over: Partial<EvaluationFault> = {}): FakeAnswers {
  const fault: EvaluationFault = {
    reason,
    message: 'secret prose',
    span: null,
    details: {},
    exception_class: null,
    public_error: null,
    ...over,
  };
  return replied({ outcome: 'evaluation_error', fault, prints: [] });
}

export function ended(outcome: GuestOutcome<EvaluateReply>): FakeAnswers {
  return { evaluate: () => outcome };
}
