import { jsonFromPlain } from '../../contract/json/plain.ts';
import { isJsonObject, type JsonObject } from '../../contract/json/value.ts';
import type { Rejection } from './rejection.ts';

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
  'approval-requested',
  'approval-decided',
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
  readonly missions: Readonly<Record<string, MissionEventFacts>>;
  readonly connector_snapshots: readonly unknown[];
  readonly component_overrides?: readonly unknown[];
  /** Of the person who asked for the run. */
  readonly traceparent?: string;
  /** The session that it belongs to, and its place there (code-mode.md §5). */
  readonly session?: { readonly id: string; readonly index: number; readonly approvals?: 'off' };
}

export interface MissionEventFacts {
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

export function workflowEvaluationStopped(
  evaluationId: string,
  status: 'ok' | 'error',
  durationMs: number,
): TraceEvent {
  return event('evaluation-stopped', {
    evaluation_id: evaluationId,
    environment: 'workflow',
    status,
    duration_ms: Math.max(0, Math.round(durationMs)),
  });
}

/** Whose call it is; `mission_name` exactly with the environment mission. */
export interface CallOwner {
  readonly environment: 'workflow' | 'mission';
  readonly mission_name?: string;
}

export interface CapabilityStartedFacts extends CallOwner {
  readonly capability_id: string;
  readonly name: string;
  /** Both of model calls only. */
  readonly alias?: string;
  readonly installation_revision?: string;
  /** The question that a person allowed it by (approvals.md §10). */
  readonly approval_id?: string;
}

export function capabilityStarted(facts: CapabilityStartedFacts): TraceEvent {
  return event('capability-started', facts);
}

export interface CapabilityStoppedFacts extends CapabilityStartedFacts, Rejection {
  readonly status: 'ok' | 'error';
  readonly duration_ms: number;
  /** Alias of a model call that failed. */
  readonly model?: string;
  readonly usage?: unknown;
  readonly finish_reason?: string;
  readonly output_limit?: unknown;
  /** Of a call that was tried again: how often, and the milliseconds waited before each further attempt. */
  readonly attempts?: number;
  readonly waits_ms?: readonly number[];
  /** Of what a model wants to have back, and of what is too long to be carried. */
  readonly continuation_bytes?: number;
  readonly continuation_dropped_bytes?: number;
  /** Parts of the answer of a tool that its value leaves out. */
  readonly dropped_blocks?: number;
}

export function capabilityStopped(facts: CapabilityStoppedFacts): TraceEvent {
  return event('capability-stopped', facts);
}

/** A question, without its arguments and any hash of them: those could be guessed (approvals.md §10). */
export interface ApprovalRequestedFacts extends CallOwner {
  readonly approval_id: string;
  readonly name: string;
  readonly effect: string;
  readonly argument_bytes: number;
}

export function approvalRequested(facts: ApprovalRequestedFacts): TraceEvent {
  return event('approval-requested', facts);
}

export interface ApprovalDecidedFacts {
  readonly approval_id: string;
  readonly decision: 'allowed' | 'denied' | 'expired' | 'unavailable';
  /** Absent where nobody decided. */
  readonly by?: string;
  readonly scope?: string;
  readonly waited_ms: number;
}

export function approvalDecided(facts: ApprovalDecidedFacts): TraceEvent {
  return event('approval-decided', facts);
}

export function workflowAnnotation(type: string, data: JsonObject): TraceEvent {
  return event('workflow-annotation', { annotation_type: type, data, provenance: 'workflow' });
}

export interface LimitFacts {
  readonly reason: string;
  readonly environment?: 'workflow' | 'mission';
  readonly mission_name?: string;
  /** Of the capability, and of the model, that met the limit. */
  readonly name?: string;
  readonly alias?: string;
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
  /** Which bound ended the run, where a bound did (evidence.md §3). */
  readonly limit?: string;
  readonly limit_value?: number;
  readonly limit_reason?: string;
  readonly limit_bindings?: readonly string[];
  readonly alias?: string;
  readonly agent_turns?: number;
  readonly constraint?: string;
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
