import type { JsonObject } from '../../../contract/json/value.ts';
import { answer, type Answer } from './answer.ts';
import type { CapturedRun } from './capture/run.ts';
import { COLLECTIONS } from './collections/all.ts';
import type { Collection } from './collections/collection.ts';
import { readPayload, type RunEvidence } from './evidence/run-evidence.ts';
import { members } from './members.ts';
import { fullRun } from './queries/run-view.ts';

/** One run, what is known of it beside its trace, and what can be read of it (evidence.md §7, open). */
export async function openAnalysedRun(
  run: CapturedRun,
  evidence: RunEvidence | null,
  snapshotHash: string,
): Promise<Answer<JsonObject>> {
  const result = await readResult(run, evidence);
  if (!result.ok) return result;
  return answer(
    members({
      run: fullRun(run),
      inspection: evidence === null ? members({ 'available?': false }) : inspectionFacts(evidence),
      result: result.value,
      collections: COLLECTIONS.map((collection) => catalogueEntry(collection, run, evidence)),
      snapshot_hash: snapshotHash,
    }),
  );
}

async function readResult({ stopped }: CapturedRun, evidence: RunEvidence | null): Promise<Answer<JsonObject>> {
  const hash = stopped?.get('result_hash');
  const record = evidence?.index.result ?? null;
  if (evidence === null || record === null) return answer(members({ 'available?': false, result_hash: hash }));
  const payload = await readPayload(evidence, record);
  return payload.ok
    ? answer(members({ 'available?': true, result_hash: hash, value: payload.value.get('value') }))
    : payload;
}

function inspectionFacts({ inspection, index }: RunEvidence): JsonObject {
  const { entries, schemaVersion } = inspection;
  const incomplete = (calls: RunEvidence['index']['calls']): number =>
    calls.filter(({ output }) => output === null).length;
  return members({
    'available?': true,
    schema_version: schemaVersion,
    record_count: entries.length,
    first_timestamp: entries[0]?.timestamp ?? null,
    last_timestamp: entries.at(-1)?.timestamp ?? null,
    counts: members({
      model_exchanges: index.models.length,
      capability_calls: index.calls.length,
      incomplete_model_exchanges: incomplete(index.models),
      incomplete_capability_calls: incomplete(index.calls),
      capability_exceptions: entries.filter(({ type }) => type === 'capability-exception').length,
      generated_sources: index.sources.length,
      evaluation_analyses: index.analyses,
      effective_preludes: index.preludes.length,
      provider_exchanges: index.exchanges.length,
      execution_prints: index.prints.length,
      execution_errors: index.errors.length,
    }),
  });
}

function catalogueEntry(collection: Collection, run: CapturedRun, evidence: RunEvidence | null): JsonObject {
  const { name, authority, filters, order, identifiers, completeness } = collection;
  const isPrivate = collection.authority === 'private';
  const privateCount = isPrivate && evidence !== null ? (collection.count(evidence.index) ?? undefined) : undefined;
  const domain = isPrivate ? 'inspection' : 'trace';
  return members({
    name,
    authority,
    'available?': !isPrivate || evidence !== null,
    filters: Object.keys(filters),
    order,
    snapshot_domain: domain,
    sequence_domain: domain,
    identifier_locations: identifiers,
    item_completeness_field: completeness ?? undefined,
    item_count: isPrivate ? privateCount : run.events.length,
    ...(isPrivate ? collection.described : {}),
  });
}
