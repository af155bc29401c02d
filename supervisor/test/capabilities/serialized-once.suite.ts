import { createHash } from 'node:crypto';
import { Session } from 'node:inspector/promises';
import { expect } from 'chai';
import { loadFixtures } from '../../../adapters/replay/load.ts';
import { replaySession } from '../../../adapters/replay/adapter.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { effectiveLimits } from '../../../contract/limits/effective.ts';
import { Scrubber } from '../../../contract/provider-protocol/scrubber.ts';
import type { ProviderSession } from '../../../contract/provider-protocol/session.ts';
import { openBroker } from '../../calls/broker/broker.ts';
import type { Capability } from '../../calls/broker/capability.ts';
import type { ProviderPlace } from '../../calls/broker/run-ending.ts';
import { scrubbedCapability } from '../../calls/broker/scrubbed.ts';
import { INSPECTION_BOUNDS, openInspection } from '../../evidence/inspection/writer.ts';
import { openTrace } from '../../evidence/recorder.ts';
import { openRunClock } from '../../platform/run-clock/run-clock.ts';
import { customCapability } from '../../providers/custom/capability.ts';
import { boundedSchema } from '../../providers/schemas/bounded-schema.ts';
import { schemaChecker } from '../../providers/schemas/schema-checker.ts';
import { sharedSchemaThreads } from '../../providers/schemas/schema-threads.ts';
import { toolChecks } from '../../providers/mcp/tool-checks.ts';
import { ROUTED_FORMS } from '../../providers/models/routed-forms.ts';
import { routedModels } from '../../providers/models/routed-models.ts';
import { CHECKED_BY_ROUTER } from '../../providers/models/router-checks.ts';
import { sessionCapability, type SupervisorChecks } from '../../providers/session-capability.ts';
import { sessionLoss } from '../../providers/session-loss.ts';

/** How often a call walks over a whole value. */
interface Walks {
  /** Canonical texts that are written. */
  readonly written: number;
  /** Conversions between plain data and JSON values. */
  readonly converted: number;
  /** Texts that are parsed. */
  readonly parsed: number;
}

const COUNTED: Readonly<Record<keyof Walks, { readonly file: string; readonly functions: readonly string[] }>> = {
  written: { file: '/contract/json/write-tree.ts', functions: ['TreeWriter'] },
  converted: { file: '/contract/json/plain.ts', functions: ['jsonFromPlain', 'plainFromJson'] },
  parsed: { file: '/contract/json/scan.ts', functions: ['slicedScan'] },
};

const COUNTS = ['written', 'converted', 'parsed'] as const;

/** Counts what `work` enters: the engine counts the calls of every function, so that the product need not. */
async function walksOf(work: () => Promise<unknown>): Promise<Walks> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Profiler.stopPreciseCoverage');
    const count = (name: keyof Walks): number => {
      const { file, functions } = COUNTED[name];
      return result
        .filter(({ url }) => url.endsWith(file))
        .flatMap((script) => script.functions)
        .filter(({ functionName }) => functions.includes(functionName))
        .reduce((calls, { ranges }) => calls + (ranges[0]?.count ?? 0), 0);
    };
    return { written: count('written'), converted: count('converted'), parsed: count('parsed') };
  } finally {
    session.disconnect();
  }
}

function json(plain: unknown): JsonValue {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new TypeError('the test asks with JSON');
  return value;
}

const REQUEST = { system: 'You greet.', messages: [{ role: 'user', content: 'Who is there?' }] };
const RESPONSE = { content: 'The world.', finish_reason: 'stop', tokens: { input: 9, output: 3 } };
const PLACE: ProviderPlace = { alias: 'main', destination: 'workflow', index: 0 };
/** What is scrubbed is looked through; none of it is in an answer here. */
const SCRUBBER = new Scrubber(['a-credential-of-the-run']);
const SCHEMA = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const RESULT = { text: 'found', places: [{ line: 1 }, { line: 2 }] };

function opened(session: ProviderSession, checks: SupervisorChecks): Capability {
  const [facts] = session.capabilities;
  const capability =
    facts === undefined
      ? null
      : sessionCapability({ serve: session.serve.bind(session), loss: sessionLoss(session, PLACE) }, facts, checks);
  if (capability === null) throw new Error('the session of this test has a capability');
  return scrubbedCapability(capability, SCRUBBER);
}

/** A model whose answers were recorded. */
function replayedModel(): Capability {
  const requestHash = `sha256:${createHash('sha256')
    .update(canonicalJson(json(REQUEST)))
    .digest('hex')}`;
  const line = JSON.stringify({ schema_version: 2, request_hash: requestHash, response: RESPONSE });
  const loaded = loadFixtures(Buffer.from(line), { maxEntries: 1, maxResultBytes: 1000 }, () => false);
  if (loaded.status !== 'loaded') throw new Error(loaded.status);
  const session = replaySession({ fixtures: loaded.fixtures, maxCalls: 5, maxResultBytes: 1000, decision: null });
  const [form] = ROUTED_FORMS;
  if (form === undefined || session.model === null) throw new Error('a model is asked in some form');
  return routedModels(form, [
    {
      alias: 'main',
      revision: '1',
      isDefault: true,
      facts: session.model,
      capability: opened(session, CHECKED_BY_ROUTER),
    },
  ]);
}

/** A tool that is served elsewhere, as those of servers are: it answers with text. */
function servedTool(): Capability {
  const schema = canonicalJson(json(SCHEMA));
  const answer = canonicalJson(json(RESULT));
  const session: ProviderSession = {
    capabilities: [
      {
        name: 'find',
        description: 'Finds.',
        effect: 'read',
        isModelVisible: true,
        inputSchema: schema,
        outputSchema: schema,
        timeoutMs: 1000,
        argumentBytes: 1_000_000,
        resultBytes: 1_000_000,
        inspectionCapture: 'full',
      },
    ],
    model: null,
    snapshot: { acquisition: '{}', unidentified: [], contentHash: null },
    hasActivity: true,
    lost: new Promise(() => undefined),
    ended: null,
    serve: (_, side) => ({
      answer: side
        .openGate()
        .then(() => ({ outcome: { kind: 'value', value: answer, usage: null, finish: null }, exchanges: [] })),
      cancel: () => undefined,
      kill: async () => undefined,
    }),
    share: null,
    close: async () => undefined,
  };
  const [facts] = session.capabilities;
  if (facts === undefined) throw new Error('the session of this test has a tool');
  return opened(session, toolChecks('tenant')(facts));
}

/** A function of the embedding program, which is called with plain data and answers with it. */
function calledFunction(): Capability {
  return customCapability(
    {
      name: 'find',
      description: 'Finds.',
      effect: 'read',
      modelVisible: true,
      inputSchema: boundedSchema(SCHEMA, 'a schema'),
      outputSchema: boundedSchema(SCHEMA, 'a schema'),
      timeoutMs: 1000,
      accepts: null,
      call: async () => RESULT,
    },
    async () => RESULT,
    { argumentBytes: 1_000_000, resultBytes: 1_000_000 },
    schemaChecker(sharedSchemaThreads(), 'tenant'),
  );
}

const IDENTITY = { runId: 'cmd-1', traceId: 'trace-1', clock: { monotonic: () => 0, wall: () => 0 } };
const SINK = { write: async () => true, read: async () => null, overwrite: async () => false, sync: async () => true };

/** One call of a workflow, on record in a trace and, where it is asked for, in an inspection. */
async function call(capability: Capability, input: unknown, isInspected: boolean): Promise<Walks> {
  const limits = effectiveLimits({}, {});
  if (!limits.ok) throw new Error('no limit is refused');
  const inspection = await openInspection({ ...IDENTITY, file: SINK, bounds: INSPECTION_BOUNDS });
  const events = openTrace({
    ...IDENTITY,
    eventClass: 'normal',
    bounds: { payloadBytes: 1000, eventCount: 100, eventBytes: 100_000 },
  });
  const broker = openBroker({
    limits: limits.values,
    runDeadlineAt: 100_000,
    clock: openRunClock(IDENTITY.clock),
    events,
    inspection: {
      isRequested: isInspected,
      record: async (record) => (await inspection?.record(record)) === 'recorded',
    },
    capabilities: { workflow: new Map([[capability.name, capability]]), missions: new Map() },
    routes: new Map(),
    usage: () => ({}),
  });
  const scope = broker.open({ evaluationId: 'e-1', environment: 'workflow', mission: null, deadlineAt: 90_000 });
  // The first call prepares the schemas of its tool, for it and all that follow.
  await scope.call({ name: capability.name, arguments: JSON.stringify(input) });
  let reply = '';
  const walks = await walksOf(async () => {
    reply = await scope.call({ name: capability.name, arguments: JSON.stringify(input) });
  });
  expect(JSON.parse(reply)).to.have.nested.property('envelope.status', 'ok');
  expect(events.loss()).to.equal(null);
  await broker.close();
  return walks;
}

type Most = Readonly<Record<'bare' | 'inspected', Walks>>;

interface CountedCall {
  readonly name: string;
  readonly make: () => Capability;
  readonly input: unknown;
  readonly most: Most;
}

const CALLS: readonly CountedCall[] = [
  {
    name: 'a call of a replayed model',
    make: replayedModel,
    input: { ...REQUEST, model: 'main' },
    most: {
      bare: { written: 3, converted: 2, parsed: 1 },
      inspected: { written: 3, converted: 2, parsed: 1 },
    },
  },
  {
    name: 'a call of a tool of a server',
    make: servedTool,
    input: { text: 'x' },
    most: {
      bare: { written: 1, converted: 4, parsed: 2 },
      inspected: { written: 1, converted: 4, parsed: 2 },
    },
  },
  {
    name: 'a call of a function',
    make: calledFunction,
    input: { text: 'x' },
    most: {
      bare: { written: 1, converted: 7, parsed: 1 },
      inspected: { written: 2, converted: 7, parsed: 1 },
    },
  },
];

describe('values of a call are serialized once', () => {
  for (const { name, make, input, most } of CALLS)
    for (const kind of ['bare', 'inspected'] as const)
      it(`${name}, ${kind}`, async () => {
        const walks = await call(make(), input, kind === 'inspected');
        // As a person who lowers them wants to see them: all at once.
        expect(walks, JSON.stringify(walks)).to.satisfy((found: Walks) =>
          COUNTS.every((count) => found[count] <= most[kind][count]),
        );
      });
});
