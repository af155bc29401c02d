import { APPROVAL_LIMITS, type ApprovalLimits } from '../../../../contract/approval.ts';
import { effectiveLimits, type WrittenLimits } from '../../../../contract/limits/effective.ts';
import { jsonFromPlain, plainFromJson } from '../../../../contract/json/plain.ts';
import { SerializedJson } from '../../../../contract/json/serialized.ts';
import type { JsonValue } from '../../../../contract/json/value.ts';
import type { Exchange } from '../../../../contract/provider-protocol/call.ts';
import type { ProviderFailure, ProviderOutcome } from '../../../../contract/provider-protocol/outcome.ts';
import type { TraceEvent } from '../../../evidence/event.ts';
import type { InspectionRecord } from '../../../evidence/inspection/writer.ts';
import type { RecordOutcome } from '../../../evidence/recorder.ts';
import { openRunClock } from '../../../platform/run-clock/run-clock.ts';
import { openDesk, type ApprovalAsker } from '../../approvals/desk.ts';
import { openBroker, type BrokerOptions, type RunBroker } from '../broker.ts';
import type { Capability, DispatchedCall } from '../capability.ts';
import type { CallScope, CallingEvaluation } from '../call-scope.ts';

/** What a test's provider answers with. */
export type TestOutcome = ProviderOutcome<SerializedJson>;

/** A capability whose provider is the test. */
export function capability(
  over: Partial<Capability> & {
    readonly answer?: (call: DispatchedCall) => TestOutcome | Promise<TestOutcome>;
    readonly exchanges?: readonly Exchange<JsonValue>[];
    readonly onKill?: () => void;
  } = {},
): Capability {
  const { answer = () => value(null), exchanges = [], onKill = () => undefined, ...facts } = over;
  return {
    name: 'find',
    description: 'Finds.',
    effect: 'read',
    isModelVisible: true,
    inputSchema: true,
    outputSchema: true,
    timeoutMs: 1000,
    argumentBytes: Number.MAX_SAFE_INTEGER,
    resultBytes: Number.MAX_SAFE_INTEGER,
    inspectionCapture: 'full',
    checkArguments: async () => ({ status: 'valid' }),
    accepts: () => true,
    checkResult: async () => ({ status: 'valid' }),
    route: null,
    dispatch: (_, call) => ({
      outcome: Promise.resolve().then(async () =>
        (await call.openGate()) ? answer(call) : failed({ proof: 'not_dispatched' }),
      ),
      exchanges: () => exchanges,
      kill: async () => onKill(),
    }),
    ...facts,
  };
}

export function value(plain: unknown): TestOutcome {
  const json = jsonFromPlain(plain);
  if (json === undefined) throw new Error('the test answers with JSON');
  return { kind: 'value', value: SerializedJson.of(json), usage: null, finish: null };
}

export function failed(over: Partial<ProviderFailure> = {}): TestOutcome {
  return {
    kind: 'error',
    reason: 'unavailable',
    details: null,
    retryable: false,
    proof: null,
    isProtocolFault: false,
    usage: null,
    replayMiss: null,
    ...over,
  };
}

export interface Harness {
  readonly broker: RunBroker;
  readonly events: TraceEvent[];
  readonly records: InspectionRecord[];
  readonly open: (mission?: string | null, over?: Partial<CallingEvaluation>) => CallScope;
  /** Envelope or bare value of one call, as plain data. */
  readonly call: (scope: CallScope, name: string, input?: unknown) => Promise<Readonly<Record<string, unknown>>>;
}

export interface HarnessOptions {
  readonly limits?: WrittenLimits;
  readonly host?: WrittenLimits;
  readonly capabilities?: readonly Capability[];
  readonly routes?: BrokerOptions['routes'];
  readonly record?: (event: TraceEvent) => RecordOutcome;
  readonly keep?: (record: InspectionRecord) => boolean;
  readonly now?: () => number;
  readonly effectGate?: BrokerOptions['effectGate'];
  /** Who is asked for a yes; absent: nobody can be. */
  readonly approvals?: {
    readonly ask?: ApprovalAsker['ask'];
    readonly settle?: NonNullable<ApprovalAsker['settle']>;
    readonly limits?: Partial<ApprovalLimits>;
    readonly allowsAll?: boolean;
  };
}

/** A broker over capabilities that workflow and mission `m` share; the run ends at 100,000. */
export function harness({
  limits: written = {},
  host = {},
  capabilities = [capability()],
  routes = new Map(),
  record = () => 'recorded',
  keep = () => true,
  now = () => 0,
  effectGate = null,
  approvals,
}: HarnessOptions = {}): Harness {
  const limits = effectiveLimits(written, host);
  if (!limits.ok) throw new Error('the limits of this test are refused');
  const events: TraceEvent[] = [];
  const records: InspectionRecord[] = [];
  const granted = new Map(capabilities.map((one) => [one.name, one]));
  const machine = { monotonic: now, wall: now };
  const clock = openRunClock(machine);
  const broker = openBroker({
    limits: limits.values,
    runDeadlineAt: 100_000,
    clock,
    approvals:
      approvals === undefined
        ? null
        : openDesk({
            place: null,
            limits: { ...APPROVAL_LIMITS, ...approvals.limits },
            run: { runRef: 'cmd-1', application: 'desk', tenant: null, principal: null, isPrivate: false },
            clock,
            machine,
            runDeadlineAt: 100_000,
            callerDeadlineAt: Infinity,
            asker:
              approvals.ask === undefined
                ? null
                : { ask: approvals.ask, ...(approvals.settle === undefined ? {} : { settle: approvals.settle }) },
            allowsAll: approvals.allowsAll ?? false,
          }),
    events: {
      record: (event) => {
        events.push(event);
        return record(event);
      },
    },
    inspection: {
      isRequested: true,
      record: async (inspectionRecord) => {
        records.push(inspectionRecord);
        return keep(inspectionRecord);
      },
    },
    capabilities: { workflow: granted, missions: new Map([['m', granted]]) },
    routes,
    effectGate,
    usage: () => ({ used: 1 }),
  });
  let opened = 0;
  return {
    broker,
    events,
    records,
    open: (mission = null, over = {}) => {
      opened += 1;
      const shared = {
        evaluationId: `e-${opened}`,
        deadlineAt: over.deadlineAt ?? 90_000,
        ...(over.program === undefined ? {} : { program: over.program }),
      };
      return broker.open(
        mission === null
          ? { ...shared, environment: 'workflow', mission }
          : { ...shared, environment: 'mission', mission },
      );
    },
    call: async (scope, name, input = {}) => {
      const text = typeof input === 'string' ? input : JSON.stringify(input);
      const reply: unknown = JSON.parse(await scope.call({ name, arguments: text }));
      return Object(Object(reply)['envelope'] ?? reply);
    },
  };
}

export function dataOf(event: TraceEvent | InspectionRecord | undefined): Readonly<Record<string, unknown>> {
  if (event === undefined) return {};
  return { ...Object(plainFromJson('data' in event ? event.data : event.payload.value)) };
}
