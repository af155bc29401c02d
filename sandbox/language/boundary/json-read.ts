import { double, integer } from '../../runtime/values/double.ts';
import { mapFromEntries } from '../../runtime/values/map-builder.ts';
import { vector } from '../../runtime/values/vector.ts';

/** Nesting that is read; deeper documents never pass the supervisor's own readers. */
const MAXIMUM_DEPTH = 512;

/** A JSON text that is none; the offset is in UTF-16 units. */
export class JsonFault extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

/**
 * Reads JSON as language values (language.md §19, In): maps with string keys in document order, vectors, exact
 * integers, doubles for numbers with a fraction or exponent. A repeated key: the last one wins.
 */
export function readJson(text: string): unknown {
  const reader = new JsonReader(text);
  return reader.document();
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y;
const ESCAPES = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

class JsonReader {
  readonly #text: string;
  #index = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): unknown {
    const value = this.#value();
    this.#blank();
    if (this.#index < this.#text.length) throw this.#fault('unexpected text after the value');
    return value;
  }

  #fault(message: string): JsonFault {
    return new JsonFault(message, this.#index);
  }

  #blank(): void {
    while (' \t\n\r'.includes(this.#text[this.#index] ?? 'x')) this.#index += 1;
  }

  #value(): unknown {
    this.#blank();
    switch (this.#text[this.#index]) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      default:
        return this.#number();
    }
  }

  #word(word: string, value: boolean | null): boolean | null {
    if (!this.#text.startsWith(word, this.#index)) throw this.#fault('not a JSON value');
    this.#index += word.length;
    return value;
  }

  #number(): unknown {
    NUMBER.lastIndex = this.#index;
    const match = NUMBER.exec(this.#text);
    if (match === null) throw this.#fault('not a JSON value');
    const [text, fraction, exponent] = match;
    const floating = fraction !== undefined || exponent !== undefined;
    if (floating) {
      const value = Number(text);
      if (!Number.isFinite(value)) throw this.#fault('a number beyond the range of doubles');
      this.#index += text.length;
      return double(value);
    }
    this.#index += text.length;
    return text.length < 16 ? Number(text) + 0 : integer(BigInt(text));
  }

  #string(): string {
    this.#index += 1;
    let value = '';
    for (;;) {
      PLAIN_TEXT.lastIndex = this.#index;
      const plain = PLAIN_TEXT.exec(this.#text)?.[0] ?? '';
      value += plain;
      this.#index += plain.length;
      const unit = this.#text[this.#index];
      if (unit === '"') {
        this.#index += 1;
        return value;
      }
      if (unit !== '\\') throw this.#fault('an unfinished string');
      value += this.#escape();
    }
  }

  #escape(): string {
    const letter = this.#text[this.#index + 1] ?? '';
    const simple = ESCAPES.get(letter);
    if (simple !== undefined) {
      this.#index += 2;
      return simple;
    }
    const digits = this.#text.slice(this.#index + 2, this.#index + 6);
    if (letter !== 'u' || !/^[0-9A-Fa-f]{4}$/.test(digits)) throw this.#fault('a bad escape in a string');
    this.#index += 6;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }

  #descend(): void {
    this.#index += 1;
    this.#depth += 1;
    if (this.#depth > MAXIMUM_DEPTH) throw this.#fault(`nested deeper than ${MAXIMUM_DEPTH}`);
  }

  /** True if the closer comes next, which is then consumed. */
  #closes(closer: string): boolean {
    this.#blank();
    if (this.#text[this.#index] !== closer) return false;
    this.#index += 1;
    this.#depth -= 1;
    return true;
  }

  #array(): unknown {
    this.#descend();
    const items: unknown[] = [];
    if (this.#closes(']')) return vector(items);
    for (;;) {
      items.push(this.#value());
      if (this.#closes(']')) return vector(items);
      this.#expect(',');
    }
  }

  #object(): unknown {
    this.#descend();
    const flat: unknown[] = [];
    if (this.#closes('}')) return mapFromEntries(flat);
    for (;;) {
      this.#blank();
      if (this.#text[this.#index] !== '"') throw this.#fault('an object key must be a string');
      const key = this.#string();
      this.#blank();
      this.#expect(':');
      flat.push(key, this.#value());
      if (this.#closes('}')) return mapFromEntries(flat);
      this.#expect(',');
    }
  }

  #expect(unit: string): void {
    if (this.#text[this.#index] !== unit) throw this.#fault(`expected ${unit}`);
    this.#index += 1;
  }
}
