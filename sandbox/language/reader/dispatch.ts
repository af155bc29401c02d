import { parseError } from '../compile-failure.ts';
import type { EdnSyntax, Reader } from './reader.ts';
import { readRegexLiteral } from './strings.ts';
import type { Syntax } from '../syntax.ts';
import { readTagged } from './tagged.ts';
import { readIdentifier } from './tokens.ts';

/** Reads a form that begins with `#` (language.md §2). */
export function readDispatch(reader: Reader, start: number): Syntax {
  switch (reader.scanner.source[start + 1]) {
    case '{':
      return reader.readSet(start);
    case '(':
      return reader.readShortFunction(start);
    case '"':
      return readRegex(reader, start);
    case "'":
      return reader.readPrefixed(start, 2, 'var');
    case '^':
      return reader.readWithMetadata(start, 2);
    case '#':
      return readSymbolicValue(reader, start);
    case ':':
      return readNamespacedMap(reader, start);
    case '?':
      throw parseError('Reader conditionals are not supported; write the form itself', start);
    case '=':
      throw parseError('Evaluation while reading is not supported', start);
    case '<':
      throw parseError('Unreadable form', start);
    default:
      return readTaggedForm(reader, start);
  }
}

/** The same in the syntax of clojure.edn. */
export function readEdnDispatch(reader: Reader, start: number, edn: EdnSyntax): Syntax {
  const { scanner } = reader;
  const text = scanner.source[start + 1] ?? '';
  if (text === '{' || text === '^' || text === '#' || text === '<' || (text === ':' && !scanner.startsWith('#::'))) {
    return readDispatch(reader, start);
  }
  if (!/^\p{L}$/u.test(text)) throw parseError(`No dispatch macro for: ${text}`, start);
  const token = scanner.token(start + 1);
  const tag = readIdentifier(token, start + 1);
  if (tag.kind !== 'symbol') throw parseError('Reader tag must be a symbol', start);
  const operand = reader.readAfterPrefix(start, `#${token}`);
  return { kind: 'literal', value: edn.readTagged(tag, operand), start, end: scanner.index };
}

function readRegex({ scanner }: Reader, start: number): Syntax {
  const { value, next } = readRegexLiteral(scanner.source, start + 1);
  scanner.index = next;
  return { kind: 'regex', pattern: value, start, end: next };
}

const SYMBOLIC_VALUES: ReadonlyMap<string, number> = new Map([
  ['Inf', Infinity],
  ['-Inf', -Infinity],
  ['NaN', Number.NaN],
]);

function readSymbolicValue({ scanner }: Reader, start: number): Syntax {
  const token = scanner.token(start + 2);
  const value = SYMBOLIC_VALUES.get(token);
  if (value === undefined)
    throw parseError(`Unknown symbolic value: ##${token.slice(0, 32)}; use ##Inf, ##-Inf or ##NaN`, start);
  return { kind: 'literal', value, start, end: scanner.index };
}

/** `#:name{…}`, `#::{…}` and `#::alias{…}`: keys without a namespace get this one. */
function readNamespacedMap(reader: Reader, start: number): Syntax {
  const { scanner } = reader;
  const prefix = scanner.token(start + 1);
  const automatic = prefix.startsWith('::');
  const name = prefix.slice(automatic ? 2 : 1);
  const width = prefix.length + 2;
  if (scanner.source[start + width - 1] !== '{' || (name === '' && !automatic) || name.includes('/')) {
    throw parseError('A namespaced map is written #:name{…}', start);
  }
  return reader.readMap(start, width, (node) => {
    if (node.kind !== 'keyword' && node.kind !== 'symbol') return node;
    if (node.namespace === '_') return { ...node, namespace: null };
    if (node.namespace !== null || (node.kind === 'keyword' && node.automatic)) return node;
    if (!automatic) return { ...node, namespace: name };
    if (node.kind === 'keyword') return { ...node, namespace: name === '' ? null : name, automatic: true };
    throw parseError('Symbols as keys of #::{…} are not supported; write the namespace', node.start);
  });
}

function readTaggedForm(reader: Reader, start: number): Syntax {
  const { scanner } = reader;
  const tag = scanner.token(start + 1);
  if (tag === '') throw parseError('Nothing follows #', start);
  if (tag !== 'inst' && tag !== 'uuid') {
    throw parseError(`No reader function for tag ${tag.slice(0, 64)}; only #inst and #uuid are known`, start);
  }
  const operand = reader.readAfterPrefix(start, `#${tag}`);
  const value = readTagged(tag, operand);
  if (!value.ok) throw parseError(value.message, operand.start);
  return { kind: 'literal', value: value.value, start, end: scanner.index };
}
