import type { JsonObject, JsonValue } from '../../../../contract/json/value.ts';
import { answer, type Answer } from '../answer.ts';
import type { RecordEntry } from '../capture/record-entry.ts';
import { identity, readPayload, type RunEvidence } from '../evidence/run-evidence.ts';
import { members } from '../members.ts';
import { errorRelationships } from '../relationships/of-errors.ts';
import { asks, matchesOf, type PrivateCollection } from './collection.ts';
import type { EvidenceIndex } from '../evidence/evidence-index.ts';

type Related = (evidence: RunEvidence, entry: RecordEntry, payload: JsonObject) => readonly JsonValue[];

function collection(
  name: string,
  of: (index: EvidenceIndex) => readonly RecordEntry[],
  related: Related | null,
): PrivateCollection {
  return {
    name,
    authority: 'private',
    filters: { evaluation_id: 'text' },
    order: 'sequence',
    identifiers: ['evaluation_id'],
    completeness: null,
    standardLimit: 100,
    count: (index) => of(index).length,
    select: (evidence, filters) => {
      const found = of(evidence.index).filter(({ evaluationId }) => asks(filters, 'evaluation_id', evaluationId));
      return answer({ matches: matchesOf(found, (entry) => readItem(evidence, entry, related)) });
    },
  };
}

async function readItem(
  evidence: RunEvidence,
  entry: RecordEntry,
  related: Related | null,
): Promise<Answer<JsonObject>> {
  const payload = await readPayload(evidence, entry);
  if (!payload.ok) return payload;
  return answer(
    members({
      ...Object.fromEntries(payload.value),
      ...identity(evidence),
      evaluation_id: entry.evaluationId ?? undefined,
      sequence: entry.sequence,
      timestamp: entry.timestamp,
      relationships: related?.(evidence, entry, payload.value),
    }),
  );
}

/** What the workflow printed. */
export const executionPrints = collection('execution_prints', ({ prints }) => prints, null);
/** Why it failed, and where that leads. */
export const executionErrors = collection('execution_errors', ({ errors }) => errors, errorRelationships);
/** What it gave to `fail`. */
export const explicitFailureValues = collection('explicit_failure_values', ({ failureValues }) => failureValues, null);
