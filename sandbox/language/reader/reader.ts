import { CompileFailure, endOfSource, InvalidNumber, parseError } from '../compile-failure.ts';
import { endsToken, isBlank, isDigit } from './characters.ts';
import { equalityKey } from './equality-key.ts';
import { readNumber } from './numbers.ts';
import { readCharLiteral, readRegexLiteral, readStringLiteral } from './strings.ts';
import { admitsMetadata, listNode, symbolNode, type ListNode, type Syntax, type SymbolNode } from './syntax.ts';
import { readTagged } from './tagged.ts';
import { readIdentifier } from './tokens.ts';

/** Openers and prefixes may nest this deep (language.md §20). */
const MAXIMUM_DEPTH = 200;
/** Distinct symbols and keywords of one text (language.md §20). */
const MAXIMUM_IDENTIFIERS = 10_000;
/** `%1` to `%20` (language.md §2). */
const MAXIMUM_SHORT_PARAMETERS = 20;

const CLOSERS = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** The narrower syntax of clojure.edn (functions.md §13): no prefixes for code, and tags that the caller reads. */
export interface EdnSyntax {
  /** The value of `#tag operand`. May throw a `CompileFailure` or whatever the reader function of a program throws. */
  readonly readTagged: (tag: SymbolNode, operand: Syntax) => unknown;
}

interface ShortFunction {
  readonly start: number;
  parameters: number;
  rest: boolean;
}

interface Opener {
  readonly text: string;
  readonly start: number;
}

/** Reads every form of a text. Throws `CompileFailure` at the first problem in it. */
export function readForms(source: string): Syntax[] {
  const reader = new Reader(source);
  const forms: Syntax[] = [];
  for (let form = reader.next(); form !== null; form = reader.next()) forms.push(form);
  return forms;
}

/** Reads the first form of a text, null if there is none; what follows is not looked at. */
export function readFirstForm(source: string, edn: EdnSyntax | null = null): Syntax | null {
  return new Reader(source, edn).next();
}

class Reader {
  readonly #source: string;
  readonly #edn: EdnSyntax | null;
  #index = 0;
  #depth = 0;
  #shortFunction: ShortFunction | null = null;
  #quoted: number | null = null;
  readonly #identifiers = new Set<string>();

  constructor(source: string, edn: EdnSyntax | null = null) {
    this.#source = source;
    this.#edn = edn;
  }

  /** The next top-level form, null at the end of the text. */
  next(): Syntax | null {
    this.#skipBlank();
    if (this.#index >= this.#source.length) return null;
    return this.#read();
  }

  /** Skips white space, comments and `#_` with its form. */
  #skipBlank(): void {
    const source = this.#source;
    while (this.#index < source.length) {
      if (isBlank(source.charCodeAt(this.#index))) this.#index += 1;
      else if (source[this.#index] === ';' || (this.#edn === null && source.startsWith('#!', this.#index))) this.#skipLine();
      else if (source.startsWith('#_', this.#index)) {
        const start = this.#index;
        this.#index += 2;
        this.#readAfterPrefix(start, '#_');
      } else return;
    }
  }

  #skipLine(): void {
    const end = this.#source.indexOf('\n', this.#index);
    this.#index = end < 0 ? this.#source.length : end + 1;
  }

  /** Reads a form; the index is at its first unit. */
  #read(): Syntax {
    const start = this.#index;
    const unit = this.#source.charCodeAt(start);
    const text = this.#source[start] ?? '';
    switch (text) {
      case '(':
        return { kind: 'list', items: this.#readItems(start, 1), metadata: [], prefix: null, start, end: this.#index };
      case '[':
        return { kind: 'vector', items: this.#readItems(start, 1), metadata: [], start, end: this.#index };
      case '{':
        return this.#readMap(start, 1, null);
      case ')':
      case ']':
      case '}':
        throw parseError(`Unmatched delimiter: ${text}`, start);
      case '"': {
        const quoted = readStringLiteral(this.#source, start);
        this.#index = quoted.next;
        return { kind: 'literal', value: quoted.value, start, end: quoted.next };
      }
      case '\\':
        return this.#readChar(start);
      case "'":
        return this.#edn === null ? this.#readPrefixed(start, 1, 'quote') : this.#readIdentifierToken(start);
      case '@':
      case '`':
      case '~':
        return this.#readCodePrefix(start, text);
      case '^':
        return this.#readWithMetadata(start, 1);
      case '#':
        return this.#edn === null ? this.#readDispatch(start) : this.#readEdnDispatch(start, this.#edn);
      default:
        return this.#startsNumber(start, unit) ? this.#readNumberToken(start) : this.#readIdentifierToken(start);
    }
  }

  #readCodePrefix(start: number, prefix: '@' | '`' | '~'): ListNode {
    if (this.#edn !== null) throw parseError(`Invalid leading character: ${prefix}`, start);
    if (prefix === '@') return this.#readPrefixed(start, 1, 'deref');
    const name = prefix === '`' ? 'Syntax quote' : 'Unquote';
    throw parseError(`${name} is not supported: there are no macros; write a function`, start);
  }

  #startsNumber(start: number, unit: number): boolean {
    if (isDigit(unit)) return true;
    return (unit === 0x2b || unit === 0x2d) && isDigit(this.#source.charCodeAt(start + 1));
  }

  #token(start: number): string {
    let end = start;
    while (end < this.#source.length && !endsToken(this.#source.charCodeAt(end))) end += 1;
    this.#index = end;
    return this.#source.slice(start, end);
  }

  #readNumberToken(start: number): Syntax {
    const reading = readNumber(this.#token(start));
    if (!reading.ok) throw new InvalidNumber('parse_error', reading.message, { start, end: start });
    return { kind: 'literal', value: reading.value, start, end: this.#index };
  }

  #readChar(start: number): Syntax {
    if (start + 1 >= this.#source.length) throw endOfSource('EOF while reading character', start);
    this.#token(start + 2);
    const value = readCharLiteral(this.#source.slice(start + 1, this.#index), start);
    return { kind: 'literal', value, start, end: this.#index };
  }

  #readIdentifierToken(start: number): Syntax {
    const token = this.#token(start);
    if (this.#shortFunction !== null && token.startsWith('%')) return this.#readParameter(this.#shortFunction, token, start);
    const node = readIdentifier(token, start);
    if (this.#edn !== null && token.startsWith('::')) throw parseError(`Invalid token: ${token.slice(0, 64)}`, start);
    if (node.kind !== 'literal') {
      this.#identifiers.add(token);
      if (this.#identifiers.size > MAXIMUM_IDENTIFIERS) {
        throw new CompileFailure(
          'symbol_limit_exceeded',
          `More than ${MAXIMUM_IDENTIFIERS} distinct symbols and keywords`,
          { start, end: this.#index },
          { limit: MAXIMUM_IDENTIFIERS },
        );
      }
    }
    return node;
  }

  #readParameter(shortFunction: ShortFunction, token: string, start: number): SymbolNode {
    if (token === '%&') {
      shortFunction.rest = true;
      return symbolNode({ start, end: this.#index }, null, '%&');
    }
    const number = token === '%' ? 1 : /^%[1-9][0-9]?$/.test(token) ? Number(token.slice(1)) : 0;
    if (number < 1 || number > MAXIMUM_SHORT_PARAMETERS) {
      throw parseError(`Invalid parameter ${token.slice(0, 32)}: use %, %1 to %${MAXIMUM_SHORT_PARAMETERS} or %&`, start);
    }
    shortFunction.parameters = Math.max(shortFunction.parameters, number);
    return symbolNode({ start, end: this.#index }, null, `%${number}`);
  }

  #descend(start: number): void {
    this.#depth += 1;
    if (this.#depth > MAXIMUM_DEPTH) {
      throw parseError(`Forms are nested deeper than ${MAXIMUM_DEPTH}`, start, { limit: MAXIMUM_DEPTH });
    }
  }

  /** Items up to the closer of the opener that ends `width` units after `start`. */
  #readItems(start: number, width: number): Syntax[] {
    const opener: Opener = { text: this.#source[start + width - 1] ?? '', start };
    this.#descend(start);
    this.#index = start + width;
    const items: Syntax[] = [];
    for (;;) {
      this.#skipBlank();
      const text = this.#source[this.#index];
      if (text === undefined) throw this.#unclosed(opener);
      if (text === ')' || text === ']' || text === '}') {
        if (text !== CLOSERS.get(opener.text)) throw this.#mismatch(opener, text);
        this.#index += 1;
        this.#depth -= 1;
        return items;
      }
      items.push(this.#read());
    }
  }

  #place(offset: number): { line: number; column: number } {
    const before = this.#source.slice(0, offset);
    return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
  }

  #unclosed(opener: Opener): CompileFailure {
    const { line, column } = this.#place(opener.start);
    return endOfSource(`Unclosed ${opener.text} opened at line ${line}, column ${column}`, opener.start, {
      opener_line: line,
      opener_column: column,
    });
  }

  #mismatch(opener: Opener, closer: string): CompileFailure {
    const { line, column } = this.#place(opener.start);
    return parseError(
      `Unmatched delimiter: ${closer}; the ${opener.text} at line ${line}, column ${column} needs ${CLOSERS.get(opener.text)}`,
      this.#index,
      { opener_line: line, opener_column: column },
    );
  }

  #readMap(start: number, width: number, namespace: ((node: Syntax) => Syntax) | null): Syntax {
    const read = this.#readItems(start, width);
    if (read.length % 2 !== 0) throw parseError('Map literal must contain an even number of forms', start);
    const items = namespace === null ? read : read.map((node, index) => (index % 2 === 0 ? namespace(node) : node));
    this.#refuseDuplicates(items.filter((_, index) => index % 2 === 0));
    return { kind: 'map', items, metadata: [], start, end: this.#index };
  }

  #readSet(start: number): Syntax {
    const items = this.#readItems(start, 2);
    this.#refuseDuplicates(items);
    return { kind: 'set', items, metadata: [], start, end: this.#index };
  }

  #refuseDuplicates(nodes: readonly Syntax[]): void {
    const seen = new Set<string>();
    for (const node of nodes) {
      const key = equalityKey(node);
      if (key === null) continue;
      if (seen.has(key)) {
        const text = this.#source.slice(node.start, Math.min(node.end, node.start + 128));
        throw new CompileFailure('duplicate_key', `Duplicate key: ${text}`, node);
      }
      seen.add(key);
    }
  }

  #readAfterPrefix(start: number, prefix: string): Syntax {
    this.#descend(start);
    this.#skipBlank();
    const text = this.#source[this.#index];
    if (text === undefined) throw endOfSource(`Nothing follows ${prefix}`, start);
    if (text === ')' || text === ']' || text === '}') throw parseError(`Nothing follows ${prefix}`, start);
    const node = this.#read();
    this.#depth -= 1;
    return node;
  }

  #readPrefixed(start: number, width: number, prefix: 'quote' | 'var' | 'deref'): ListNode {
    this.#index = start + width;
    const outer = this.#quoted;
    if (prefix === 'quote') this.#quoted ??= start;
    const operand = this.#readAfterPrefix(start, this.#source.slice(start, start + width));
    this.#quoted = outer;
    const place = { start, end: this.#index };
    const head = symbolNode({ start, end: start + width }, prefix === 'deref' ? 'clojure.core' : null, prefix);
    return { ...listNode(place, [head, operand]), prefix };
  }

  #readWithMetadata(start: number, width: number): Syntax {
    this.#index = start + width;
    const metadata = this.#readAfterPrefix(start, '^');
    if (metadata.kind === 'literal' ? typeof metadata.value !== 'string' : !isMetadata(metadata)) {
      throw parseError('Metadata must be a symbol, keyword, string, map or vector', metadata.start);
    }
    const target = this.#readAfterPrefix(start, '^');
    if (!admitsMetadata(target)) throw parseError('Metadata can only be given to symbols, collections and functions', start);
    return { ...target, metadata: [metadata, ...target.metadata], start };
  }

  #readDispatch(start: number): Syntax {
    const text = this.#source[start + 1];
    switch (text) {
      case '{':
        return this.#readSet(start);
      case '(':
        return this.#readShortFunction(start);
      case '"': {
        const quoted = readRegexLiteral(this.#source, start + 1);
        this.#index = quoted.next;
        return { kind: 'regex', pattern: quoted.value, start, end: quoted.next };
      }
      case "'":
        return this.#readPrefixed(start, 2, 'var');
      case '^':
        return this.#readWithMetadata(start, 2);
      case '#':
        return this.#readSymbolicValue(start);
      case ':':
        return this.#readNamespacedMap(start);
      case '?':
        throw parseError('Reader conditionals are not supported; write the form itself', start);
      case '=':
        throw parseError('Evaluation while reading is not supported', start);
      case '<':
        throw parseError('Unreadable form', start);
      default:
        return this.#readTaggedForm(start);
    }
  }

  #readEdnDispatch(start: number, edn: EdnSyntax): Syntax {
    const text = this.#source[start + 1] ?? '';
    if (text === '{' || text === '^' || text === '#' || text === '<' || (text === ':' && !this.#source.startsWith('#::', start))) {
      return this.#readDispatch(start);
    }
    if (!/^\p{L}$/u.test(text)) throw parseError(`No dispatch macro for: ${text}`, start);
    const token = this.#token(start + 1);
    const tag = readIdentifier(token, start + 1);
    if (tag.kind !== 'symbol') throw parseError('Reader tag must be a symbol', start);
    const operand = this.#readAfterPrefix(start, `#${token}`);
    return { kind: 'literal', value: edn.readTagged(tag, operand), start, end: this.#index };
  }

  #readShortFunction(start: number): Syntax {
    if (this.#shortFunction !== null) throw parseError('Nested #() are not allowed; use (fn [x] …) for one of them', start);
    if (this.#quoted !== null) throw parseError('#() cannot stand in quoted data', start);
    const own: ShortFunction = { start, parameters: 0, rest: false };
    this.#shortFunction = own;
    const items = this.#readItems(start, 2);
    this.#shortFunction = null;
    const body = listNode({ start: start + 1, end: this.#index }, items);
    return { kind: 'short-function', parameters: own.parameters, rest: own.rest, body, metadata: [], start, end: this.#index };
  }

  #readSymbolicValue(start: number): Syntax {
    const token = this.#token(start + 2);
    const values = new Map([
      ['Inf', Infinity],
      ['-Inf', -Infinity],
      ['NaN', Number.NaN],
    ]);
    const value = values.get(token);
    if (value === undefined) throw parseError(`Unknown symbolic value: ##${token.slice(0, 32)}; use ##Inf, ##-Inf or ##NaN`, start);
    return { kind: 'literal', value, start, end: this.#index };
  }

  #readNamespacedMap(start: number): Syntax {
    const prefix = this.#token(start + 1);
    const automatic = prefix.startsWith('::');
    const name = prefix.slice(automatic ? 2 : 1);
    const width = prefix.length + 2;
    if (this.#source[start + width - 1] !== '{' || (name === '' && !automatic) || name.includes('/')) {
      throw parseError('A namespaced map is written #:name{…}', start);
    }
    return this.#readMap(start, width, (node) => {
      if (node.kind !== 'keyword' && node.kind !== 'symbol') return node;
      if (node.namespace === '_') return { ...node, namespace: null };
      if (node.namespace !== null || (node.kind === 'keyword' && node.automatic)) return node;
      if (!automatic) return { ...node, namespace: name };
      if (node.kind === 'keyword') return { ...node, namespace: name === '' ? null : name, automatic: true };
      throw parseError('Symbols as keys of #::{…} are not supported; write the namespace', node.start);
    });
  }

  #readTaggedForm(start: number): Syntax {
    const tag = this.#token(start + 1);
    if (tag === '') throw parseError('Nothing follows #', start);
    if (tag !== 'inst' && tag !== 'uuid') {
      throw parseError(`No reader function for tag ${tag.slice(0, 64)}; only #inst and #uuid are known`, start);
    }
    const operand = this.#readAfterPrefix(start, `#${tag}`);
    const value = readTagged(tag, operand);
    if (!value.ok) throw parseError(value.message, operand.start);
    return { kind: 'literal', value: value.value, start, end: this.#index };
  }
}

function isMetadata(node: Syntax): boolean {
  return node.kind === 'symbol' || node.kind === 'keyword' || node.kind === 'map' || node.kind === 'vector';
}
