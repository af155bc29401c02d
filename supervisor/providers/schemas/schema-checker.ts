import { jsonFromPlain, plainFromJson } from '../../../contract/json/plain.ts';
import type { SerializedJson } from '../../../contract/json/serialized.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import type { Verdict } from '../../calls/broker/capability.ts';
import type { BoundedSchema } from './bounded-schema.ts';
import type { SchemaThreads } from './schema-threads.ts';

/**
 * Checks values for one tenant: small ones of simple schemas at once, all others in its threads (runtime.md §5 step 4).
 */
export interface SchemaChecker {
  /**
   * `timeoutMs` begin with the call, whatever it has to wait for; then, and where a thread could not say, the verdict
   * is `unavailable`.
   */
  check(schema: BoundedSchema, json: SerializedJson, timeoutMs: number): Promise<Verdict>;
}

export function schemaChecker(threads: SchemaThreads, tenant: string): SchemaChecker {
  return {
    check: async (schema, json, timeoutMs) => {
      const { value } = json;
      if (schema.isAnything) return { status: 'valid' };
      if (schema.check !== null && isSmall(value)) return verdict(schema.check(plainFromJson(value)));
      const text = await json.text(EVENT_LOOP_PACE);
      const answer = await threads.ask(tenant, { key: schema.key, schema: schema.text, value: text }, timeoutMs);
      return Array.isArray(answer) ? verdict(answer) : { status: 'unavailable' };
    },
  };
}

/**
 * Characters and parts of a value that is checked at once: with the largest simple schema a few milliseconds at most.
 */
const SMALL = 1024;

/** Looks at no more of a value than may be small. */
function isSmall(value: JsonValue): boolean {
  let left = SMALL;
  const take = (part: JsonValue): boolean => {
    left -= typeof part === 'string' ? part.length + 1 : 1;
    if (left < 0) return false;
    if (isJsonArray(part)) return part.every(take);
    return !isJsonObject(part) || [...part].every(([key, member]) => (left -= key.length) >= 0 && take(member));
  };
  return take(value);
}

/** Violations are plain data of our own making, whichever thread made them. */
function verdict(violations: readonly unknown[]): Verdict {
  if (violations.length === 0) return { status: 'valid' };
  const reported = violations
    .map((violation) => jsonFromPlain(violation))
    .filter((violation) => violation !== undefined);
  return { status: 'invalid', violations: reported };
}
