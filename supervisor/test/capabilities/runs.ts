import { expect } from 'chai';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { envelopeText } from '../../../contract/envelope/text.ts';
import type { RunFailure, RunSuccess } from '../../../contract/envelope/types.ts';
import { plainFromJson } from '../../../contract/json/plain.ts';
import {
  defineCustomInstallation,
  type CustomCapabilitySpec,
  type CustomFunction,
  type CustomInstallation,
  type CustomInstallationSpec,
  type PreparedApplication,
  type RunFinished,
  type RunRequest,
  type Supervisor,
} from '../../api/supervisor.ts';
import { readTrace } from '../../evidence/reader/testing/read-trace.ts';
import { isOfEnvelopeSchema } from '../../../conformance/cli/envelope-schema.ts';
import { checkEnvelope } from '../../../conformance/envelopes/checker/check-envelope.ts';
import { runOnce, supervise } from './supervised.ts';

/** An installation `tools` whose one capability `work` is this function. */
export function work(
  call: CustomFunction,
  capability: Partial<CustomCapabilitySpec> = {},
  installation: Partial<CustomInstallationSpec> = {},
): CustomInstallation {
  return defineCustomInstallation({
    alias: 'tools',
    revision: 'r1',
    destinations: ['workflow', 'mission'],
    capabilities: [
      {
        name: 'work',
        description: 'Works.',
        inputSchema: true,
        effect: 'read',
        modelVisible: true,
        call,
        ...capability,
      },
    ],
    ...installation,
  });
}

export interface Application {
  /** Body of `(defn run [input] …)`. */
  readonly body: string;
  /** Forms before that. */
  readonly forms?: string;
  readonly custom?: readonly CustomInstallation[];
  readonly limits?: Readonly<Record<string, number>>;
  readonly host?: Readonly<Record<string, number>>;
  /** Of the host document. */
  readonly credentials?: Readonly<Record<string, unknown>>;
  /** Text of the project's environment file. */
  readonly environmentFile?: string;
  readonly missions?: Readonly<Record<string, unknown>>;
  readonly components?: readonly unknown[];
  readonly privateEvents?: boolean;
  /** Declared input; an empty map by default. */
  readonly input?: unknown;
  /** Text of an input file that replaces it. */
  readonly inputFile?: string;
  readonly request?: RunRequest;
  /** In place of those of the process. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Aliases that the workflow selects, and missions may; `tools` in both by default. */
  readonly selected?: { readonly workflow?: readonly unknown[]; readonly mission?: readonly unknown[] };
}

export interface Ended {
  readonly envelope: RunSuccess | RunFailure;
  readonly exitStatus: number;
  readonly unexpected: unknown;
  /** Value of a normal run as plain data. */
  readonly value: unknown;
  readonly code: string | null;
  /** `execution.usage`, null without one. */
  readonly usage: Readonly<Record<string, unknown>>;
  /** Type and data of every trace event. */
  readonly events: readonly { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[];
  /** Type and payload of every private record. */
  readonly records: readonly { readonly type: string; readonly payload: Readonly<Record<string, unknown>> }[];
}

export interface Runs {
  /** Directory of the running test. */
  root(): string;
  run(application: Application): Promise<Ended>;
  /** As `run`, in a folder of its own below the directory: for runs that overlap. */
  runApart(application: Application): Promise<Ended>;
  prepare(application: Application): Promise<PreparedApplication>;
}

/** Applications run through the real program, each in a directory of its own; every envelope is checked twice. */
export function useSupervisor(): Runs {
  let supervisor: Supervisor | null = null;
  let root = '';
  let variables: Readonly<Record<string, string | undefined>> = process.env;
  before(async () => {
    supervisor = await supervise({ variables: () => variables });
  });
  after(async () => {
    await supervisor?.close();
  });
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'svc-capabilities-'));
  });
  afterEach(async () => {
    await rm(root, { recursive: true, force: true });
  });
  const started = (): Supervisor => {
    if (supervisor === null) throw new Error('the supervisor is started before the first test');
    return supervisor;
  };
  const referenceTo = (folder: string, { custom = [] }: Application) =>
    ({ kind: 'directory', manifest: 'svc-project.json', workingDirectory: folder, custom }) as const;
  const runIn = async (folder: string, application: Application): Promise<Ended> => {
    await layOut(folder, application);
    const { request, inputFile } = application;
    variables = application.variables ?? process.env;
    const input = inputFile === undefined ? {} : { input: new TextEncoder().encode(inputFile) };
    return endedRun(folder, await runOnce(started(), referenceTo(folder, application), { ...input, ...request }));
  };
  return {
    root: () => root,
    run: (application) => runIn(root, application),
    runApart: async (application) => runIn(await mkdtemp(join(root, 'run-')), application),
    prepare: async (application) => {
      await layOut(root, application);
      return started().prepare(referenceTo(root, application));
    },
  };
}

async function layOut(
  root: string,
  {
    body,
    forms = '',
    custom = [],
    limits = {},
    host,
    credentials = {},
    environmentFile,
    missions = {},
    components = [],
    privateEvents = false,
    selected,
    input = {},
  }: Application,
): Promise<void> {
  const write = (name: string, value: unknown): Promise<void> => writeFile(join(root, name), JSON.stringify(value));
  const aliases = custom.map(({ alias }) => ({ name: alias }));
  await write('svc.json', {
    version: 1,
    workflow: {
      components: [
        ...components,
        { id: 'main', path: 'main.clj', ...(components.length === 0 ? {} : { dependencies: ['kernel'] }) },
      ],
      entry: 'main/run',
    },
    missions,
    input: { value: input },
    limits,
    providers: {
      workflow: selected?.workflow ?? aliases,
      mission: selected?.mission ?? (Object.keys(missions).length === 0 ? [] : aliases),
    },
    ...(privateEvents ? { events: { policy: 'private' } } : {}),
  });
  await write('svc-host.json', { install: {}, credentials, ...(host === undefined ? {} : { limits: host }) });
  await write('svc-project.json', {
    kind: 'svc-project',
    version: 1,
    application: { path: 'svc.json' },
    host: { path: 'svc-host.json', ...(environmentFile === undefined ? {} : { env_file: { path: 'run.env' } }) },
    artifacts: { root: '.svc', trace: true, inspection: true, result: true },
  });
  if (environmentFile !== undefined) await writeFile(join(root, 'run.env'), environmentFile);
  await writeFile(join(root, 'main.clj'), `(ns main)\n${forms}\n(defn run [input]\n  ${body})\n`);
}

/** What a run came to, read from its envelope and its published files. */
export async function endedRun(
  root: string,
  report: Pick<RunFinished<unknown>, 'envelope' | 'exitStatus' | 'unexpected' | 'valueText' | 'runRef'> & {
    readonly envelopeText?: string;
  },
): Promise<Ended> {
  const { envelope, runRef } = report;
  const text = report.envelopeText ?? envelopeText(envelope);
  expect(
    isOfEnvelopeSchema(JSON.parse(text)) ? [] : isOfEnvelopeSchema.errors,
    'the envelope fits its published schema',
  ).to.deep.equal([]);
  expect(checkEnvelope(JSON.parse(text)), 'the second checker has nothing to say').to.deep.equal([]);
  const { execution } = envelope;
  return {
    envelope,
    exitStatus: report.exitStatus,
    unexpected: report.unexpected,
    value: report.valueText === null ? undefined : JSON.parse(report.valueText),
    code: envelope.status === 'error' ? envelope.error.code : null,
    usage: 'usage' in execution ? Object(execution.usage) : {},
    events: await traceOf(root, runRef),
    records: await recordsOf(root, runRef),
  };
}

async function published(root: string, folder: string, runRef: string): Promise<Uint8Array | null> {
  const names = await readdir(join(root, '.svc', folder)).catch(() => []);
  const name = names.find((candidate) => candidate.startsWith(runRef));
  return name === undefined ? null : readFile(join(root, '.svc', folder, name));
}

async function traceOf(root: string, runRef: string): Promise<Ended['events']> {
  const bytes = await published(root, 'traces', runRef);
  if (bytes === null) return [];
  const read = readTrace(bytes);
  if (!read.ok) throw new Error(read.fault.rule);
  return read.records.map(({ type, data }) => ({ type, data: { ...Object(plainFromJson(data)) } }));
}

async function recordsOf(root: string, runRef: string): Promise<Ended['records']> {
  const bytes = await published(root, 'inspection', runRef);
  if (bytes === null) return [];
  const lines = new TextDecoder().decode(bytes).trim().split('\n').slice(1, -1);
  return lines.map((line) => {
    const { record } = Object(JSON.parse(line));
    return { type: String(record.record_type), payload: Object(record.payload) };
  });
}

/** What a run came to, and whether it came to what is tested before its limit was over. */
export interface LimitedRun {
  readonly ended: Ended;
  readonly wasReached: boolean;
}

/**
 * Runs with a short limit, and with longer ones while they are over before what is tested was reached: a busy machine
 * needs them.
 */
export async function withinLimit(attempt: (limitMs: number) => Promise<LimitedRun>): Promise<Ended> {
  for (const limitMs of [300, 3000]) {
    const { ended, wasReached } = await attempt(limitMs);
    if (wasReached) return ended;
  }
  const { ended, wasReached } = await attempt(25_000);
  expect(wasReached, 'the run came to what is tested').to.equal(true);
  return ended;
}
