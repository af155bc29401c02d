import { effectiveLimits } from '../../../contract/limits/effective.ts';
import { META } from '../../../contract/mcp/era.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { RoundSeal } from '../../code/asking/round-state.ts';
import type { RunFinished, RunHandle, RunRequest } from '../../service/embedding/types.ts';
import type { WaitingRuns } from '../rounds/waiting-runs.ts';
import { callTool } from '../tools/call.ts';
import type { CallServices, JoinableRun, Tool } from '../tools/call-services.ts';

/** One request of a client. */
export interface FakeCall {
  /** Of a round before; absent: it is the first request of a call. */
  readonly requestState?: string;
  readonly inputResponses?: Readonly<Record<string, unknown>>;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly principal?: string;
  readonly disconnected?: AbortSignal;
}

/** What of an answer tests look at; all absent: nobody waited for it. */
export interface FakeAnswer {
  /** Of an answer that no stream carries. */
  readonly status?: number;
  readonly reason?: string;
  readonly resultType?: string;
  readonly requestState?: string;
  readonly ids: readonly string[];
}

const NEVER = new AbortController().signal;
const CAPABILITIES = new Map([['elicitation', new Map<string, JsonValue>()]]);

function finishedRun(runRef: string): RunFinished<unknown> {
  return Object.assign(Object.create(null), {
    kind: 'finished',
    runRef,
    envelope: { status: 'ok', execution: { state: 'not_started' } },
    valueText: '{}',
    effects: 'none',
    retry: 'no',
    unexpected: null,
  });
}

function jsonOf(plain: object): JsonObject {
  const json = jsonFromPlain(plain);
  if (!isJsonObject(json)) throw new Error('a test sends JSON');
  return json;
}

/** Calls of one tool as a gateway answers them. `perform` is its run, which ends when that settles. */
export function fakeGateway(
  waiting: WaitingRuns<JoinableRun>,
  perform: (request: RunRequest) => Promise<void>,
): { readonly call: (call?: FakeCall) => Promise<FakeAnswer> } {
  const limits = effectiveLimits({}, {});
  if (!limits.ok) throw new Error('the limits are those of nobody');
  const tool: Tool = {
    entry: { name: 'close', text: '{}', headers: [] },
    application: {
      contentDigest: 'sha256:a',
      effectiveDigest: 'sha256:a',
      installationDigests: {},
      effect: 'read',
      asks: true,
      contracts: { input: null, result: null },
      limits: limits.values,
    },
    tenant: 'close',
    providers: { current: () => null, isFenced: () => false, fence: () => undefined, close: async () => true },
    asks: true,
  };
  const run = (_: unknown, request: RunRequest = {}): RunHandle => {
    const { runRef = '' } = request;
    const result = perform(request).then(() => finishedRun(runRef));
    void result.then(() => request.onEvent?.({ event: 'finished', seq: 1, at: 0, runRef, tenant: 'close', data: {} }));
    return { runRef, events: (async function* () {})(), result, cancel: async () => undefined };
  };
  const services: CallServices = {
    supervisor: { run },
    tools: new Map([['close', tool]]),
    isDraining: () => false,
    onRun: () => undefined,
    audit: null,
    rounds: new RoundSeal(undefined, () => 0),
    waiting,
    questionTimers: {
      after: (_, act) => {
        const due = setImmediate(act);
        return () => clearImmediate(due);
      },
    },
    questionCounter: null,
    principal: 'gateway',
    keyed: {
      ask: () => {
        throw new Error('no call has a key');
      },
    },
    artifacts: null,
    server: '{"server":1}',
    now: () => 0,
    reportBug: (error) => {
      throw error;
    },
  };
  return {
    call: async ({ principal = 'gateway', disconnected = NEVER, arguments: provided = {}, ...round } = {}) => {
      let sent: string | null = null;
      const params = jsonOf({ name: 'close', arguments: provided, ...round });
      const answer = await callTool(
        {
          message: {
            id: 1,
            method: 'tools/call',
            params: new Map<string, JsonValue>([...params, ['_meta', new Map([[META.capabilities, CAPABILITIES]])]]),
          },
          era: 'modern',
          headers: [],
          disconnected,
          open: () => ({
            notify: () => undefined,
            end: async (message) => {
              sent = message;
            },
          }),
        },
        { ...services, principal },
      );
      const text = sent ?? (answer === null ? '{}' : String(answer.body));
      const { result = {}, error = {} } = Object(JSON.parse(text));
      const { resultType, requestState, inputRequests = {} } = Object(result);
      return {
        ...(answer === null ? {} : { status: answer.status, reason: Object(error.data).reason }),
        resultType,
        requestState,
        ids: Object.keys(inputRequests),
      };
    },
  };
}
