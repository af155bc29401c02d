import { createHash } from 'node:crypto';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject } from '../../../contract/json/value.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { InspectionRecord } from './writer.ts';

/** Prints of a workflow that are kept (runtime.md §9, fixed). */
const PRINTS = 128;
const PRINT_BYTES = 65_536;

/** One component's exact source; `mission` is null for the workflow's. */
export function preludeSource(component: { readonly id: string; readonly source: string }, mission: string | null): InspectionRecord {
  return record('prelude-source', { component_id: component.id }, {
    environment: mission === null ? 'workflow' : 'mission',
    ...(mission === null ? {} : { mission_name: mission }),
    source: component.source,
    source_hash: createHash('sha256').update(component.source).digest('hex'),
    source_bytes: Buffer.byteLength(component.source),
  });
}

/** What the workflow printed, as far as it is kept. */
export function executionPrints(evaluationId: string, prints: readonly string[]): InspectionRecord {
  const kept: string[] = [];
  let bytes = 0;
  for (const print of prints.slice(0, PRINTS)) {
    bytes += Buffer.byteLength(print);
    if (bytes > PRINT_BYTES) break;
    kept.push(print.toWellFormed());
  }
  return record('execution-prints', { evaluation_id: evaluationId }, { environment: 'workflow', prints: kept, truncated: kept.length < prints.length });
}

export interface ExecutionError {
  readonly kind: string;
  readonly reason: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** The evaluation whose record the failed value is; null or absent: none. */
  readonly producer?: string | null;
}

/** Why the workflow failed, in full. Facts without a JSON form are left out. */
export function executionError(evaluationId: string, error: ExecutionError): InspectionRecord {
  const details = Object.entries(error.details).map(([name, value]) => [name, jsonFromPlain(value)] as const);
  const known = details.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return record('execution-error', { evaluation_id: evaluationId }, {
    environment: 'workflow',
    kind: error.kind,
    reason: error.reason,
    details: new Map(known),
    ...boundaryProducer(error),
  });
}

/** The run forgets no evaluation (kernel/missions/produced.ts), so what is known of them is complete. */
function boundaryProducer({ producer = null }: ExecutionError): Readonly<Record<string, JsonValue>> {
  if (producer === null) return {};
  return { boundary_producer: new Map<string, JsonValue>([['evaluation_ids', [producer]], ['complete?', true]]) };
}

export function explicitFailureValue(evaluationId: string, value: JsonValue): InspectionRecord {
  return record('explicit-failure-value', { evaluation_id: evaluationId }, { environment: 'workflow', value });
}

/** Whose call it is: null is the workflow. */
interface Call {
  readonly capabilityId: string;
  readonly mission: string | null;
  readonly name: string;
}

/** What a program asks, before its provider sees it. `requestHash`: replay key of a model request. */
export function capabilityInput(call: Call, given: JsonObject, requestHash: string | null): InspectionRecord {
  return callRecord('capability-input', call, { arguments: given, ...(requestHash === null ? {} : { request_hash: requestHash }) });
}

export interface ThrownFacts {
  readonly exceptionClass: string;
  readonly message: string;
  readonly isMessageTruncated: boolean;
  readonly frames: readonly string[];
  readonly isStackTruncated: boolean;
}

export function capabilityException(call: Call, thrown: ThrownFacts): InspectionRecord {
  return callRecord('capability-exception', call, {
    exception_class: thrown.exceptionClass,
    message: thrown.message,
    message_truncated: thrown.isMessageTruncated,
    stacktrace: thrown.frames,
    stacktrace_truncated: thrown.isStackTruncated,
  });
}

/** What the program sees. */
export function capabilityOutput(call: Call, result: JsonValue): InspectionRecord {
  return callRecord('capability-output', call, { result });
}

function callRecord(type: string, { capabilityId, mission, name }: Call, payload: Readonly<Record<string, JsonValue>>): InspectionRecord {
  return record(type, { capability_id: capabilityId }, {
    environment: mission === null ? 'workflow' : 'mission',
    ...(mission === null ? {} : { mission_name: mission }),
    name,
    ...payload,
  });
}

/** `hash`: DIGEST of the value's canonical JSON, the same as in `run-stopped`. */
export function runResult(hash: string, value: JsonValue): InspectionRecord {
  return record('run-result', {}, { result_hash: hash, value });
}

function record(type: string, correlation: Readonly<Record<string, JsonValue>>, payload: Readonly<Record<string, JsonValue>>): InspectionRecord {
  return { type, correlation: object(correlation), payload: object(payload) };
}

function object(members: Readonly<Record<string, JsonValue>>): JsonObject {
  const value = jsonFromPlain(members);
  if (value === undefined || !isJsonObject(value)) throw new TypeError('an inspection record holds JSON values only');
  return value;
}
