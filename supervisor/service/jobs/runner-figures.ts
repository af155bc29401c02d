import { Gauge, Histogram, Registry } from 'prom-client';
import type { EngineStatus } from '../engine/status.ts';
import type { Lease, Settle } from '../engine/interface.ts';
import {
  figuresText,
  serveFigures,
  type Figures,
  type FiguresListener,
} from '../../../system/listening/figures-listener.ts';
import type { ListenFault } from '../../../system/listening/start-listening.ts';
import type { SupervisorSnapshot } from '../embedding/types.ts';

type Handler = (lease: Lease) => Promise<Settle>;

/** What one runner does, and what is to be seen of it (gateway.md §19). */
export interface RunnerFigures {
  /** The same handler, whose runs are counted. */
  readonly counted: (handle: Handler) => Handler;
  /** Runs that its end stopped. */
  readonly forced: () => number;
  /** Null: the port cannot be had. `close`: of the listener. */
  serve(port: number): Promise<FiguresListener | ListenFault>;
}

/** What is asked for when somebody looks. */
export interface RunnerFacts {
  readonly slots: number;
  readonly isStopping: () => boolean;
  readonly snapshot: () => SupervisorSnapshot;
  /** Rejects while the database is away. */
  readonly status: () => Promise<EngineStatus>;
  readonly ask: () => Promise<unknown>;
}

const RUN_SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300];
/** A database that has not answered by then is away. */
const ANSWER_MS = 2000;
const MS_PER_SECOND = 1000;

/** Counts runs from now on. */
export function runnerFigures(facts: RunnerFacts): RunnerFigures {
  const registry = new Registry();
  const registers = [registry];
  const seconds = new Histogram({
    name: 'svc_runner_run_seconds',
    help: 'Runs from their claim to their end.',
    labelNames: ['outcome'],
    buckets: RUN_SECONDS,
    registers,
  });
  const own = gauges(facts, registers);
  const queue = queueGauges(registers);
  let forced = 0;

  async function figures(): Promise<Figures> {
    own();
    // A database that is away hides what this runner knows of itself from nobody.
    queue(await waitWithin(facts.status()).catch(() => null));
    return figuresText(await registry.metrics());
  }
  async function ready(): Promise<Figures> {
    const isReady =
      !facts.isStopping() &&
      (await waitWithin(facts.ask()).then(
        () => true,
        () => false,
      ));
    return {
      status: isReady ? 200 : 503,
      type: 'application/json',
      body: JSON.stringify({ status: isReady ? 'ready' : 'not_ready' }),
    };
  }
  return {
    counted: (handle) => async (lease) => {
      const startedAt = performance.now();
      const observe = (outcome: string): void => {
        seconds.observe({ outcome }, (performance.now() - startedAt) / MS_PER_SECOND);
      };
      lease.signal.addEventListener(
        'abort',
        () => {
          if (lease.signal.reason === 'closing') forced += 1;
        },
        { once: true },
      );
      try {
        const settle = await handle(lease);
        observe(settle.state);
        return settle;
      } catch (error) {
        observe('given_up');
        throw error;
      }
    },
    forced: () => forced,
    serve: async (port) =>
      serveFigures(port, {
        '/metrics': figures,
        '/health/live': async () => ({ status: 200, type: 'application/json', body: '{"status":"live"}' }),
        '/health/ready': ready,
      }),
  };
}

function gauges({ slots, snapshot }: RunnerFacts, registers: Registry[]): () => void {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers });
  const [places, runs, memory] = [
    gauge('svc_runner_slots', 'Runs at once.'),
    gauge('svc_runner_runs', 'Runs that go on here.'),
    gauge('svc_runner_resident_bytes', 'Memory of the runner and its hosts.'),
  ];
  const [active, waiting] = [
    gauge('svc_runner_provider_calls_active', 'Live calls of models.'),
    gauge('svc_runner_provider_calls_waiting', 'Calls of models that wait.'),
  ];
  return () => {
    const {
      runs: { running },
      providerCalls,
      memory: { residentBytes },
    } = snapshot();
    places.set(slots);
    runs.set(running);
    memory.set(residentBytes);
    active.set(providerCalls.active);
    waiting.set(providerCalls.waiting);
  };
}

/** Of the whole database, as every runner on it shows. */
function queueGauges(registers: Registry[]): (status: EngineStatus | null) => void {
  const up = new Gauge({ name: 'svc_engine_up', help: '1 where the database answers.', registers });
  const states = new Gauge({
    name: 'svc_engine_runs',
    help: 'Runs on record by state.',
    labelNames: ['state'],
    registers,
  });
  const labelNames = ['application'];
  const waiting = new Gauge({
    name: 'svc_engine_waiting_runs',
    help: 'Runs that wait, by the digest of their application.',
    labelNames,
    registers,
  });
  const oldest = new Gauge({
    name: 'svc_engine_oldest_waiting_seconds',
    help: 'How long the one that waits longest has.',
    labelNames,
    registers,
  });
  const workers = new Gauge({
    name: 'svc_engine_workers',
    help: 'Workers that take runs of an application of which some wait or go on.',
    labelNames,
    registers,
  });
  return (status) => {
    up.set(status === null ? 0 : 1);
    for (const gauge of [states, waiting, oldest, workers]) gauge.reset();
    for (const [state, runs] of Object.entries(status?.runs ?? {})) states.set({ state }, runs);
    for (const queue of status?.applications ?? []) {
      const labels = { application: queue.applicationDigest };
      waiting.set(labels, queue.waiting);
      oldest.set(labels, queue.oldestWaitingSeconds ?? 0);
      workers.set(labels, queue.workers);
    }
  };
}

async function waitWithin<T>(work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error('no answer'));
  }, ANSWER_MS);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
