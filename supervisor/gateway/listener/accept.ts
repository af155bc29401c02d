/** Each is tried at one place only: the sender of a field chooses its text, so that it is read in one pass. */
const SPACE = /[ \t]*/y;
const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const TYPE = new RegExp(`(${TOKEN})/(${TOKEN})`, 'y');
const PARAMETER = new RegExp(`(${TOKEN})=(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`, 'y');
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

interface MediaRange {
  readonly type: string;
  readonly subtype: string;
  readonly weight: number;
}

/**
 * Whether the value of an Accept field admits a type at a weight above 0: the most specific range decides; false for
 * one that is malformed.
 */
export function accepts(value: string, type: string, subtype: string): boolean {
  const ranges = readRanges(value);
  if (ranges === null) return false;
  const weights = [
    [type, subtype],
    [type, '*'],
    ['*', '*'],
  ].map(([wantedType, wantedSubtype]) =>
    ranges.filter((range) => range.type === wantedType && range.subtype === wantedSubtype),
  );
  const deciding = weights.find((found) => found.length > 0) ?? [];
  return deciding.some(({ weight }) => weight > 0);
}

/** A field's value, read from its beginning to its end. */
class FieldReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  /** What the pattern, which is sticky, finds here. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  /** Takes the character with the space on both sides; false where another stands here. */
  takeMark(mark: ',' | ';'): boolean {
    this.take(SPACE);
    if (this.#text[this.#at] !== mark) return false;
    this.#at += 1;
    this.take(SPACE);
    return true;
  }
}

/** Null where the field is malformed; an element of its list may be empty. */
function readRanges(value: string): readonly MediaRange[] | null {
  const reader = new FieldReader(value);
  const ranges: MediaRange[] = [];
  for (;;) {
    while (reader.takeMark(','));
    if (reader.isAtEnd) return ranges;
    const range = readRange(reader);
    if (range === null) return null;
    ranges.push(range);
    if (!reader.takeMark(',') && !reader.isAtEnd) return null;
  }
}

function readRange(reader: FieldReader): MediaRange | null {
  const [, type, subtype] = reader.take(TYPE) ?? [];
  if (type === undefined || subtype === undefined || (type === '*' && subtype !== '*')) return null;
  const weights: string[] = [];
  while (reader.takeMark(';')) {
    const [, name, parameter = ''] = reader.take(PARAMETER) ?? [];
    if (name?.toLowerCase() === 'q') weights.push(parameter);
  }
  const [weight = '1', ...more] = weights;
  if (more.length > 0 || !WEIGHT.test(weight)) return null;
  return { type: type.toLowerCase(), subtype: subtype.toLowerCase(), weight: Number(weight) };
}

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

/** Whether a Content-Type says JSON in UTF-8. */
export function isJsonType(value: string): boolean {
  return JSON_TYPE.test(value.trim());
}
