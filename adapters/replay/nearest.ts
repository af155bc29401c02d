import { canonicalJson } from '../../contract/json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import type { RecordedRequest } from './requests.ts';

/** The first place in which a request differs from the recorded one that is nearest to it. */
export interface NearestRequest {
  readonly requestHash: string;
  /** `messages[1].content`; empty for the whole request. */
  readonly place: string;
  /** Both sides, each cut to 80 characters around where they part; null where a side has nothing. */
  readonly asked: string | null;
  readonly recorded: string | null;
}

/** Characters of a side that are shown, and of those before the first difference. */
const SHOWN_LENGTH = 80;
const LEAD_LENGTH = 20;

interface Comparison {
  readonly recorded: RecordedRequest;
  readonly differences: number;
  /** Characters that both have in common at the first difference: of two as near, the one that says more. */
  readonly common: number;
  readonly first: Difference;
}

interface Difference {
  readonly path: readonly (string | number)[];
  readonly asked: JsonValue | undefined;
  readonly recorded: JsonValue | undefined;
}

/**
 * Looks for the recorded request that differs in the fewest places, request by request: `compare` takes each in turn,
 * and `nearest` reports the best so far. Null where nothing was compared.
 */
export function nearestTo(request: JsonObject): {
  compare(recorded: RecordedRequest): void;
  nearest(): NearestRequest | null;
} {
  let best: Comparison | null = null;
  return {
    compare: (recorded) => {
      const found = differencesOf(request, recorded.request);
      const [first] = found;
      if (first === undefined) return;
      const compared: Comparison = {
        recorded,
        differences: found.length,
        common: commonLength(textOf(first.asked), textOf(first.recorded)),
        first,
      };
      if (
        best === null ||
        compared.differences < best.differences ||
        (compared.differences === best.differences && compared.common > best.common)
      )
        best = compared;
    },
    nearest: () => (best === null ? null : describeNearest(best)),
  };
}

function describeNearest({ recorded, first, common }: Comparison): NearestRequest {
  const side = (value: JsonValue | undefined): string | null =>
    value === undefined ? null : excerpt(textOf(value), common);
  return {
    requestHash: recorded.requestHash,
    place: placeOf(first.path),
    asked: side(first.asked),
    recorded: side(first.recorded),
  };
}

/** From a little before where two texts part, so that both show it. */
function excerpt(text: string, common: number): string {
  const start =
    text.length <= SHOWN_LENGTH ? 0 : Math.max(0, Math.min(common - LEAD_LENGTH, text.length - SHOWN_LENGTH));
  return text.slice(start, start + SHOWN_LENGTH).toWellFormed();
}

/** Every place in which two values differ, in the order of the canonical form; a missing member counts once. */
function differencesOf(request: JsonValue, recorded: JsonValue): readonly Difference[] {
  const found: Difference[] = [];
  // Iterative, since a request nests as deep as it likes.
  const waiting: Difference[] = [{ path: [], asked: request, recorded }];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const members = memberPairs(pair);
    if (members === null) {
      if (textOf(pair.asked) !== textOf(pair.recorded)) found.push(pair);
    } else {
      waiting.push(...members.toReversed());
    }
  }
  return found;
}

/** The members of two objects or of two arrays; null for anything else. */
function memberPairs({ path, asked, recorded }: Difference): readonly Difference[] | null {
  if (isJsonObject(asked) && isJsonObject(recorded)) {
    const keys = [...new Set([...asked.keys(), ...recorded.keys()])].toSorted(compareUtf8);
    return keys.map((key) => ({ path: [...path, key], asked: asked.get(key), recorded: recorded.get(key) }));
  }
  if (isJsonArray(asked) && isJsonArray(recorded)) {
    return Array.from({ length: Math.max(asked.length, recorded.length) }, (_, index) => ({
      path: [...path, index],
      asked: asked[index],
      recorded: recorded[index],
    }));
  }
  return null;
}

function commonLength(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

/** A text as it is, anything else as JSON. */
function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : canonicalJson(value);
}

const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$-]{0,63}$/;

function placeOf(path: readonly (string | number)[]): string {
  return path.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${String(step)}]`;
    const key = PLAIN_KEY.test(step) ? step : JSON.stringify(step.slice(0, SHOWN_LENGTH));
    return place === '' ? key : `${place}.${key}`;
  }, '');
}
