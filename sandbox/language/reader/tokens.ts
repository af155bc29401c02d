import { parseError, type CompileFailure } from '../compile-failure.ts';
import type { KeywordNode, LiteralNode, SymbolNode } from '../syntax.ts';

const CONSTANTS = new Map<string, null | boolean>([
  ['nil', null],
  ['true', true],
  ['false', false],
]);

/** Reads a token that is neither a number nor a character: constant, keyword or symbol (language.md §2). */
export function readIdentifier(token: string, start: number): LiteralNode | KeywordNode | SymbolNode {
  const end = start + token.length;
  const constant = CONSTANTS.get(token);
  if (constant !== undefined) return { kind: 'literal', value: constant, start, end };
  if (token.startsWith(':')) return readKeyword(token, start, end);
  const parts = splitName(token);
  if (parts === null || token.endsWith(':') || token.includes('::')) throw invalid(token, start);
  return { kind: 'symbol', namespace: parts.namespace, name: parts.name, metadata: [], start, end };
}

function readKeyword(token: string, start: number, end: number): KeywordNode {
  const automatic = token.startsWith('::');
  const text = token.slice(automatic ? 2 : 1);
  const parts = splitName(text);
  if (parts === null || text.startsWith(':') || text.endsWith(':') || text.includes('::')) throw invalid(token, start);
  return { kind: 'keyword', namespace: parts.namespace, name: parts.name, automatic, start, end };
}

function splitName(text: string): { namespace: string | null; name: string } | null {
  if (text === '') return null;
  if (text === '/') return { namespace: null, name: '/' };
  const slash = text.indexOf('/');
  if (slash < 0) return { namespace: null, name: text };
  const namespace = text.slice(0, slash);
  const name = text.slice(slash + 1);
  return namespace === '' || name === '' || namespace.endsWith(':') ? null : { namespace, name };
}

function invalid(token: string, start: number): CompileFailure {
  return parseError(`Invalid token: ${token.length > 64 ? `${token.slice(0, 64)}...` : token}`, start);
}
