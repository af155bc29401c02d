import { CompileFailure, endOfSource, parseError } from '../compile-failure.ts';
import { endsToken, isBlank, isDigit } from './characters.ts';

/** Openers and prefixes may nest this deep (language.md §20). */
const MAXIMUM_DEPTH = 200;
/** Distinct symbols and keywords of one text (language.md §20). */
const MAXIMUM_IDENTIFIERS = 10_000;

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** A delimiter that is open, and where the form that it opens begins. */
export interface Opener {
  readonly text: string;
  readonly start: number;
}

/** A place in a text, the tokens from there on, and what bounds the whole text. */
export class Scanner {
  readonly source: string;
  index = 0;
  #depth = 0;
  readonly #identifiers = new Set<string>();

  constructor(source: string) {
    this.source = source;
  }

  /** The unit at the index; undefined at the end of the text. */
  get unit(): string | undefined {
    return this.source[this.index];
  }

  startsWith(text: string): boolean {
    return this.source.startsWith(text, this.index);
  }

  /** Skips white space and comments. */
  skipSpace({ hashBang }: { readonly hashBang: boolean }): void {
    const { source } = this;
    while (this.index < source.length) {
      if (isBlank(source.charCodeAt(this.index))) this.index += 1;
      else if (source[this.index] === ';' || (hashBang && this.startsWith('#!'))) this.#skipLine();
      else return;
    }
  }

  /** A lone CR ends a line as LF does (language.md §2). */
  #skipLine(): void {
    const { source } = this;
    while (this.index < source.length && source[this.index] !== '\n' && source[this.index] !== '\r') this.index += 1;
  }

  /** The token that begins at `start`; the index is then behind it. */
  token(start: number): string {
    let end = start;
    while (end < this.source.length && !endsToken(this.source.charCodeAt(end))) end += 1;
    this.index = end;
    return this.source.slice(start, end);
  }

  startsNumber(start: number): boolean {
    const unit = this.source.charCodeAt(start);
    return isDigit(unit) || ((unit === 0x2b || unit === 0x2d) && isDigit(this.source.charCodeAt(start + 1)));
  }

  /** Whether a closing delimiter is at the index. */
  get atCloser(): boolean {
    const { unit } = this;
    return unit === ')' || unit === ']' || unit === '}';
  }

  /** Goes over the closer of an opener; any other closer, and the end of the text, is a fault. False where none is. */
  closes(opener: Opener): boolean {
    const { unit } = this;
    if (unit === undefined) throw this.#unclosed(opener);
    if (!this.atCloser) return false;
    if (unit !== CLOSERS.get(opener.text)) throw this.#mismatch(opener, unit);
    this.index += 1;
    return true;
  }

  /** Enters an opener or a prefix. */
  descend(start: number): void {
    this.#depth += 1;
    if (this.#depth > MAXIMUM_DEPTH) {
      throw parseError(`Forms are nested deeper than ${MAXIMUM_DEPTH}`, start, { limit: MAXIMUM_DEPTH });
    }
  }

  ascend(): void {
    this.#depth -= 1;
  }

  /** Counts a symbol or keyword that ends at the index. */
  countIdentifier(token: string, start: number): void {
    this.#identifiers.add(token);
    if (this.#identifiers.size <= MAXIMUM_IDENTIFIERS) return;
    throw new CompileFailure(
      'symbol_limit_exceeded',
      `More than ${MAXIMUM_IDENTIFIERS} distinct symbols and keywords`,
      { start, end: this.index },
      { limit: MAXIMUM_IDENTIFIERS },
    );
  }

  #place(offset: number): { line: number; column: number } {
    const before = this.source.slice(0, offset);
    return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
  }

  /** The fault of a closer that closes nothing; `before` is where the form before it begins, -1 without one. */
  surplus(before: number): CompileFailure {
    const { line, column } = this.#place(before);
    const closed = before < 0 ? '' : `; the form that begins at line ${line}, column ${column} is closed already`;
    return parseError(`Unmatched delimiter: ${this.unit ?? ''}${closed}`, this.index);
  }

  /** The first line after an offset with an opener at its margin, where people begin forms; null without one. */
  #nextFormLine(offset: number): number | null {
    const at = this.source.indexOf('\n(', offset);
    return at < 0 ? null : this.#place(at + 1).line;
  }

  /** Whether the text whose quote is at an offset has an opener at the margin of one of its lines. */
  runsOverForm(start: number): boolean {
    const end = this.source.indexOf('"', start + 1);
    return this.source.slice(start, end < 0 ? undefined : end).includes('\n(');
  }

  openText(start: number): string {
    const { line, column } = this.#place(start);
    return `; the string that begins at line ${line}, column ${column} goes on into the next form: its closing quotation mark may be missing`;
  }

  #unclosed(opener: Opener): CompileFailure {
    const { line, column } = this.#place(opener.start);
    const next = this.#nextFormLine(opener.start);
    const guess = next === null ? '' : `; line ${next} begins a new form before it is closed`;
    return endOfSource(`Unclosed ${opener.text} opened at line ${line}, column ${column}${guess}`, opener.start, {
      opener_line: line,
      opener_column: column,
    });
  }

  #mismatch(opener: Opener, closer: string): CompileFailure {
    const { line, column } = this.#place(opener.start);
    return parseError(
      `Unmatched delimiter: ${closer}; the ${opener.text} at line ${line}, column ${column} needs ${CLOSERS.get(opener.text)}`,
      this.index,
      { opener_line: line, opener_column: column },
    );
  }
}
