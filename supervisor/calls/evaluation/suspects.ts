import type { ByteSpan } from '../../../contract/sandbox-protocol.ts';

/** A form that may be why a program did not end, or held too much: nothing says which of them it was. */
export interface SuspectForm {
  /** A loop, a function that calls or jumps to itself, or a seq without end. */
  readonly kind: 'loop' | 'recursion' | 'endless_seq';
  /** Its opening bracket and first word. */
  readonly span: ByteSpan;
  /** The definition that holds it, `namespace/name`; null where none does. */
  readonly within: string | null;
}

/** A bracket that is open. */
interface Opened {
  readonly start: number;
  /** Its first word; null before one is read, or where none comes first. */
  head: string | null;
  /** Parts so far, the head among them. */
  parts: number;
  readonly isList: boolean;
}

/** Suspects of one text; nobody looks at more. */
const MOST = 64;
const LOOPS: ReadonlySet<string> = new Set(['loop', 'while']);
/** Calls that give a seq without end, by the parts of the call that do. */
const ENDLESS: ReadonlyMap<string, number> = new Map([
  ['iterate', 3],
  ['cycle', 2],
  ['repeatedly', 2],
  ['repeat', 2],
  ['range', 1],
]);

/**
 * Looks through the text of a program for forms that need not end. It reads brackets and words alone, in one pass over
 * text of anybody's making: what occurs in texts between quotes and in comments is none of it, and what is no program
 * gives no error.
 */
export function suspectsIn(source: string): readonly SuspectForm[] {
  const found = new Finder(source).found;
  const isAscii = Buffer.byteLength(source) === source.length;
  const byteOf = (unit: number): number => (isAscii ? unit : Buffer.byteLength(source.slice(0, unit)));
  return found.map(({ kind, start, end, within }) => ({
    kind,
    within,
    span: { start_byte: byteOf(start), end_byte: byteOf(end) },
  }));
}

interface Found extends Omit<SuspectForm, 'span'> {
  /** UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

class Finder {
  readonly found: Found[] = [];
  readonly #source: string;
  readonly #open: Opened[] = [];
  #namespace: string | null = null;
  #definition: string | null = null;

  constructor(source: string) {
    this.#source = source;
    let at = 0;
    while (at < source.length && this.found.length < MOST) at = this.#step(at);
  }

  /** Reads what is at an offset; answers the offset behind it. */
  #step(at: number): number {
    const unit = this.#source.charAt(at);
    switch (unit) {
      case ';':
        return this.#endOf('\n', at);
      case '"':
        this.#count(null);
        return this.#endOfText(at + 1);
      case '\\':
        this.#count(null);
        return this.#endOfWord(at + 2);
      case '(':
      case '[':
      case '{':
        this.#count(null);
        this.#open.push({ start: at, head: null, parts: 0, isList: unit === '(' });
        return at + 1;
      case ')':
      case ']':
      case '}':
        this.#close();
        return at + 1;
      default:
        return isSeparator(unit) ? at + 1 : this.#word(at);
    }
  }

  #word(at: number): number {
    const end = this.#endOfWord(at);
    const word = this.#source.slice(at, end);
    this.#count(word);
    const inner = this.#open.at(-1);
    if (inner === undefined || !inner.isList) return end;
    if (inner.parts === 1) this.#begins(inner, word, end);
    else if (inner.parts === 2 && this.#open.length === 1) this.#names(inner, word);
    return end;
  }

  /** A list whose first word is known. */
  #begins({ start }: Opened, word: string, end: number): void {
    if (LOOPS.has(word)) this.#add('loop', start, end);
    else if (word === this.#definition && this.#open.length > 1) this.#add('recursion', start, end);
    else if (word === 'recur' && !this.#open.some(({ head }) => head === 'loop')) this.#add('recursion', start, end);
  }

  /** The second word of a form at the top level. */
  #names({ head }: Opened, word: string): void {
    if (head === 'ns') this.#namespace = word;
    else if (head?.startsWith('def') === true) this.#definition = word;
  }

  /** One more part of the innermost bracket. */
  #count(word: string | null): void {
    const inner = this.#open.at(-1);
    if (inner === undefined) return;
    if (inner.parts === 0) inner.head = word;
    inner.parts += 1;
  }

  #close(): void {
    const closed = this.#open.pop();
    if (closed === undefined || !closed.isList || closed.head === null) return;
    if (ENDLESS.get(closed.head) === closed.parts)
      this.#add('endless_seq', closed.start, closed.start + 1 + closed.head.length);
    if (this.#open.length === 0) this.#definition = null;
  }

  #add(kind: SuspectForm['kind'], start: number, end: number): void {
    const name = this.#definition;
    const within = name === null ? null : this.#namespace === null ? name : `${this.#namespace}/${name}`;
    this.found.push({ kind, start, end, within });
  }

  #endOf(text: string, from: number): number {
    const found = this.#source.indexOf(text, from);
    return found < 0 ? this.#source.length : found + text.length;
  }

  #endOfText(from: number): number {
    for (let at = from; at < this.#source.length; at += 1) {
      const unit = this.#source.charAt(at);
      if (unit === '\\') at += 1;
      else if (unit === '"') return at + 1;
    }
    return this.#source.length;
  }

  #endOfWord(from: number): number {
    let end = from;
    while (end < this.#source.length && !ENDS_WORD.includes(this.#source.charAt(end))) end += 1;
    return Math.max(end, from === end ? from + 1 : end);
  }
}

const ENDS_WORD = ' ,\t\r\n()[]{}";';

/** What is between parts, and marks before them that are no parts. */
function isSeparator(unit: string): boolean {
  return " ,\t\r\n'#@^`~".includes(unit);
}
