import type { Done, Sliced } from '../json/sliced.ts';
import {
  isJsonArray,
  isJsonFloat,
  isJsonInteger,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../json/value.ts';
import { SCRUBBED, type Scrubber } from './scrubber.ts';

/**
 * The same value where it holds no credential. A number whose digits are one becomes the mark; so do keys. A unit of
 * the work is an item, a key, or a unit of text; the digits of one number are passed whole.
 */
export function slicedScrub(scrubber: Scrubber, value: JsonValue): Sliced<JsonValue> {
  return scrubber.isEmpty ? { advance: () => ({ result: value }) } : new ValueScrubbing(scrubber, value);
}

interface ItemLevel {
  readonly kind: 'items';
  readonly input: JsonArray;
  readonly items: JsonValue[];
  isSame: boolean;
}

/** Its keys are scrubbed as its values are, each before its own. */
interface MemberLevel {
  readonly kind: 'members';
  readonly input: JsonObject;
  readonly entries: Iterator<readonly [string, JsonValue]>;
  /** The member that is being scrubbed. */
  entry: readonly [string, JsonValue];
  /** What became of keys and values, in turn. */
  readonly scrubbed: JsonValue[];
  isSame: boolean;
  /** Made where something changed, of so many of `scrubbed`. */
  members: Map<string, JsonValue> | null;
  filled: number;
}

type Level = ItemLevel | MemberLevel;

/** A text that is too long for what is left of a slice. */
interface LongText {
  readonly work: Sliced<string>;
  /** Units of it that are left. */
  rest: number;
}

class ValueScrubbing implements Sliced<JsonValue> {
  readonly #scrubber: Scrubber;
  readonly #levels: Level[] = [];
  #text: LongText | null = null;
  /** What is scrubbed next; null while the levels say it. */
  #first: { readonly value: JsonValue } | null;
  /** Units of the slice that are left. */
  #left = 0;

  constructor(scrubber: Scrubber, value: JsonValue) {
    this.#scrubber = scrubber;
    this.#first = { value };
  }

  advance(units: number): Done<JsonValue> | null {
    this.#left = units;
    while (this.#left > 0) {
      const scrubbed = this.#text === null ? this.#scrubNext() : this.#resumeText(this.#text);
      if (scrubbed !== undefined) {
        const top = this.#levels.at(-1);
        if (top === undefined) return { result: scrubbed };
        put(top, scrubbed);
      }
    }
    return null;
  }

  /** A whole value or key; undefined where there is more of it. */
  #scrubNext(): JsonValue | undefined {
    this.#left -= 1;
    const top = this.#levels.at(-1);
    const next = top === undefined ? this.#first?.value : nextOf(top);
    this.#first = null;
    if (next !== undefined) return this.#begin(next);
    return top === undefined ? undefined : this.#end(top);
  }

  /** What became of a container; undefined while it is not whole. */
  #end(level: Level): JsonValue | undefined {
    if (level.kind === 'members' && !level.isSame) this.#left -= fillMembers(level, this.#left + 1);
    if (level.kind === 'members' && !level.isSame && level.filled < level.scrubbed.length) return undefined;
    this.#levels.pop();
    if (level.isSame) return level.input;
    return level.kind === 'items' ? level.items : (level.members ?? level.input);
  }

  #begin(value: JsonValue): JsonValue | undefined {
    if (typeof value === 'string') {
      if (value.length <= this.#left) {
        this.#left -= value.length;
        return this.#scrubber.text(value);
      }
      this.#text = { work: this.#scrubber.slicedText(value), rest: value.length };
      return undefined;
    }
    if (isJsonInteger(value) || isJsonFloat(value)) {
      const digits = String(isJsonFloat(value) ? value.value : value);
      this.#left -= digits.length;
      return this.#scrubber.text(digits) === digits ? value : SCRUBBED;
    }
    if (isJsonArray(value)) {
      this.#levels.push({ kind: 'items', input: value, items: [], isSame: true });
      return undefined;
    }
    if (isJsonObject(value)) {
      this.#levels.push({
        kind: 'members',
        input: value,
        entries: value.entries(),
        entry: NONE,
        scrubbed: [],
        isSame: true,
        members: null,
        filled: 0,
      });
      return undefined;
    }
    return value;
  }

  #resumeText(text: LongText): string | undefined {
    const units = Math.min(this.#left, text.rest);
    const done = text.work.advance(units);
    this.#left -= units;
    text.rest -= units;
    if (done === null) return undefined;
    this.#text = null;
    return done.result;
  }
}

/** Before the first member. */
const NONE = ['', null] as const;

/** The next item, key or value; undefined at the end. */
function nextOf(level: Level): JsonValue | undefined {
  if (level.kind === 'items') return level.input[level.items.length];
  if (level.scrubbed.length % 2 === 1) return level.entry[1];
  if (level.filled > 0) return undefined;
  const next = level.entries.next();
  if (next.done === true) return undefined;
  level.entry = next.value;
  return next.value[0];
}

function put(level: Level, scrubbed: JsonValue): void {
  if (level.kind === 'items') {
    level.isSame &&= scrubbed === level.input[level.items.length];
    level.items.push(scrubbed);
    return;
  }
  level.isSame &&= scrubbed === level.entry[level.scrubbed.length % 2 === 0 ? 0 : 1];
  level.scrubbed.push(scrubbed);
}

/** How many members were put in their place: `units` or fewer. */
function fillMembers(level: MemberLevel, units: number): number {
  const { scrubbed } = level;
  const from = level.filled;
  const members = (level.members ??= new Map<string, JsonValue>());
  while (level.filled < scrubbed.length && level.filled - from < 2 * units) {
    const [key, value] = [scrubbed[level.filled], scrubbed[level.filled + 1]];
    if (typeof key === 'string' && value !== undefined) members.set(key, value);
    level.filled += 2;
  }
  return (level.filled - from) / 2;
}
