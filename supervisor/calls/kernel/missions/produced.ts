import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';

/**
 * Evaluation records that a workflow was given, by digest: one for each granted evaluation, so that
 * `subordinate_evaluations` bounds them and none is ever forgotten.
 */
export interface ProducedRecords {
  remember(evaluationId: string, record: JsonObject): void;
  /**
   * The evaluation whose record a value is, as the library gives it or in the envelope of its call; null for all else.
   */
  producerOf(value: JsonValue): string | null;
}

export function producedRecords(): ProducedRecords {
  const digests = new Map<string, string>();
  return {
    remember: (evaluationId, record) => void digests.set(evaluationId, digestOf(record)),
    producerOf: (value) => {
      const record = recordIn(value);
      const evaluationId = record?.get('evaluation_id');
      if (record === null || typeof evaluationId !== 'string') return null;
      return digests.get(evaluationId) === digestOf(record) ? evaluationId : null;
    },
  };
}

function recordIn(value: JsonValue): JsonObject | null {
  if (!isJsonObject(value)) return null;
  const inner = value.get('value');
  const isEnvelope = value.size === 2 && value.get('status') === 'ok' && inner !== undefined && isJsonObject(inner);
  return isEnvelope ? inner : value;
}

function digestOf(record: JsonObject): string {
  return createHash('sha256').update(canonicalJson(record)).digest('hex');
}
