import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { QuestionCounter } from '../../code/asking/run-questions.ts';
import type { OutcomeCode } from '../audit/record.ts';

/** What is counted of a gateway; labels are names of tools and closed words (gateway.md §13). */
export interface GatewayMetrics {
  answered(status: number): void;
  ran(tool: string, outcome: OutcomeCode, seconds: number): void;
  audited(seconds: number): void;
  /** Questions to a person, by the tool that a run wants to call (approvals.md §10). */
  readonly questions: QuestionCounter;
  readiness(tool: string, state: 'ready' | 'unavailable' | 'fenced'): void;
  /** In the text form of Prometheus. */
  text(): Promise<string>;
}

/** What is looked at when it is asked for. */
export interface GaugedFacts {
  readonly inflight: number;
  readonly runs: number;
  readonly waitingRuns: number;
  readonly providerCalls: { readonly active: number; readonly waiting: number };
  readonly residentBytes: number;
}

const RUN_SECONDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300];
const SYNC_SECONDS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5];

export function gatewayMetrics(facts: () => GaugedFacts): GatewayMetrics {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'svc_gateway_requests_total',
    help: 'Answers by status.',
    labelNames: ['status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'svc_gateway_run_seconds',
    help: 'Runs from their call to their answer.',
    labelNames: ['tool', 'outcome'],
    buckets: RUN_SECONDS,
    registers,
  });
  const audit = new Histogram({
    name: 'svc_gateway_audit_sync_seconds',
    help: 'Records from their call until they are durable.',
    buckets: SYNC_SECONDS,
    registers,
  });
  const restarts = new Counter({
    name: 'svc_gateway_provider_restarts_total',
    help: 'Providers that were opened again.',
    labelNames: ['tool'],
    registers,
  });
  const fences = new Gauge({
    name: 'svc_gateway_fenced',
    help: '1 for a tool that is fenced.',
    labelNames: ['tool'],
    registers,
  });
  const requested = new Counter({
    name: 'svc_gateway_approvals_asked_total',
    help: 'Calls that a person was asked about.',
    labelNames: ['tool'],
    registers,
  });
  const answered = new Counter({
    name: 'svc_gateway_approvals_ended_total',
    help: 'Questions that ended: allowed, denied, expired, or abandoned with their run.',
    labelNames: ['tool', 'end'],
    registers,
  });
  const open = new Gauge({
    name: 'svc_gateway_approvals_open',
    help: 'Questions that wait for a person now.',
    registers,
  });
  const gauged = (name: string, help: string, value: (found: GaugedFacts) => number): void => {
    const gauge = new Gauge({
      name,
      help,
      registers,
      collect: () => {
        gauge.set(value(facts()));
      },
    });
  };
  gauged(
    'svc_gateway_inflight_requests',
    'Requests that showed the bearer and have no answer yet.',
    ({ inflight }) => inflight,
  );
  gauged('svc_gateway_runs', 'Runs that go on.', ({ runs }) => runs);
  gauged('svc_gateway_waiting_runs', 'Calls that wait for a place for their run.', ({ waitingRuns }) => waitingRuns);
  gauged('svc_gateway_provider_calls_active', 'Live calls of models.', ({ providerCalls }) => providerCalls.active);
  gauged(
    'svc_gateway_provider_calls_waiting',
    'Calls of models that wait.',
    ({ providerCalls }) => providerCalls.waiting,
  );
  gauged('svc_gateway_resident_bytes', 'Memory of the gateway and its hosts.', ({ residentBytes }) => residentBytes);
  return {
    answered: (status) => {
      requests.inc({ status });
    },
    ran: (tool, outcome, used) => {
      seconds.observe({ tool, outcome }, used);
    },
    audited: (used) => {
      audit.observe(used);
    },
    questions: {
      asked: (tool) => {
        requested.inc({ tool });
        open.inc();
      },
      ended: (tool, end) => {
        answered.inc({ tool, end });
        open.dec();
      },
    },
    readiness: (tool, state) => {
      if (state === 'ready') restarts.inc({ tool });
      fences.set({ tool }, state === 'fenced' ? 1 : 0);
    },
    text: async () => registry.metrics(),
  };
}
