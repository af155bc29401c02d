import type { JsonObject } from '../../../../contract/json/value.ts';
import type { Showing, ShownGeneratedSource, ShownPreludeSource } from '../../../../contract/viewer-answers.ts';
import { answer, type Answer } from '../answer.ts';
import type { RecordEntry } from '../capture/record-entry.ts';
import { identity, readPayload, type RunEvidence } from '../evidence/run-evidence.ts';
import { members } from '../members.ts';
import { dependencyPreludes, producingTurn, referencedPreludes } from '../relationships/of-sources.ts';
import { readTurns } from '../turns/turns.ts';
import { asks, matchesOf, type Filters, type PrivateCollection } from './collection.ts';
import type { SourceRecords } from '../evidence/evidence-index.ts';

/** Programs that missions evaluated. */
export const generatedSources: PrivateCollection = {
  name: 'generated_sources',
  authority: 'private',
  filters: {
    evaluation_id: 'text',
    parent_evaluation_id: 'text',
    mission_name: 'text',
    prelude_call: 'text',
    prelude_component: 'text',
  },
  order: 'sequence',
  identifiers: ['evaluation_id', 'parent_evaluation_id', 'mission_name', 'prelude_calls[].component_id'],
  completeness: null,
  standardLimit: 100,
  count: ({ sources }) => sources.length,
  select: (evidence, filters) => {
    const found = evidence.index.sources.filter((source) => isSource(evidence, source, filters));
    return answer({ matches: matchesOf(found, (source) => readGeneratedItem(evidence, source)) });
  },
};

/** Components that were in force, by environment. */
export const preludeSources: PrivateCollection = {
  name: 'prelude_sources',
  authority: 'private',
  filters: { component_id: 'text', environment: 'text', mission_name: 'text' },
  order: 'sequence',
  identifiers: ['component_id', 'environment', 'mission_name'],
  completeness: null,
  standardLimit: 100,
  count: ({ preludes }) => preludes.length,
  select: (evidence, filters) => {
    const found = evidence.index.preludes.filter(
      (entry) =>
        asks(filters, 'component_id', entry.componentId) &&
        asks(filters, 'environment', entry.environment) &&
        asks(filters, 'mission_name', entry.mission),
    );
    return answer({ matches: matchesOf(found, (entry) => readPreludeItem(evidence, entry)) });
  },
};

/** Whether a program is what these filters ask for, of those that they may hold of a program. */
export function isSource(
  { run }: RunEvidence,
  { evaluationId, source, calls }: SourceRecords,
  filters: Filters,
): boolean {
  const ref = filters.get('prelude_call');
  const component = filters.get('prelude_component');
  return (
    asks(filters, 'evaluation_id', evaluationId) &&
    asks(filters, 'parent_evaluation_id', run.evaluations.get(evaluationId)?.parent ?? null) &&
    asks(filters, 'mission_name', source.mission) &&
    (ref === undefined || (calls ?? []).some((call) => call.ref === ref)) &&
    (component === undefined || (calls ?? []).some((call) => call.component === component))
  );
}

async function readGeneratedItem(evidence: RunEvidence, records: SourceRecords): Promise<Answer<JsonObject>> {
  const { evaluationId, source, calls } = records;
  const payload = await readPayload(evidence, source);
  if (!payload.ok) return payload;
  const turns = await readTurns(evidence);
  if (!turns.ok) return turns;
  return answer(
    members({
      ...identity(evidence),
      evaluation_id: evaluationId,
      parent_evaluation_id: evidence.run.evaluations.get(evaluationId)?.parent ?? undefined,
      environment: source.environment ?? undefined,
      mission_name: source.mission ?? undefined,
      sequence: source.sequence,
      timestamp: source.timestamp,
      program_kind: payload.value.get('program_kind'),
      source: payload.value.get('source'),
      source_hash: `sha256:${source.sourceHash ?? ''}`,
      source_bytes: source.sourceBytes ?? undefined,
      'prelude_calls_available?': calls !== null,
      prelude_calls: (calls ?? []).map(({ ref, component }) => members({ ref, component_id: component })),
      relationships: [producingTurn(evaluationId, turns.value), ...referencedPreludes(evidence, records)],
    } satisfies Showing<ShownGeneratedSource>),
  );
}

async function readPreludeItem(evidence: RunEvidence, entry: RecordEntry): Promise<Answer<JsonObject>> {
  const payload = await readPayload(evidence, entry);
  if (!payload.ok) return payload;
  return answer(
    members({
      ...identity(evidence),
      component_id: entry.componentId ?? undefined,
      environment: entry.environment ?? undefined,
      mission_name: entry.mission ?? undefined,
      sequence: entry.sequence,
      timestamp: entry.timestamp,
      source: payload.value.get('source'),
      source_hash: `sha256:${entry.sourceHash ?? ''}`,
      source_bytes: entry.sourceBytes ?? undefined,
      relationships: dependencyPreludes(evidence, entry),
    } satisfies Showing<ShownPreludeSource>),
  );
}
