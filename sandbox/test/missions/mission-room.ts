import { randomFillSync } from 'node:crypto';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain, plainFromJson } from '../../../contract/json/plain.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import { effectiveLimits, type WrittenLimits } from '../../../contract/limits/effective.ts';
import type { CapabilityCall, StoredContinuation } from '../../../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from '../../pool/interface.ts';
import { systemClock } from '../../../system/clock.ts';
import { openRunClock } from '../../../supervisor/platform/run-clock/run-clock.ts';
import { openBroker, type RunBroker } from '../../../supervisor/calls/broker/broker.ts';
import type { Route } from '../../../supervisor/calls/broker/route.ts';
import type { ScopeRecord } from '../../../supervisor/calls/broker/call-scope.ts';
import { openKernel, type RunKernel } from '../../../supervisor/calls/kernel/kernel.ts';
import type { KernelOptions } from '../../../supervisor/calls/kernel/options.ts';

/** What a kernel-eval answered, as plain data. */
export type Evaluation = Readonly<Record<string, unknown>>;

export interface MissionRoom {
  readonly kernel: RunKernel;
  evaluate(source: string, more?: Readonly<Record<string, unknown>>): Promise<Evaluation>;
  check(source: string): Promise<Evaluation>;
}

export interface RoomOptions {
  readonly limits?: WrittenLimits;
  /** Compiled bundle of the mission. */
  readonly code?: string | null;
  /** Answers the calls of `tool/find`. */
  readonly call?: (call: CapabilityCall) => Promise<string>;
  /** Instead of one that grants `find`. */
  readonly broker?: KernelOptions['broker'];
}

/** A broker that grants `find` and answers it by the function of the test. */
function scriptedBroker(call: (call: CapabilityCall) => Promise<string>): KernelOptions['broker'] {
  return {
    denied: () => undefined,
    open: () => {
      const alive = new Set<Promise<string>>();
      return {
        tools: ['find'],
        argumentNames: () => [],
        branches: { take: () => 0, release: () => undefined },
        call: async (capabilityCall) => {
          const answer = call(capabilityCall);
          alive.add(answer);
          return answer.finally(() => alive.delete(answer));
        },
        end: async () => {
          await Promise.allSettled(alive);
          return NOTHING;
        },
      };
    },
  };
}

/** The broker of the product, which grants the mission nothing. */
export function productBroker(routes: ReadonlyMap<string, Route> = new Map()): RunBroker {
  const limits = effectiveLimits({}, {});
  if (!limits.ok) throw new Error('the default limits hold');
  return openBroker({
    limits: limits.values,
    runDeadlineAt: systemClock.monotonic() + limits.values.run_duration_ms,
    clock: openRunClock(),
    events: { record: () => 'recorded' },
    inspection: { isRequested: false, record: async () => true },
    capabilities: { workflow: new Map(), missions: new Map([['room', new Map()]]) },
    routes,
    usage: () => ({}),
  });
}

const NOTHING: ScopeRecord = {
  reached: null,
  lastEnvelope: null,
  terminalProviderFailure: null,
  terminalHostFailure: null,
};

/** The kernel of the product over a real sandbox, with one mission `room`; the broker around it is the test's. */
export function openRoom(
  sandbox: Sandbox,
  {
    limits: written = {},
    code = null,
    call = async () => '{"reply":"value","value":1}',
    broker = scriptedBroker(call),
  }: RoomOptions = {},
): MissionRoom {
  const limits = effectiveLimits({ run_duration_ms: 600_000, subordinate_evaluations: 2048, ...written }, {});
  if (!limits.ok) throw new Error('the limits of this test are refused');
  const kernel = openKernel({
    sandbox,
    clock: openRunClock(),
    limits: limits.values,
    missionTrustDomain: 'room',
    runDeadlineAt: systemClock.monotonic() + limits.values.run_duration_ms,
    missions: new Map([
      [
        'room',
        {
          code,
          tools: ['find'],
          argumentNames: () => [],
          data: { rows: '[{"a":1.0},null]' },
          inventory: '',
          modelContextWith: () => null,
          modelContext: '',
        },
      ],
    ]),
    contracts: { result: null, phaseReturns: new Map() },
    evidence: { keepsRecords: false, event: () => 'accepted', record: async () => true },
    broker,
    providerFailures: { consume: () => false, isReplayMiss: () => false },
    random: (bytes) => {
      randomFillSync(bytes);
    },
  });

  async function ask(route: string, input: Readonly<Record<string, unknown>>): Promise<Evaluation> {
    const json = jsonFromPlain(input);
    const run = kernel.routes.get(route);
    if (run === undefined || !isJsonObject(json)) throw new Error(`no route takes ${route}`);
    const caller = {
      environment: 'workflow',
      mission: null,
      evaluationId: 'workflow-evaluation-1',
      deadlineAt: Infinity,
    } as const;
    const answer = await run({
      json,
      caller,
      signal: new AbortController().signal,
      capabilityId: 'capability-1',
    });
    if (answer.kind !== 'value' || !isJsonObject(answer.value)) throw new Error(JSON.stringify(answer));
    return Object.fromEntries(
      [...answer.value].map(([name, value]) => [name, name === 'value' ? canonicalJson(value) : plainFromJson(value)]),
    );
  }

  return {
    kernel,
    evaluate: (source, more = {}) => ask('kernel-eval', { mission: 'room', kind: 'source', source, ...more }),
    check: (source) => ask('kernel-check-source', { mission: 'room', source }),
  };
}

/** Of an isolate that is an object of a class. */
function methodsOf(isolate: Isolate): Isolate {
  return {
    request: (request, options) => isolate.request(request, options),
    loadAndRequest: (code, request, options) => isolate.loadAndRequest(code, request, options),
    isUsable: () => isolate.isUsable(),
    dispose: () => isolate.dispose(),
  };
}

/** The same sandbox, telling what its guests write down. */
export function recording(sandbox: Sandbox, reported: (continuation: StoredContinuation) => void): Sandbox {
  return {
    close: () => sandbox.close(),
    endDomain: (domain) => sandbox.endDomain(domain),
    openIsolate: async (options) => {
      const isolate = await sandbox.openIsolate(options);
      return {
        ...methodsOf(isolate),
        request: async (request, requestOptions) => {
          const outcome = await isolate.request(request, requestOptions);
          if (
            outcome.status === 'replied' &&
            'continuation' in outcome.reply &&
            outcome.reply.continuation !== undefined
          )
            reported(outcome.reply.continuation);
          return outcome;
        },
      };
    },
  };
}

/** The same sandbox, of which no isolate is fit for a second request after the first that changed something. */
export function forgetful(sandbox: Sandbox): Sandbox {
  return {
    close: () => sandbox.close(),
    endDomain: (domain) => sandbox.endDomain(domain),
    openIsolate: async (options) => {
      const isolate = await sandbox.openIsolate(options);
      return { ...methodsOf(isolate), isUsable: () => false };
    },
  };
}
