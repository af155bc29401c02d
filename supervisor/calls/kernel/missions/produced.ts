import { SerializedJson } from '../../../../contract/json/serialized.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../../system/event-loop-pace.ts';

/**
 * Evaluation records that a workflow was given, by digest: one for each granted evaluation, so that
 * `subordinate_evaluations` bounds them and none is ever forgotten.
 */
export interface ProducedRecords {
  remember(evaluationId: string, record: JsonObject): Promise<void>;
  /**
   * The evaluation whose record a value is, as the library gives it or in the envelope of its call; null for all else.
   */
  producerOf(value: JsonValue): Promise<string | null>;
}

export function producedRecords(): ProducedRecords {
  const digests = new Map<string, string>();
  return {
    remember: async (evaluationId, record) => {
      digests.set(evaluationId, await SerializedJson.of(record).digest(EVENT_LOOP_PACE));
    },
    producerOf: async (value) => {
      const record = recordIn(value);
      const evaluationId = record?.get('evaluation_id');
      if (record === null || typeof evaluationId !== 'string') return null;
      return digests.get(evaluationId) === (await SerializedJson.of(record).digest(EVENT_LOOP_PACE))
        ? evaluationId
        : null;
    },
  };
}

function recordIn(value: JsonValue): JsonObject | null {
  if (!isJsonObject(value)) return null;
  const inner = value.get('value');
  const isEnvelope = value.size === 2 && value.get('status') === 'ok' && inner !== undefined && isJsonObject(inner);
  return isEnvelope ? inner : value;
}
