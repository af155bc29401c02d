import type { JsonObject } from '../../../../contract/json/value.ts';
import { componentIds, dependenciesAt } from '../capture/correlate.ts';
import type { RecordEntry } from '../capture/record-entry.ts';
import { preludeOf } from '../capture/run.ts';
import type { RunEvidence } from '../evidence/run-evidence.ts';
import type { SourceRecords } from '../evidence/evidence-index.ts';
import type { TurnProjection } from '../turns/turns.ts';
import { relationship, type RelationshipState } from './relationship.ts';

/** Which answer of a model a program came from. */
export function producingTurn(evaluationId: string, { associations, evidence }: TurnProjection): JsonObject {
  const association = associations.get(evaluationId);
  const none: RelationshipState = evidence.isComplete ? 'unavailable' : 'incomplete';
  const found: RelationshipState = association?.isExact === true ? 'complete' : 'ambiguous';
  const state = association === undefined ? none : found;
  return relationship({
    rel: 'producing_turn',
    semantics: 'association',
    target: 'turns',
    filters: association === undefined ? null : { evaluation_id: evaluationId },
    state,
  });
}

/** Components whose functions a program calls, each once. */
export function referencedPreludes(evidence: RunEvidence, { source, calls }: SourceRecords): readonly JsonObject[] {
  const rel = 'referenced_prelude_source';
  if (calls === null)
    return [
      relationship({ rel, semantics: 'association', target: 'prelude_sources', filters: null, state: 'incomplete' }),
    ];
  return [...new Set(calls.map(({ component }) => component))].map((component) =>
    preludeRelationship(evidence, source, { rel, semantics: 'association', component }),
  );
}

/** Components that one depends on directly. */
export function dependencyPreludes(evidence: RunEvidence, entry: RecordEntry): readonly JsonObject[] {
  const rel = 'dependency_prelude_source';
  const prelude = preludeOf(evidence.run, entry.mission);
  const position = componentIds(prelude).indexOf(entry.componentId ?? '');
  if (position === -1)
    return [
      relationship({ rel, semantics: 'dependency', target: 'prelude_sources', filters: null, state: 'incomplete' }),
    ];
  return dependenciesAt(prelude, position).map((component) =>
    preludeRelationship(evidence, entry, { rel, semantics: 'dependency', component }),
  );
}

interface Named {
  readonly rel: string;
  readonly semantics: 'association' | 'dependency';
  readonly component: string;
}

function preludeRelationship(
  { index }: RunEvidence,
  { environment, mission }: RecordEntry,
  { rel, semantics, component }: Named,
): JsonObject {
  const count = index.preludes.filter(
    (entry) => entry.componentId === component && entry.environment === environment && entry.mission === mission,
  ).length;
  const several: RelationshipState = count > 1 ? 'ambiguous' : 'unavailable';
  const filters = { component_id: component, environment, mission_name: mission ?? undefined };
  return relationship({
    rel,
    semantics,
    target: 'prelude_sources',
    filters: count === 0 ? null : filters,
    state: count === 1 ? 'complete' : several,
  });
}
