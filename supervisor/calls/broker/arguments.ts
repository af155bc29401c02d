import { doPaced } from '../../../contract/json/paced.ts';
import { readJsonText, type JsonReading } from '../../../contract/json/parse.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import { slicedNames, type NamedArguments, type SameProperty } from './argument-names.ts';

/** Levels of arguments; deeper ones no private record could hold (evidence.md §6, nesting 53 with its envelope). */
const ARGUMENT_DEPTH = 50;
/**
 * Of the text that a guest writes: each member has five bytes at least, of which the mark of a keyword takes two more.
 */
const MARKED_BYTES = 7 / 5;

export type NormalisedArguments =
  | { readonly ok: true; readonly input: SerializedJson<JsonObject> }
  | { readonly ok: false; readonly reason: 'argument_exceeded' | 'ambiguous_arguments' | 'invalid_arguments' }
  | { readonly ok: false; readonly reason: 'input_validation_failed'; readonly same: SameProperty };

/**
 * The argument map of a call (runtime.md §5 step 3), with the keys that `schema` gives it; null for a route, which has
 * none. Its size is that of its canonical form. Exactly at the limit passes. Long arguments are read in several turns
 * of the event loop.
 */
export function normaliseArguments(
  text: string,
  limitBytes: number,
  schema: JsonValue | null,
): NormalisedArguments | Promise<NormalisedArguments> {
  const mostBytes = Math.ceil(limitBytes * MARKED_BYTES);
  const bytes = text.length > mostBytes ? text.length : Buffer.byteLength(text);
  if (bytes > mostBytes) return { ok: false, reason: 'argument_exceeded' };
  const argumentBounds: ArgumentBounds = { bytes, limitBytes, schema };
  const reading = readJsonText(
    text,
    {
      bytes: Number.MAX_SAFE_INTEGER,
      depth: ARGUMENT_DEPTH,
      nodes: Number.MAX_SAFE_INTEGER,
    },
    EVENT_LOOP_PACE,
  );
  return reading instanceof Promise
    ? reading.then((read) => namedReading(read, argumentBounds))
    : namedReading(reading, argumentBounds);
}

interface ArgumentBounds {
  readonly bytes: number;
  readonly limitBytes: number;
  readonly schema: JsonValue | null;
}

function namedReading(
  read: JsonReading,
  argumentBounds: ArgumentBounds,
): NormalisedArguments | Promise<NormalisedArguments> {
  if (!read.ok)
    return { ok: false, reason: read.fault.kind === 'duplicate_key' ? 'ambiguous_arguments' : 'invalid_arguments' };
  if (!isJsonObject(read.value)) return { ok: false, reason: 'invalid_arguments' };
  const naming = doPaced(slicedNames(read.value, argumentBounds.schema), EVENT_LOOP_PACE);
  return naming instanceof Promise
    ? naming.then((named) => sizedArguments(named, argumentBounds))
    : sizedArguments(naming, argumentBounds);
}

function sizedArguments(
  named: NamedArguments,
  { bytes, limitBytes }: ArgumentBounds,
): NormalisedArguments | Promise<NormalisedArguments> {
  if (!named.ok)
    return { ok: false, reason: 'input_validation_failed', same: { property: named.property, keys: named.keys } };
  // No name is longer than its keyword: only the marks can have made the text too long.
  const input = SerializedJson.of(named.input);
  if (bytes <= limitBytes) return { ok: true, input };
  const within = (canonical: string): NormalisedArguments =>
    Buffer.byteLength(canonical) <= limitBytes ? { ok: true, input } : { ok: false, reason: 'argument_exceeded' };
  const writing = input.text(EVENT_LOOP_PACE);
  return typeof writing === 'string' ? within(writing) : writing.then(within);
}
