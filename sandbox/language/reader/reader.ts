import { CompileFailure, endOfSource, InvalidNumber, parseError } from '../compile-failure.ts';
import { readDispatch, readEdnDispatch } from './dispatch.ts';
import { equalityKey } from './equality-key.ts';
import { readNumber } from './numbers.ts';
import { Scanner } from './scanner.ts';
import { shortParameter, type ShortFunction } from './short-functions.ts';
import { readCharLiteral, readStringLiteral } from './strings.ts';
import { admitsMetadata, listNode, symbolNode, type ListNode, type Syntax, type SymbolNode } from '../syntax.ts';
import { readIdentifier } from './tokens.ts';

/** The narrower syntax of clojure.edn (functions.md §13): no prefixes for code, and tags that the caller reads. */
export interface EdnSyntax {
  /** The value of `#tag operand`. May throw a `CompileFailure` or whatever the reader function of a program throws. */
  readonly readTagged: (tag: SymbolNode, operand: Syntax) => unknown;
}

/** Reads every form of a text. Throws `CompileFailure` at the first problem in it. */
export function readForms(source: string): Syntax[] {
  const reader = new Reader(source);
  const forms: Syntax[] = [];
  try {
    for (let form = reader.next(); form !== null; form = reader.next()) forms.push(form);
  } catch (thrown) {
    if (thrown instanceof CompileFailure) thrown.message += reader.openTextHint();
    throw thrown;
  }
  return forms;
}

/** Reads every form between two offsets of a text, as if nothing was around them. Throws as `readForms`. */
export function readFormsBetween(source: string, start: number, end: number): Syntax[] {
  const reader = new Reader(source.slice(0, end));
  reader.scanner.index = start;
  const forms: Syntax[] = [];
  for (let form = reader.next(); form !== null; form = reader.next()) forms.push(form);
  return forms;
}

/** Reads the first form of a text, null if there is none; what follows is not looked at. */
export function readFirstForm(source: string, edn: EdnSyntax | null = null): Syntax | null {
  return new Reader(source, edn).next();
}

/** Reads forms one inside the other; `start` is where a form begins, `width` how many units its beginning takes. */
export class Reader {
  readonly scanner: Scanner;
  readonly #edn: EdnSyntax | null;
  #shortFunction: ShortFunction | null = null;
  #isQuoted = false;
  /** Where the last top-level form begins; -1 before the first. */
  #lastForm = -1;
  /** Where a text begins that goes on over the beginning of another form: its end may be missing. */
  #openText = -1;

  constructor(source: string, edn: EdnSyntax | null = null) {
    this.scanner = new Scanner(source);
    this.#edn = edn;
  }

  /** The next top-level form, null at the end of the text. */
  next(): Syntax | null {
    this.#skipBlank();
    if (this.scanner.unit === undefined) return null;
    if (this.scanner.atCloser) throw this.scanner.surplus(this.#lastForm);
    this.#lastForm = this.scanner.index;
    return this.#read();
  }

  /** What to say of a fault behind a text that seems to have no end; nothing where none does. */
  openTextHint(): string {
    return this.#openText < 0 ? '' : this.scanner.openText(this.#openText);
  }

  /** Skips white space, comments and `#_` with its form. */
  #skipBlank(): void {
    const { scanner } = this;
    for (;;) {
      scanner.skipSpace({ hashBang: this.#edn === null });
      if (!scanner.startsWith('#_')) return;
      const start = scanner.index;
      scanner.index += 2;
      this.readAfterPrefix(start, '#_');
    }
  }

  /** Reads a form; the index is at its first unit. */
  #read(): Syntax {
    const { scanner } = this;
    const start = scanner.index;
    const text = scanner.unit ?? '';
    switch (text) {
      case '(':
        return {
          kind: 'list',
          items: this.#readItems(start, 1),
          metadata: [],
          prefix: null,
          start,
          end: scanner.index,
        };
      case '[':
        return { kind: 'vector', items: this.#readItems(start, 1), metadata: [], start, end: scanner.index };
      case '{':
        return this.readMap(start, 1, null);
      case ')':
      case ']':
      case '}':
        throw parseError(`Unmatched delimiter: ${text}`, start);
      case '"': {
        if (this.#openText < 0 && scanner.runsOverForm(start)) this.#openText = start;
        const quoted = readStringLiteral(scanner.source, start);
        scanner.index = quoted.next;
        return { kind: 'literal', value: quoted.value, start, end: quoted.next };
      }
      case '\\':
        return this.#readChar(start);
      case "'":
        return this.#edn === null ? this.readPrefixed(start, 1, 'quote') : this.#readIdentifierToken(start);
      case '@':
      case '`':
      case '~':
        return this.#readCodePrefix(start, text);
      case '^':
        return this.readWithMetadata(start, 1);
      case '#':
        return this.#edn === null ? readDispatch(this, start) : readEdnDispatch(this, start, this.#edn);
      default:
        return scanner.startsNumber(start) ? this.#readNumberToken(start) : this.#readIdentifierToken(start);
    }
  }

  #readCodePrefix(start: number, prefix: '@' | '`' | '~'): ListNode {
    if (this.#edn !== null) throw parseError(`Invalid leading character: ${prefix}`, start);
    if (prefix === '@') return this.readPrefixed(start, 1, 'deref');
    const name = prefix === '`' ? 'Syntax quote' : 'Unquote';
    throw parseError(`${name} is not supported: there are no macros; write a function`, start);
  }

  #readNumberToken(start: number): Syntax {
    const reading = readNumber(this.scanner.token(start));
    if (!reading.ok) throw new InvalidNumber('parse_error', reading.message, { start, end: start });
    return { kind: 'literal', value: reading.value, start, end: this.scanner.index };
  }

  #readChar(start: number): Syntax {
    const { scanner } = this;
    if (start + 1 >= scanner.source.length) throw endOfSource('EOF while reading character', start);
    scanner.token(start + 2);
    const value = readCharLiteral(scanner.source.slice(start + 1, scanner.index), start);
    return { kind: 'literal', value, start, end: scanner.index };
  }

  #readIdentifierToken(start: number): Syntax {
    const { scanner } = this;
    const token = scanner.token(start);
    if (this.#shortFunction !== null && token.startsWith('%'))
      return shortParameter(this.#shortFunction, token, { start, end: scanner.index });
    const node = readIdentifier(token, start);
    if (this.#edn !== null && token.startsWith('::')) throw parseError(`Invalid token: ${token.slice(0, 64)}`, start);
    if (node.kind !== 'literal') scanner.countIdentifier(token, start);
    return node;
  }

  /** Items up to the closer of the opener that ends what begins at `start`. */
  #readItems(start: number, width: number): Syntax[] {
    const { scanner } = this;
    const opener = { text: scanner.source[start + width - 1] ?? '', start };
    scanner.descend(start);
    scanner.index = start + width;
    const items: Syntax[] = [];
    for (this.#skipBlank(); !scanner.closes(opener); this.#skipBlank()) items.push(this.#read());
    scanner.ascend();
    return items;
  }

  /** `keyOf`: what the map has for a key that is read. */
  readMap(start: number, width: number, keyOf: ((node: Syntax) => Syntax) | null): Syntax {
    const read = this.#readItems(start, width);
    if (read.length % 2 !== 0) throw parseError('Map literal must contain an even number of forms', start);
    const items = keyOf === null ? read : read.map((node, index) => (index % 2 === 0 ? keyOf(node) : node));
    this.#refuseDuplicates(items.filter((_, index) => index % 2 === 0));
    return { kind: 'map', items, metadata: [], start, end: this.scanner.index };
  }

  readSet(start: number): Syntax {
    const items = this.#readItems(start, 2);
    this.#refuseDuplicates(items);
    return { kind: 'set', items, metadata: [], start, end: this.scanner.index };
  }

  #refuseDuplicates(nodes: readonly Syntax[]): void {
    const seen = new Set<string>();
    for (const node of nodes) {
      const key = equalityKey(node);
      if (key === null) continue;
      if (seen.has(key)) {
        const text = this.scanner.source.slice(node.start, Math.min(node.end, node.start + 128));
        throw new CompileFailure('duplicate_key', `Duplicate key: ${text}`, node);
      }
      seen.add(key);
    }
  }

  /** The form that follows a prefix; the index is behind that. */
  readAfterPrefix(start: number, prefix: string): Syntax {
    const { scanner } = this;
    scanner.descend(start);
    this.#skipBlank();
    if (scanner.unit === undefined) throw endOfSource(`Nothing follows ${prefix}`, start);
    if (scanner.atCloser) throw parseError(`Nothing follows ${prefix}`, start);
    const node = this.#read();
    scanner.ascend();
    return node;
  }

  readPrefixed(start: number, width: number, prefix: 'quote' | 'var' | 'deref'): ListNode {
    const { scanner } = this;
    scanner.index = start + width;
    const outer = this.#isQuoted;
    if (prefix === 'quote') this.#isQuoted = true;
    const operand = this.readAfterPrefix(start, scanner.source.slice(start, start + width));
    this.#isQuoted = outer;
    const head = symbolNode({ start, end: start + width }, prefix === 'deref' ? 'clojure.core' : null, prefix);
    return { ...listNode({ start, end: scanner.index }, [head, operand]), prefix };
  }

  readWithMetadata(start: number, width: number): Syntax {
    this.scanner.index = start + width;
    const metadata = this.readAfterPrefix(start, '^');
    if (metadata.kind === 'literal' ? typeof metadata.value !== 'string' : !isMetadata(metadata)) {
      throw parseError('Metadata must be a symbol, keyword, string, map or vector', metadata.start);
    }
    const target = this.readAfterPrefix(start, '^');
    if (!admitsMetadata(target))
      throw parseError('Metadata can only be given to symbols, collections and functions', start);
    return { ...target, metadata: [metadata, ...target.metadata], start };
  }

  readShortFunction(start: number): Syntax {
    if (this.#shortFunction !== null)
      throw parseError('Nested #() are not allowed; use (fn [x] …) for one of them', start);
    if (this.#isQuoted) throw parseError('#() cannot stand in quoted data', start);
    const own: ShortFunction = { parameters: 0, rest: false };
    this.#shortFunction = own;
    const items = this.#readItems(start, 2);
    this.#shortFunction = null;
    const { index: end } = this.scanner;
    return {
      kind: 'short-function',
      ...own,
      body: listNode({ start: start + 1, end }, items),
      metadata: [],
      start,
      end,
    };
  }
}

function isMetadata(node: Syntax): boolean {
  return node.kind === 'symbol' || node.kind === 'keyword' || node.kind === 'map' || node.kind === 'vector';
}
