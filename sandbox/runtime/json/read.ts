import { LispError, type LimitSignal, memoryExceeded } from '../errors.ts';
import { boundedInteger } from '../numbers/arithmetic.ts';
import { double } from '../values/double.ts';
import { keyword } from '../values/keyword.ts';
import { MapBuilder, mapFromEntries } from '../values/map-builder.ts';
import { SEQUENCE_LIMIT } from '../values/collection.ts';
import { vector } from '../values/vector.ts';

/** Nesting that `json/parse-string` accepts (functions.md §16). */
const DEPTH_LIMIT = 512;
/** Units of the longest integer within the size limit (1,000,000 bits, language.md §20): its digits and a sign. */
const DIGIT_LIMIT = 301_031;

/** Text that is no JSON; `offset` is in UTF-16 units. */
export class JsonFault {
  readonly message: string;
  readonly offset: number;
  constructor(message: string, offset: number) {
    this.message = message;
    this.offset = offset;
  }
}

/**
 * A regular expression is compiled again in every isolate (0.1 ms, bench/README.md), so what is short is read without.
 */
/** Units of a string, up to an escape, that are looked at one by one. */
const SHORT_TEXT = 64;
/** Digits of an integer that are. */
const SHORT_INTEGER = 9;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

const QUOTE = 34;
const POINT = 46;
const ZERO = 48;
const NINE = 57;
const BACKSLASH = 92;
const LETTER_E = 101;
const LAST_CONTROL = 31;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** How object keys become map keys. */
export type KeyReader = (text: string) => unknown;

class JsonReader {
  readonly #text: string;
  readonly #readKey: KeyReader;
  #at = 0;
  #depth = 0;

  constructor(text: string, readKey: KeyReader) {
    this.#text = text;
    this.#readKey = readKey;
  }

  document(): unknown {
    const value = this.value();
    this.space();
    if (this.#at < this.#text.length) this.fail('text after the value');
    return value;
  }

  fail(message: string): never {
    throw new JsonFault(message, this.#at);
  }

  space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
      this.#at++;
    }
  }

  word(word: string, value: unknown): unknown {
    if (!this.#text.startsWith(word, this.#at)) this.fail('not a JSON value');
    this.#at += word.length;
    return value;
  }

  value(): unknown {
    this.space();
    switch (this.#text.charAt(this.#at)) {
      case '{':
        return this.nested(() => this.object());
      case '[':
        return this.nested(() => this.array());
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      case '':
        return this.fail('the text ends too early');
      default:
        return this.number();
    }
  }

  nested(read: () => unknown): unknown {
    this.#depth++;
    if (this.#depth > DEPTH_LIMIT) this.fail(`nested deeper than ${DEPTH_LIMIT}`);
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  /** Steps over a comma or the closing bracket; answers whether the collection goes on. */
  goesOn(close: string): boolean {
    this.space();
    const unit = this.#text.charAt(this.#at);
    if (unit !== ',' && unit !== close) this.fail(`expected a comma or ${close}`);
    this.#at++;
    return unit === ',';
  }

  isEmpty(close: string): boolean {
    this.space();
    if (this.#text.charAt(this.#at) !== close) return false;
    this.#at++;
    return true;
  }

  array(): unknown {
    const elements: unknown[] = [];
    if (this.isEmpty(']')) return vector(elements);
    do {
      if (elements.push(this.value()) > SEQUENCE_LIMIT) throw tooLarge();
    } while (this.goesOn(']'));
    return vector(elements);
  }

  object(): unknown {
    const map = new MapBuilder();
    if (this.isEmpty('}')) return map.build();
    do {
      this.space();
      if (this.#text.charAt(this.#at) !== '"') this.fail('expected a string as key');
      const key = this.#readKey(this.string());
      this.space();
      if (this.#text.charAt(this.#at) !== ':') this.fail('expected a colon');
      this.#at++;
      map.put(key, this.value());
    } while (this.goesOn('}'));
    return map.build();
  }

  string(): string {
    this.#at++;
    let text = '';
    for (;;) {
      const end = this.plainEnd();
      text += this.#text.slice(this.#at, end);
      this.#at = end;
      const unit = this.#text.charAt(this.#at);
      if (unit === '"') {
        this.#at++;
        return text;
      }
      if (unit !== '\\') this.fail(unit === '' ? 'the string does not end' : 'a control character inside a string');
      text += this.escape();
    }
  }

  /** Where the next escape, end or fault of a string is. */
  plainEnd(): number {
    let at = this.#at;
    for (const most = at + SHORT_TEXT; at < most; at += 1) {
      const code = this.#text.charCodeAt(at);
      // NaN, beyond the text, is not above either.
      if (!(code > LAST_CONTROL) || code === QUOTE || code === BACKSLASH) return at;
    }
    PLAIN.lastIndex = at;
    PLAIN.test(this.#text);
    return PLAIN.lastIndex;
  }

  escape(): string {
    const unit = this.#text.charAt(this.#at + 1);
    const simple = SIMPLE_ESCAPES[unit];
    if (simple !== undefined) {
      this.#at += 2;
      return simple;
    }
    const hex = this.#text.slice(this.#at + 2, this.#at + 6);
    if (unit !== 'u' || !/^[0-9a-fA-F]{4}$/.test(hex)) this.fail('an unknown escape inside a string');
    this.#at += 6;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  /** An integer of few digits, which this moves beyond; null where something else begins. */
  shortInteger(): number | null {
    let value = 0;
    let at = this.#at;
    for (const most = at + SHORT_INTEGER; at < most && isDigit(this.#text.charCodeAt(at)); at += 1)
      value = value * 10 + this.#text.charCodeAt(at) - ZERO;
    const digits = at - this.#at;
    const next = this.#text.charCodeAt(at);
    if (
      digits === 0 ||
      isDigit(next) ||
      next === POINT ||
      (next | 0x20) === LETTER_E ||
      (digits > 1 && this.#text.charCodeAt(this.#at) === ZERO)
    )
      return null;
    this.#at = at;
    return value;
  }

  number(): unknown {
    const short = this.shortInteger();
    if (short !== null) return short;
    NUMBER.lastIndex = this.#at;
    const found = NUMBER.exec(this.#text);
    if (found === null) return this.fail('not a JSON value');
    const [all, fraction, exponent] = found;
    if (fraction === undefined && exponent === undefined) {
      if (all.length > DIGIT_LIMIT) throw tooLarge();
      this.#at += all.length;
      return all.length < 16 ? Number(all) + 0 : boundedInteger(BigInt(all));
    }
    const value = Number(all);
    if (!Number.isFinite(value)) this.fail('a number beyond the range of doubles');
    this.#at += all.length;
    return double(value);
  }
}

function tooLarge(): LimitSignal {
  return memoryExceeded('a JSON value');
}

/**
 * The value of a JSON text by language.md §19 (keys as strings unless `readKey` says otherwise), or the fault in it.
 */
export function readJson(text: string, readKey: KeyReader = (key) => key): unknown {
  try {
    return new JsonReader(text, readKey).document();
  } catch (thrown) {
    if (thrown instanceof JsonFault) return thrown;
    throw thrown;
  }
}

/** The error of `json/parse-string` for a fault: ExceptionInfo with `{:kind "json" :offset n}`. */
export function jsonError(fault: JsonFault): LispError {
  const data = mapFromEntries([keyword(null, 'kind'), 'json', keyword(null, 'offset'), fault.offset]);
  return new LispError(
    'value_error',
    'clojure.lang.ExceptionInfo',
    `not JSON at offset ${fault.offset}: ${fault.message}`,
    data,
  );
}
