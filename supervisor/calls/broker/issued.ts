import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { SerializedJson } from '../../../contract/json/serialized.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import type { IssuedRefusal } from './run-ending.ts';

/** Refusals that this run gave a program, by their exact envelope (runtime.md §7). */
export interface IssuedRefusals {
  remember(envelope: SerializedJson<JsonObject>, refusal: IssuedRefusal): void;
  /** `json` is canonical JSON. */
  find(json: string): IssuedRefusal | null;
}

/** A loop of refused calls cannot fill the memory: the oldest are forgotten. */
const REMEMBERED = 1024;

export function issuedRefusals(): IssuedRefusals {
  const known = new Map<string, IssuedRefusal>();
  return {
    remember: (envelope, refusal) => {
      const written = envelope.text(EVENT_LOOP_PACE);
      // None is large enough to be written in several turns.
      const text = typeof written === 'string' ? written : canonicalJson(envelope.value);
      known.delete(text);
      known.set(text, refusal);
      const [oldest] = known.size > REMEMBERED ? known.keys() : [];
      if (oldest !== undefined) known.delete(oldest);
    },
    find: (json) => known.get(json) ?? null,
  };
}
