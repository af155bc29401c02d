import { DamagedEncoding } from './world.ts';

/** Digits of an integer that is surely safe. */
export const SAFE_DIGITS = 15;

const MINUS = 45;
const COMMA = 44;
const ZERO = 48;
const COLON = 58;

/** Walks over an encoding; whatever is not there raises `DamagedEncoding`. */
export class TextReader {
  readonly text: string;
  at: number;

  /** From the unit `at` on. */
  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  get left(): number {
    return this.text.length - this.at;
  }

  fail(what: string): never {
    throw new DamagedEncoding(`${what} at unit ${this.at}`);
  }

  /** The code of the next unit, which stays; NaN at the end. */
  code(): number {
    return this.text.charCodeAt(this.at);
  }

  /** The next unit as a text. */
  unit(): string {
    const { at, text } = this;
    if (at >= text.length) this.fail('the text ends');
    this.at = at + 1;
    return text.charAt(at);
  }

  /** The code of the next unit. */
  takeCode(): number {
    const code = this.code();
    this.at += 1;
    return code;
  }

  take(length: number): string {
    const { at } = this;
    if (length > this.left) this.fail('the text ends');
    this.at = at + length;
    return this.text.slice(at, at + length);
  }

  /** Up to a mark, which is taken too. */
  upTo(mark: string): string {
    const end = this.text.indexOf(mark, this.at);
    if (end < 0) this.fail(`no "${mark}"`);
    const found = this.text.slice(this.at, end);
    this.at = end + 1;
    return found;
  }

  /** A count and its colon: at most as many as there are units left. */
  count(): number {
    const { text } = this;
    let { at } = this;
    let number = 0;
    for (;;) {
      const digit = text.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      number = number * 10 + digit;
      at += 1;
    }
    if (at === this.at || text.charCodeAt(at) !== COLON) this.fail('no count');
    this.at = at + 1;
    if (number > this.left) this.fail('a count beyond the text');
    return number;
  }

  integer(): number | bigint {
    const { text } = this;
    const isNegative = text.charCodeAt(this.at) === MINUS;
    const start = isNegative ? this.at + 1 : this.at;
    let at = start;
    let number = 0;
    for (;;) {
      const digit = text.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      number = number * 10 + digit;
      at += 1;
    }
    if (at === start || at - start > SAFE_DIGITS || text.charCodeAt(at) !== COMMA) return this.#largeInteger();
    this.at = at + 1;
    return isNegative ? -number : number;
  }

  #largeInteger(): number | bigint {
    const digits = this.upTo(',');
    if (!/^-?[0-9]+$/.test(digits)) this.fail('no integer');
    const number = Number(digits);
    return Number.isSafeInteger(number) ? number : BigInt(digits);
  }

  safeInteger(): number {
    const number = this.integer();
    return typeof number === 'number' ? number : this.fail('an integer beyond the safe ones');
  }

  float(): number {
    const digits = this.upTo(',');
    if (!/^(?:-?[0-9]+(?:\.[0-9]+)?(?:e[+-][0-9]+)?|NaN|-?Infinity)$/.test(digits)) this.fail('no number');
    return Number(digits);
  }
}
