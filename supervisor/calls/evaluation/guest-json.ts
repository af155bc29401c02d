import { readJsonText, type JsonReading } from '../../../contract/json/parse.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';

/** Levels of a value that leaves: those of plain data (contract/json/plain.ts, 512) less the envelope around it. */
export const VALUE_DEPTH = 500;

export type GuestValue = { readonly value: JsonValue } | null;

/**
 * Null for text that is no JSON, or nested too deep to be published. The caller bounds its length; a long one is read
 * in several turns of the event loop.
 */
export function decodeGuestJson(json: string, depth: number = VALUE_DEPTH): GuestValue | Promise<GuestValue> {
  const unbounded = Number.MAX_SAFE_INTEGER;
  const reading = readJsonText(json, { bytes: unbounded, depth, nodes: unbounded }, EVENT_LOOP_PACE);
  return reading instanceof Promise ? reading.then(valueIn) : valueIn(reading);
}

function valueIn(read: JsonReading): GuestValue {
  return read.ok ? { value: read.value } : null;
}
