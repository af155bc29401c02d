import { isJsonArray, type JsonObject } from '../../../../contract/json/value.ts';
import type { RunEvidence } from '../evidence/run-evidence.ts';
import type { RecordEntry } from '../capture/record-entry.ts';
import { objectOf } from '../members.ts';
import { relationship, type RelationshipState } from './relationship.ts';

/** Where the error of a workflow leads (evidence.md §7, "Relationships"). Nesting is never reported as causation. */
export function errorRelationships(
  { run, index }: RunEvidence,
  { evaluationId }: RecordEntry,
  payload: JsonObject,
): readonly JsonObject[] {
  const id = evaluationId ?? '';
  const status = run.evaluationEnds.get(id);
  const boundary: RelationshipState = boundaryState(status, run.isComplete);
  const producers = producersOf(payload);
  const isChild = (producer: string): boolean =>
    run.evaluations.get(producer)?.parent === id &&
    ['returned', 'continued'].includes(run.evaluationEnds.get(producer) ?? '');
  const candidates = boundary === 'unavailable' ? [] : (producers?.ids ?? []).filter(isChild);
  const state = producerState(boundary, producers, candidates);
  return [
    relationship({
      rel: 'boundary_failure',
      semantics: 'causation',
      target: 'activity',
      filters: boundary === 'unavailable' ? null : { evaluation_id: id, status: 'error' },
      state: boundary,
    }),
    relationship({
      rel: 'child_evaluations',
      semantics: 'nesting',
      target: 'activity',
      filters: { parent_evaluation_id: id },
      state: run.isComplete ? 'complete' : 'incomplete',
    }),
    ...(candidates.length === 0
      ? [
          relationship({
            rel: 'direct_boundary_producer',
            semantics: 'causation',
            target: 'activity',
            filters: null,
            state,
          }),
        ]
      : candidates.map((producer) =>
          relationship({
            rel: 'direct_boundary_producer',
            semantics: 'causation',
            target: 'activity',
            filters: { evaluation_id: producer, status: run.evaluationEnds.get(producer) },
            state,
          }),
        )),
    ...candidates.map((producer) => {
      const count = index.sources.filter((source) => source.evaluationId === producer).length;
      const found = count === 0 ? 'unavailable' : 'ambiguous';
      return relationship({
        rel: 'generated_source',
        semantics: 'association',
        target: 'generated_sources',
        filters: count === 0 ? null : { evaluation_id: producer },
        state: count === 1 ? state : found,
      });
    }),
  ];
}

function boundaryState(status: string | undefined, isComplete: boolean): RelationshipState {
  if (status === 'error') return isComplete ? 'complete' : 'incomplete';
  return status !== undefined || isComplete ? 'unavailable' : 'incomplete';
}

interface Producers {
  readonly ids: readonly string[];
  readonly isComplete: boolean;
}

/** Null where the record reports none of them. */
function producersOf(payload: JsonObject): Producers | null {
  const producer = objectOf(payload, 'boundary_producer');
  const ids = producer?.get('evaluation_ids');
  return isJsonArray(ids)
    ? { ids: ids.filter((id) => typeof id === 'string'), isComplete: producer?.get('complete?') === true }
    : null;
}

function producerState(
  boundary: RelationshipState,
  producers: Producers | null,
  candidates: readonly string[],
): RelationshipState {
  if (boundary === 'unavailable') return 'unavailable';
  if (boundary !== 'complete' || producers?.isComplete !== true) return 'incomplete';
  if (candidates.length > 1) return 'ambiguous';
  return candidates.length === 1 ? 'complete' : 'unavailable';
}
