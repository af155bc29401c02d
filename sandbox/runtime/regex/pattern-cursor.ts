import { isLineTerminator } from './char-sets.ts';
import { type Flags, NO_FLAGS, PatternFault } from './syntax.ts';

/** Groups and classes inside each other: the parser and the assembler recurse, on whatever stack the caller left. */
const DEPTH_LIMIT = 500;

/** A place in a pattern, with the flags and the quotation that hold there. */
export class PatternCursor {
  readonly text: string;
  at = 0;
  flags: Flags = NO_FLAGS;
  #depth = 0;
  /** End of a `\Q…\E` stretch under way, or -1. */
  #quotedUntil = -1;

  constructor(text: string) {
    this.text = text;
  }

  fail(message: string): never {
    throw new PatternFault(message, this.at);
  }

  peek(): string {
    return this.text.charAt(this.at);
  }

  eat(expected: string): boolean {
    if (!this.text.startsWith(expected, this.at)) return false;
    this.at += expected.length;
    return true;
  }

  /** The next code point, consumed. */
  codePoint(): number {
    const code = this.text.codePointAt(this.at);
    if (code === undefined) return this.fail('Unexpected end of pattern');
    this.at += code > 0xffff ? 2 : 1;
    return code;
  }

  /** White space and comments under `(?x)`. */
  skipComments(): void {
    if (!this.flags.comments || this.#quotedUntil !== -1) return;
    for (;;) {
      const unit = this.peek();
      if (unit !== '' && ' \t\n\u000b\f\r'.includes(unit)) this.at++;
      else if (unit === '#') {
        while (this.at < this.text.length && !isLineTerminator(this.text.charCodeAt(this.at))) this.at++;
      } else return;
    }
  }

  /** Enters and leaves `\Q…\E`; answers whether the next unit is quoted. */
  quoted(): boolean {
    for (;;) {
      if (this.#quotedUntil !== -1) {
        if (this.at < this.#quotedUntil) return true;
        this.at = Math.min(this.text.length, this.#quotedUntil + 2);
        this.#quotedUntil = -1;
      }
      this.skipComments();
      if (!this.text.startsWith('\\Q', this.at)) return false;
      this.at += 2;
      const end = this.text.indexOf('\\E', this.at);
      this.#quotedUntil = end === -1 ? this.text.length : end;
    }
  }

  enter(): void {
    this.#depth++;
    if (this.#depth > DEPTH_LIMIT) this.fail(`Groups nested deeper than ${DEPTH_LIMIT} are not supported here`);
  }

  leave(): void {
    this.#depth--;
  }

  get isQuoting(): boolean {
    return this.#quotedUntil !== -1;
  }

  /** What matches at the place within so many units, consumed; null where nothing does. */
  take(shape: RegExp, units: number): RegExpExecArray | null {
    const found = shape.exec(this.text.slice(this.at, this.at + units));
    if (found !== null) this.at += found[0].length;
    return found;
  }
}
