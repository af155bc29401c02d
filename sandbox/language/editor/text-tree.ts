import { endsToken, isBlank, isDigit } from '../reader/characters.ts';

/**
 * A text as its author wrote it: every form and every comment with its place, in UTF-16 units. Unlike the reader it
 * takes any text, also one that is being typed, and reports no faults.
 */

interface Extent {
  readonly start: number;
  readonly end: number;
}

export type LeafKind = 'symbol' | 'keyword' | 'number' | 'string' | 'regex' | 'character' | 'comment' | 'stray';

/** One token. `stray`: a delimiter that closes nothing, or opens more than is followed. */
export interface Leaf extends Extent {
  readonly kind: LeafKind;
}

export type BranchKind = 'list' | 'vector' | 'map' | 'set' | 'short-function';

/** What is between two delimiters. */
export interface Branch extends Extent {
  readonly kind: BranchKind;
  /** Behind the opener, which may be `#{`, `#(` or `#:name{`. */
  readonly inside: number;
  /** Whether its closer is there. */
  readonly isClosed: boolean;
  readonly children: readonly TextNode[];
}

/** A prefix with the forms that it takes, and comments among them. */
export interface Prefixed extends Extent {
  readonly kind: 'prefixed';
  /** `'`, `@`, `^`, `#^`, `#'`, `#_`, a backquote, `~`, or a tag such as `#inst`. */
  readonly prefix: string;
  readonly children: readonly TextNode[];
}

export type TextNode = Leaf | Branch | Prefixed;

/** Further levels are not followed: a reader refuses them (language.md §20). */
const MAXIMUM_DEPTH = 210;

const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/**
 * The nodes of a text, in order; never throws. What is not closed ends where the next definition begins at the margin,
 * so that a form in the making does not swallow what follows it.
 */
export function textTree(source: string): readonly TextNode[] {
  const whole = new TreeReader(source, false);
  const nodes = whole.read();
  return whole.isSound ? nodes : new TreeReader(source, true).read();
}

/** Whether a node is code or data, and not a comment or something discarded. */
export function isForm(node: TextNode): boolean {
  return node.kind !== 'comment' && !(node.kind === 'prefixed' && node.prefix === '#_');
}

/** The forms among nodes. */
export function formsOf(nodes: readonly TextNode[]): readonly TextNode[] {
  return nodes.filter(isForm);
}

export function isBranch(node: TextNode | undefined): node is Branch {
  return node !== undefined && 'inside' in node;
}

interface OpenBranch {
  readonly kind: BranchKind;
  readonly start: number;
  readonly inside: number;
  readonly closer: string;
  readonly children: TextNode[];
}

interface OpenPrefix {
  readonly kind: 'prefixed';
  readonly start: number;
  readonly prefix: string;
  /** Forms that it still takes. */
  wanted: number;
  readonly children: TextNode[];
}

class TreeReader {
  /** Whether every delimiter has its partner. */
  isSound = true;
  readonly #source: string;
  readonly #recovers: boolean;
  readonly #top: TextNode[] = [];
  readonly #open: (OpenBranch | OpenPrefix)[] = [];
  #index = 0;

  constructor(source: string, recovers: boolean) {
    this.#source = source;
    this.#recovers = recovers;
  }

  read(): readonly TextNode[] {
    while (this.#index < this.#source.length) {
      if (isBlank(this.#source.charCodeAt(this.#index))) this.#index += 1;
      else this.#token();
    }
    if (this.#open.length > 0) this.isSound = false;
    this.#closeDownTo(0, this.#source.length);
    return this.#top;
  }

  #token(): void {
    const source = this.#source;
    const start = this.#index;
    const unit = source[start] ?? '';
    const next = source[start + 1] ?? '';
    if (unit === ';' || (unit === '#' && next === '!')) this.#comment(start);
    else if (CLOSERS.has(unit)) this.#opener(start, 1);
    else if (unit === ')' || unit === ']' || unit === '}') this.#closer(start, unit);
    else if (unit === '"') this.#quoted('string', start, start + 1);
    else if (unit === '\\') this.#character(start);
    else if ("'@^`~".includes(unit)) this.#prefix(start, unit === '~' && next === '@' ? '~@' : unit);
    else if (unit === '#') this.#dispatch(start, next);
    else this.#word(start, this.#startsNumber(start) ? 'number' : unit === ':' ? 'keyword' : 'symbol');
  }

  #dispatch(start: number, next: string): void {
    if (next === '(' || next === '{') this.#opener(start, 2);
    else if (next === '"') this.#quoted('regex', start, start + 2);
    else if (next === "'" || next === '^' || next === '_') this.#prefix(start, `#${next}`);
    else if (next === '#') this.#word(start, 'number', 2);
    else if (next === ':') {
      const end = this.#wordEnd(start + 1);
      if (this.#source[end] === '{') this.#opener(start, end - start + 1);
      else this.#word(start, 'stray', 1);
    } else if (/^\p{L}$/u.test(next)) this.#prefix(start, this.#source.slice(start, this.#wordEnd(start + 1)));
    else this.#word(start, 'stray', 1);
  }

  #comment(start: number): void {
    const rest = this.#source.slice(start).search(/[\r\n]/);
    this.#leaf('comment', start, rest < 0 ? this.#source.length : start + rest);
  }

  #quoted(kind: 'string' | 'regex', start: number, inside: number): void {
    let end = inside;
    while (end < this.#source.length && this.#source[end] !== '"') end += this.#source[end] === '\\' ? 2 : 1;
    if (end >= this.#source.length) {
      this.isSound = false;
      // A quote in the making goes no further than its line.
      const line = this.#recovers ? this.#source.slice(start).search(/[\r\n]/) : -1;
      this.#leaf(kind, start, line < 0 ? this.#source.length : start + line);
      return;
    }
    this.#leaf(kind, start, end + 1);
  }

  #character(start: number): void {
    this.#leaf('character', start, Math.min(this.#source.length, Math.max(start + 2, this.#wordEnd(start + 2))));
  }

  #word(start: number, kind: LeafKind, width = 0): void {
    this.#leaf(kind, start, Math.max(start + 1, this.#wordEnd(start + width)));
  }

  #wordEnd(start: number): number {
    let end = start;
    while (end < this.#source.length && !endsToken(this.#source.charCodeAt(end))) end += 1;
    return end;
  }

  #startsNumber(start: number): boolean {
    const unit = this.#source[start];
    const first = this.#source.charCodeAt(start);
    return isDigit(first) || ((unit === '+' || unit === '-') && isDigit(this.#source.charCodeAt(start + 1)));
  }

  #leaf(kind: LeafKind, start: number, end: number): void {
    this.#index = end;
    this.#add({ kind, start, end });
  }

  #prefix(start: number, prefix: string): void {
    this.#index = start + prefix.length;
    if (this.#open.length >= MAXIMUM_DEPTH) {
      this.isSound = false;
      this.#add({ kind: 'stray', start, end: this.#index });
      return;
    }
    this.#open.push({ kind: 'prefixed', start, prefix, wanted: prefix.endsWith('^') ? 2 : 1, children: [] });
  }

  #opener(start: number, width: number): void {
    const source = this.#source;
    if (this.#recovers && width === 1 && this.#open.length > 0 && this.#beginsDefinition(start))
      this.#closeDownTo(0, start);
    const opener = source[start + width - 1] ?? '';
    this.#index = start + width;
    if (this.#open.length >= MAXIMUM_DEPTH) {
      this.isSound = false;
      this.#add({ kind: 'stray', start, end: this.#index });
      return;
    }
    const isHash = width === 2 && source[start] === '#';
    const kind =
      opener === '(' ? (isHash ? 'short-function' : 'list') : opener === '[' ? 'vector' : isHash ? 'set' : 'map';
    this.#open.push({ kind, start, inside: this.#index, closer: CLOSERS.get(opener) ?? '', children: [] });
  }

  #beginsDefinition(start: number): boolean {
    const before = this.#source[start - 1];
    if (before !== '\n' && before !== '\r') return false;
    return this.#source.startsWith('(def', start) || this.#source.startsWith('(ns ', start);
  }

  #closer(start: number, unit: string): void {
    let at = this.#open.length - 1;
    while (at >= 0 && !this.#closes(at, unit)) at -= 1;
    this.#index = start + 1;
    if (at < 0) {
      this.isSound = false;
      this.#add({ kind: 'stray', start, end: start + 1 });
      return;
    }
    if (at < this.#open.length - 1) this.isSound = false;
    this.#closeDownTo(at + 1, start);
    const branch = this.#open.pop();
    if (branch === undefined || branch.kind === 'prefixed') return;
    const { kind, inside, children } = branch;
    this.#add({ kind, start: branch.start, end: start + 1, inside, isClosed: true, children });
  }

  #closes(at: number, unit: string): boolean {
    const open = this.#open[at];
    return open !== undefined && open.kind !== 'prefixed' && open.closer === unit;
  }

  /** Ends what is open beyond a depth, without its closer. */
  #closeDownTo(depth: number, end: number): void {
    while (this.#open.length > depth) {
      const open = this.#open.pop();
      if (open === undefined) return;
      const { start, children } = open;
      const last = children.at(-1)?.end ?? (open.kind === 'prefixed' ? start + open.prefix.length : open.inside);
      this.#into().push(
        open.kind === 'prefixed'
          ? { kind: 'prefixed', start, end: last, prefix: open.prefix, children }
          : { kind: open.kind, start, end: Math.max(last, end), inside: open.inside, isClosed: false, children },
      );
    }
  }

  #into(): TextNode[] {
    return this.#open.at(-1)?.children ?? this.#top;
  }

  /** A finished node goes to what is open; a prefix that has all its forms is finished too. */
  #add(node: TextNode): void {
    this.#into().push(node);
    const open = this.#open.at(-1);
    if (open?.kind !== 'prefixed' || !isForm(node)) return;
    open.wanted -= 1;
    if (open.wanted > 0) return;
    this.#open.pop();
    const { start, prefix, children } = open;
    this.#add({ kind: 'prefixed', start, end: node.end, prefix, children });
  }
}
