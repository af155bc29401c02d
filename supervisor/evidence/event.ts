import { jsonFromPlain } from '../../contract/json/plain.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import type { JsonObject } from '../../contract/json/value.ts';

/** One line of a trace before it has a place and a time (evidence.md §2). */
export interface TraceEvent {
  readonly type: string;
  readonly data: JsonObject;
}

/** The closed set of types (evidence.md §3). */
export const EVENT_TYPES = [
  'run-started',
  'evaluation-started',
  'evaluation-stopped',
  'capability-started',
  'capability-stopped',
  'workflow-annotation',
  'limit-exceeded',
  'events-dropped',
  'run-stopped',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** One environment's components, closed and in dependency order (evidence.md §3, P). */
export interface PreludeFacts {
  readonly component_ids: readonly string[];
  /** Per component the indexes of its dependencies, ascending, each below its own. */
  readonly dependency_indices: readonly (readonly number[])[];
  /** 64 hex digits of the bundle hash; null without components. */
  readonly hash: string | null;
}

export interface RunStartedFacts {
  readonly labels: Readonly<Record<string, unknown>>;
  readonly workflow_prelude: PreludeFacts;
  readonly missions: Readonly<Record<string, MissionFacts>>;
  readonly connector_snapshots: readonly unknown[];
  readonly component_overrides?: readonly unknown[];
}

export interface MissionFacts {
  readonly prelude: PreludeFacts;
  readonly inventory_hash: string;
  readonly inventory_bytes: number;
  readonly model_context_hash: string;
  readonly model_context_bytes: number;
}

export function runStarted(facts: RunStartedFacts): TraceEvent {
  return event('run-started', facts);
}

export function workflowEvaluationStarted(evaluationId: string): TraceEvent {
  return event('evaluation-started', { evaluation_id: evaluationId, environment: 'workflow' });
}

export function workflowEvaluationStopped(evaluationId: string, status: 'ok' | 'error', durationMs: number): TraceEvent {
  return event('evaluation-stopped', {
    evaluation_id: evaluationId,
    environment: 'workflow',
    status,
    duration_ms: Math.max(0, Math.round(durationMs)),
  });
}

export interface LimitFacts {
  readonly reason: string;
  readonly environment?: 'workflow' | 'mission';
  readonly limit?: string;
  readonly limit_value?: number;
  readonly limit_ms?: number;
  readonly phase?: 'compilation' | 'execution';
}

export function limitExceeded(facts: LimitFacts): TraceEvent {
  return event('limit-exceeded', facts);
}

export function eventsDropped(counts: Readonly<Record<string, number>>): TraceEvent {
  return event('events-dropped', { counts });
}

export interface RunStoppedFacts {
  readonly outcome: 'ok' | 'error';
  readonly reason: string | null;
  readonly usage: unknown;
  /** `sha256:` and 64 hex digits of the canonical result, outcome ok only. */
  readonly result_hash?: string;
  readonly failure_kind?: string;
  readonly failure_kind_fingerprint?: string;
  readonly diagnostic?: { readonly phase: string; readonly code: string };
}

export function runStopped(facts: RunStoppedFacts): TraceEvent {
  return event('run-stopped', facts);
}

/** Our own facts are JSON by construction; anything else is a bug. */
function event(type: EventType, facts: object): TraceEvent {
  const data = jsonFromPlain(withoutAbsent(facts));
  if (data === undefined || !isJsonObject(data)) throw new TypeError(`the data of ${type} is not a JSON object`);
  return { type, data };
}

function withoutAbsent(facts: object): object {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}
