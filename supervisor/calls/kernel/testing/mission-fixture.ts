import type {
  EvaluateReply,
  EvaluateRequest,
  GuestOutcome,
  GuestReply,
  GuestRequest,
} from '../../../../contract/sandbox-protocol.ts';
import { effectiveLimits, type WrittenLimits } from '../../../../contract/limits/effective.ts';
import { jsonFromPlain, plainFromJson } from '../../../../contract/json/plain.ts';
import { isJsonObject } from '../../../../contract/json/value.ts';
import type { Isolate, RequestOptions, Sandbox } from '../../../../sandbox/pool/interface.ts';
import { inTwoRequests } from '../../../../sandbox/pool/testing/two-requests.ts';
import type { CallingEvaluation, ScopeRecord } from '../../broker/call-scope.ts';
import type { RouteAnswer } from '../../broker/route.ts';
import { recordedFailures, type RecordedFailures } from '../../broker/provider-failures.ts';
import type { TraceEvent } from '../../../evidence/event.ts';
import type { InspectionRecord } from '../../../evidence/inspection/writer.ts';
import { openRunClock } from '../../../platform/run-clock/run-clock.ts';
import { manualClock, type ManualClock } from '../../../run/testing/run-fixture.ts';
import { openKernel, type RunKernel } from '../kernel.ts';
import type { KernelOptions } from '../options.ts';

/** How a program of a test ends, and what it does on the way. */
export interface ScriptedEnd {
  readonly outcome?: GuestOutcome<EvaluateReply>;
  /** How its first check ends, where that is another way. */
  readonly firstCheck?: GuestOutcome<never>;
  /** Names it calls, one after the other. */
  readonly calls?: readonly string[];
  /** Waits for this before it ends. */
  readonly until?: Promise<unknown>;
}

export interface FakeMission {
  readonly kernel: RunKernel;
  readonly clock: ManualClock;
  readonly events: readonly TraceEvent[];
  readonly records: readonly InspectionRecord[];
  readonly denials: readonly string[];
  readonly failures: RecordedFailures;
  /** Requests that reached an isolate, with the number of the isolate. */
  readonly requests: readonly { readonly isolate: number; readonly request: GuestRequest }[];
  /** Trust domains whose hosts were ended. */
  readonly endedDomains: readonly string[];
  /** Isolates opened and not disposed of. */
  live(): number;
  /** What a route answers to plain arguments. */
  call(
    route: string,
    input: Readonly<Record<string, unknown>>,
    caller?: Partial<CallingEvaluation>,
    signal?: AbortSignal,
  ): Promise<RouteAnswer>;
  /** The plain value of an answer. */
  value(route: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Runs the timers that are due. */
  elapse(milliseconds: number): void;
}

export interface FakeMissionOptions {
  /** By source; any other text continues with nil. */
  readonly programs?: Readonly<Record<string, ScriptedEnd>>;
  readonly limits?: WrittenLimits;
  readonly scope?: Partial<ScopeRecord>;
  /** Types of events that the sink refuses. */
  readonly refusedEvents?: readonly string[];
  readonly refusedRecords?: readonly string[];
  readonly contracts?: KernelOptions['contracts'];
}

export function value(json: string, more: Readonly<Record<string, unknown>> = {}): GuestOutcome<EvaluateReply> {
  return {
    status: 'replied',
    reply: { outcome: 'continued', value: json, projection_fault: null, prints: [], ...more },
  };
}

export function fault(reason: string, exceptionClass: string | null = null): GuestOutcome<EvaluateReply> {
  const facts = {
    reason,
    message: 'm',
    span: null,
    details: { line: 1 },
    exception_class: exceptionClass,
    public_error: null,
  };
  return { status: 'replied', reply: { outcome: 'evaluation_error', fault: facts, prints: ['p'] } };
}

/** A kernel over a sandbox whose programs are a table, and a broker that grants every call. */
export function fakeMission(options: FakeMissionOptions = {}): FakeMission {
  const limits = effectiveLimits(options.limits ?? {}, {});
  if (!limits.ok) throw new Error('the limits of this test are refused');
  const clock = manualClock();
  const events: TraceEvent[] = [];
  const records: InspectionRecord[] = [];
  const denials: string[] = [];
  const endedDomains: string[] = [];
  const requests: { isolate: number; request: GuestRequest }[] = [];
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const failures = recordedFailures();
  const scope: ScopeRecord = {
    reached: null,
    lastEnvelope: null,
    terminalProviderFailure: null,
    terminalHostFailure: null,
    ...options.scope,
  };
  let opened = 0;
  let live = 0;
  let filled = 0;

  const sandbox: Sandbox = {
    close: async () => undefined,
    endDomain: async ({ trustDomain }) => {
      endedDomains.push(trustDomain);
    },
    openIsolate: async () => {
      opened += 1;
      live += 1;
      return fakeIsolate(opened, {
        answer: (isolate, request, requestOptions) => {
          const first =
            request.operation === 'check' && requests.every((earlier) => earlier.request.operation !== 'check')
              ? options.programs?.[request.source]?.firstCheck
              : undefined;
          requests.push({ isolate, request });
          return first !== undefined
            ? Promise.resolve(first)
            : answerOf(options.programs ?? {}, request, requestOptions);
        },
        ended: () => {
          live -= 1;
        },
      });
    },
  };

  const kernel = openKernel({
    sandbox,
    clock: {
      ...openRunClock(clock),
      after: (milliseconds, run) => {
        const timer = { at: clock.monotonic() + milliseconds, run };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    limits: limits.values,
    missionTrustDomain: 'run',
    runDeadlineAt: clock.monotonic() + limits.values.run_duration_ms,
    missions: new Map(
      ['room', 'other'].map((name) => [
        name,
        {
          code: name === 'room' ? 'bundle' : null,
          tools: ['find'],
          argumentNames: () => [],
          data: { rows: '[1]' },
          inventory: `inventory of ${name}`,
          modelContext: `context of ${name}`,
          modelContextWith: (more) =>
            more.has('huge') ? null : `context of ${name} with ${[...more.keys()].join(' ')}`,
        },
      ]),
    ),
    contracts: options.contracts ?? { result: null, phaseReturns: new Map() },
    evidence: {
      keepsRecords: true,
      event: (event) => {
        if (options.refusedEvents?.includes(event.type) === true) return 'refused';
        events.push(event);
        return 'accepted';
      },
      record: async (record) => {
        if (options.refusedRecords?.includes(record.type) === true) return false;
        records.push(record);
        return true;
      },
    },
    broker: {
      open: () => ({
        tools: ['find'],
        argumentNames: () => [],
        branches: { take: () => 0, release: () => undefined },
        call: async () => '{"reply":"value","value":1}',
        end: async () => scope,
      }),
      denied: (reason) => denials.push(reason),
    },
    providerFailures: failures,
    random: (bytes) => {
      filled += 1;
      new DataView(bytes.buffer).setUint32(0, filled);
    },
  });

  const call: FakeMission['call'] = async (route, input, caller = {}, signal = new AbortController().signal) => {
    const json = jsonFromPlain(input);
    const run = kernel.routes.get(route);
    if (run === undefined || !isJsonObject(json)) throw new Error(`no route takes ${route}`);
    const evaluation: CallingEvaluation = {
      environment: 'workflow',
      mission: null,
      evaluationId: caller.evaluationId ?? 'workflow-evaluation-1',
      deadlineAt: caller.deadlineAt ?? Infinity,
    };
    return run({ json, caller: evaluation, signal, capabilityId: 'capability-1' });
  };

  return {
    kernel,
    clock,
    events,
    records,
    denials,
    failures,
    requests,
    endedDomains,
    live: () => live,
    call,
    value: async (route, input) => {
      const answer = await call(route, input);
      if (answer.kind !== 'value' || !isJsonObject(answer.value)) throw new Error(JSON.stringify(answer));
      return Object.fromEntries([...answer.value].map(([name, member]) => [name, plainFromJson(member)]));
    },
    elapse: (milliseconds) => {
      clock.advance(milliseconds);
      const due = [...timers].filter(({ at }) => at <= clock.monotonic());
      for (const timer of due) {
        if (timers.delete(timer)) timer.run();
      }
    },
  };
}

interface FakeIsolateEvents {
  readonly answer: (
    isolate: number,
    request: GuestRequest,
    options: RequestOptions,
  ) => Promise<GuestOutcome<GuestReply<GuestRequest>>>;
  readonly ended: () => void;
}

function fakeIsolate(number: number, { answer, ended }: FakeIsolateEvents): Isolate {
  let isClosed = false;
  const request: Isolate['request'] = async <R extends GuestRequest>(
    request: R,
    options: RequestOptions,
  ): Promise<GuestOutcome<GuestReply<R>>> => {
    const outcome = await answer(number, request, options);
    if (outcome.status !== 'replied') isClosed = true;
    if (!isOutcomeOf(request, outcome)) throw new Error('the fake answers another operation');
    return outcome;
  };
  return {
    request,
    loadAndRequest: inTwoRequests(request),
    isUsable: () => !isClosed,
    dispose: async () => {
      isClosed = true;
      ended();
    },
  };
}

function isOutcomeOf<R extends GuestRequest>(
  request: R,
  outcome: GuestOutcome<GuestReply<GuestRequest>>,
): outcome is GuestOutcome<GuestReply<R>> {
  if (outcome.status !== 'replied') return true;
  return request.operation === 'evaluate' ? 'outcome' in outcome.reply : 'status' in outcome.reply;
}

async function answerOf(
  programs: Readonly<Record<string, ScriptedEnd>>,
  request: GuestRequest,
  options: RequestOptions,
): Promise<GuestOutcome<GuestReply<GuestRequest>>> {
  if (options.signal?.aborted === true) return { status: 'cancelled' };
  if (request.operation === 'load') return { status: 'replied', reply: { status: 'loaded' } };
  if (request.operation === 'check') {
    const { outcome } = programs[request.source] ?? {};
    if (outcome === undefined) return { status: 'replied', reply: { status: 'valid' } };
    if (outcome.status !== 'replied') return outcome;
    return outcome.reply.outcome === 'evaluation_error'
      ? { status: 'replied', reply: { status: 'invalid', fault: outcome.reply.fault } }
      : { status: 'replied', reply: { status: 'valid' } };
  }
  if (request.operation !== 'evaluate') throw new Error(`the fake takes no ${request.operation}`);
  const { outcome = value('null'), calls = [], until } = programs[request.source] ?? {};
  const cancelled = new Promise<GuestOutcome<EvaluateReply>>((resolve) => {
    options.signal?.addEventListener('abort', () => resolve({ status: 'cancelled' }));
  });
  for (const name of calls) await options.onCapabilityCall?.({ name, arguments: '{}' });
  if (until !== undefined) return Promise.race([until.then(() => committed(request, outcome)), cancelled]);
  return committed(request, outcome);
}

/** Success leaves a continuation that names the program, 10 bytes large. */
function committed(request: EvaluateRequest, outcome: GuestOutcome<EvaluateReply>): GuestOutcome<EvaluateReply> {
  if (outcome.status !== 'replied') return outcome;
  const { reply } = outcome;
  if ((reply.outcome !== 'continued' && reply.outcome !== 'returned') || 'continuation' in reply) return outcome;
  const continuation = {
    definitions: `after ${request.source}`.padEnd(10),
    history: ['12345'],
    defined_count: 1,
    history_count: 1,
    memory_bytes: 10,
    history_bytes: 5,
  };
  const observed =
    request.observation_characters !== undefined && reply.outcome === 'continued'
      ? {
          value: null,
          observation: {
            text: 'user=> nil',
            value_truncated: false,
            prints_truncated: false,
            caps_hit: [],
            sampled_keys: [],
          },
        }
      : {};
  return { status: 'replied', reply: { ...reply, ...observed, continuation } };
}
