import { SerializedJson } from '../../../../contract/json/serialized.ts';
import type { JsonObject, JsonValue } from '../../../../contract/json/value.ts';
import type { PreludeCall } from '../../../../contract/sandbox-protocol.ts';
import type { TraceEvent } from '../../../evidence/event.ts';
import type { InspectionRecord } from '../../../evidence/inspection/writer.ts';
import type { StoredContinuation } from '../continuations/store.ts';
import type { ProgramSource } from './program.ts';

/** One evaluation of a mission, as trace and inspection know it (evidence.md §3). */
export interface EvaluationName {
  readonly evaluationId: string;
  readonly mission: string;
  /** The evaluation of the workflow that asked for it; null: a person did. */
  readonly parent: string | null;
}

const PROGRAM_KIND = 'svc-lisp';

export function evaluationStarted(name: EvaluationName, source: ProgramSource): TraceEvent {
  return {
    type: 'evaluation-started',
    data: new Map<string, JsonValue>([
      ...ownerMembers(name),
      ['program_kind', PROGRAM_KIND],
      ['source_hash', source.hash],
      ['source_bytes', source.bytes],
    ]),
  };
}

export interface EvaluationEnd {
  readonly status: string;
  readonly durationMs: number;
  readonly stored: Pick<StoredContinuation, 'continuation'>;
}

export function evaluationStopped(name: EvaluationName, { status, durationMs, stored }: EvaluationEnd): TraceEvent {
  return {
    type: 'evaluation-stopped',
    data: new Map<string, JsonValue>([
      ...ownerMembers(name),
      ['status', status],
      ['duration_ms', durationMs],
      ['continuation', continuationFacts(stored)],
    ]),
  };
}

/** A bound that ended an evaluation of a mission, or refused it. */
export interface MissionLimit {
  readonly reason: string;
  readonly limit: string;
  readonly value: number;
  readonly unit: 'ms' | 'count';
}

export function missionLimitExceeded(mission: string, { reason, limit, value, unit }: MissionLimit): TraceEvent {
  const bound: [string, JsonValue] = [unit === 'ms' ? 'limit_ms' : 'limit_value', value];
  return {
    type: 'limit-exceeded',
    data: new Map<string, JsonValue>([
      ['reason', reason],
      ['environment', 'mission'],
      ['mission_name', mission],
      ['limit', limit],
      bound,
    ]),
  };
}

export function evaluationSource(name: EvaluationName, source: ProgramSource): InspectionRecord {
  return {
    type: 'evaluation-source',
    correlation: correlationOf(name),
    payload: SerializedJson.object([
      ...environmentMembers(name),
      ['program_kind', PROGRAM_KIND],
      ['source', source.text],
      ['source_hash', source.hash],
      ['source_bytes', source.bytes],
    ]),
  };
}

export function evaluationAnalysis(name: EvaluationName, calls: readonly PreludeCall[]): InspectionRecord {
  const listed = calls.map(
    ({ ref, component_id }) =>
      new Map<string, JsonValue>([
        ['ref', ref],
        ['component_id', component_id],
      ]),
  );
  return {
    type: 'evaluation-analysis',
    correlation: correlationOf(name),
    payload: SerializedJson.object([...environmentMembers(name), ['prelude_calls', listed]]),
  };
}

function environmentMembers({ mission }: EvaluationName): [string, JsonValue][] {
  return [
    ['environment', 'mission'],
    ['mission_name', mission],
  ];
}

function ownerMembers(name: EvaluationName): [string, JsonValue][] {
  return [
    ['evaluation_id', name.evaluationId],
    ...environmentMembers(name),
    ...(name.parent === null ? [] : [['parent_evaluation_id', name.parent] satisfies [string, JsonValue]]),
  ];
}

function correlationOf({ evaluationId }: EvaluationName): JsonObject {
  return new Map([['evaluation_id', evaluationId]]);
}

function continuationFacts({ continuation }: Pick<StoredContinuation, 'continuation'>): JsonObject {
  const { memoryBytes, historyBytes, definedCount, history } = continuation ?? {
    memoryBytes: 0,
    historyBytes: 0,
    definedCount: 0,
    history: [],
  };
  return new Map<string, JsonValue>([
    ['bytes', memoryBytes + historyBytes],
    ['defined_count', definedCount],
    ['history_bytes', historyBytes],
    ['history_count', history.length],
    ['memory_bytes', memoryBytes],
  ]);
}
