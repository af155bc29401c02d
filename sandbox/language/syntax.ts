import type { UnnamedValue } from './analyser/scope.ts';

/**
 * Syntax nodes: what the reader makes of a text. Every node knows the UTF-16 offsets of its first unit and of the
 * unit after its last one, so that every fault can name the exact form.
 */

interface Place {
  readonly start: number;
  readonly end: number;
}

/** A scalar whose value needs no further work: nil, boolean, number, string, character, date, identifier. */
export interface LiteralNode extends Place {
  readonly kind: 'literal';
  readonly value: unknown;
}

export interface KeywordNode extends Place {
  readonly kind: 'keyword';
  /** Namespace, or the alias of `::alias/name`. */
  readonly namespace: string | null;
  readonly name: string;
  /** Written with two colons: the namespace is the current one or that of an alias. */
  readonly automatic: boolean;
}

export interface SymbolNode extends Place {
  readonly kind: 'symbol';
  readonly namespace: string | null;
  readonly name: string;
  readonly metadata: readonly Syntax[];
}

export interface RegexNode extends Place {
  readonly kind: 'regex';
  readonly pattern: string;
}

export interface ListNode extends Place {
  readonly kind: 'list';
  readonly items: readonly Syntax[];
  readonly metadata: readonly Syntax[];
  /** Written with a prefix (quote, var, deref) instead of parentheses. */
  readonly prefix: PrefixForm | null;
}

export interface VectorNode extends Place {
  readonly kind: 'vector';
  readonly items: readonly Syntax[];
  readonly metadata: readonly Syntax[];
}

/** Keys and values alternate. */
export interface MapNode extends Place {
  readonly kind: 'map';
  readonly items: readonly Syntax[];
  readonly metadata: readonly Syntax[];
}

export interface SetNode extends Place {
  readonly kind: 'set';
  readonly items: readonly Syntax[];
  readonly metadata: readonly Syntax[];
}

/** `#(…)`; its parameters are the symbols `%1` … `%n` and `%&`. */
export interface ShortFunctionNode extends Place {
  readonly kind: 'short-function';
  readonly parameters: number;
  readonly rest: boolean;
  readonly body: ListNode;
  readonly metadata: readonly Syntax[];
}

/**
 * Where a threading form hands on its value. The analyser makes it; no text reads as one, and it has neither a name
 * nor a form of data.
 */
export interface PlaceholderNode extends Place {
  readonly kind: 'placeholder';
  readonly unnamed: UnnamedValue;
}

export type PrefixForm = 'quote' | 'var' | 'deref';

export type Syntax =
  | LiteralNode
  | KeywordNode
  | SymbolNode
  | RegexNode
  | ListNode
  | VectorNode
  | MapNode
  | SetNode
  | ShortFunctionNode
  | PlaceholderNode;

/** Nodes that a `^` prefix may be before (language.md §2). */
export function admitsMetadata(
  node: Syntax,
): node is SymbolNode | ListNode | VectorNode | MapNode | SetNode | ShortFunctionNode {
  return node.kind !== 'literal' && node.kind !== 'keyword' && node.kind !== 'regex' && node.kind !== 'placeholder';
}

export function symbolNode(place: Place, namespace: string | null, name: string): SymbolNode {
  return { kind: 'symbol', namespace, name, metadata: [], start: place.start, end: place.end };
}

export function listNode(place: Place, items: readonly Syntax[]): ListNode {
  return { kind: 'list', items, metadata: [], prefix: null, start: place.start, end: place.end };
}

export function vectorNode(place: Place, items: readonly Syntax[]): VectorNode {
  return { kind: 'vector', items, metadata: [], start: place.start, end: place.end };
}

export function isSymbolNamed(node: Syntax | undefined, name: string): node is SymbolNode {
  return node !== undefined && node.kind === 'symbol' && node.namespace === null && node.name === name;
}

export function isKeywordNamed(node: Syntax | undefined, name: string): node is KeywordNode {
  return (
    node !== undefined && node.kind === 'keyword' && node.namespace === null && !node.automatic && node.name === name
  );
}

export function isStringLiteral(node: Syntax | undefined): node is LiteralNode & { readonly value: string } {
  return node !== undefined && node.kind === 'literal' && typeof node.value === 'string';
}

/** Whether a form can be read as data: no part of it is a `#(…)` or a placeholder. */
export function isData(node: Syntax): boolean {
  return (
    node.kind !== 'short-function' && node.kind !== 'placeholder' && (!('items' in node) || node.items.every(isData))
  );
}
