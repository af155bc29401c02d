import { formsOf, isBranch, type TextNode } from './text-tree.ts';
import { SPECIAL_NAMES } from '../analyser/forms/names.ts';
import { unwrapped, type NodePlace } from './nodes.ts';
import { formWalkers } from './scope-forms.ts';

/** A name that a form binds, and where it means that. */
export interface ScopedLocal {
  readonly name: string;
  /** Where it is bound. */
  readonly place: NodePlace;
  /** Where it may be seen. */
  readonly reach: NodePlace;
  /** Whether its name is also a key (`:keys`, fields of records), so that it cannot be renamed alone. */
  readonly isKey: boolean;
  readonly uses: NodePlace[];
}

/** A symbol that means no local. */
export interface FreeSymbol extends NodePlace {
  /** As written: a prefix that may be an alias; null without. */
  readonly prefix: string | null;
  readonly name: string;
}

export interface Scopes {
  readonly locals: readonly ScopedLocal[];
  readonly free: readonly FreeSymbol[];
}

/** Names visible at a place. */
export interface Visible {
  readonly parent: Visible | null;
  readonly names: ReadonlyMap<string, ScopedLocal>;
}

/**
 * Which symbols of a text mean which locals, and which mean none, by the binding forms of the language (language.md
 * §9), whatever is wrong with the text.
 */
export function scopesOf(source: string, nodes: readonly TextNode[]): Scopes {
  const walker = new ScopeWalker(source);
  for (const node of formsOf(nodes)) walker.walk(node, null);
  return { locals: walker.locals, free: walker.free };
}

const CONSTANTS: ReadonlySet<string> = new Set(['nil', 'true', 'false', '&']);

export class ScopeWalker {
  readonly locals: ScopedLocal[] = [];
  readonly free: FreeSymbol[] = [];
  readonly #source: string;
  /** Names that the text defines so far, and so no longer name forms. */
  readonly #defined = new Set<string>();

  constructor(source: string) {
    this.#source = source;
  }

  text(node: NodePlace): string {
    return this.#source.slice(node.start, node.end);
  }

  walkAll(nodes: readonly TextNode[], visible: Visible | null): void {
    for (const node of nodes) this.walk(node, visible);
  }

  walk(node: TextNode, visible: Visible | null): void {
    if (node.kind === 'symbol') this.use(node, visible);
    else if (node.kind === 'prefixed') this.#prefixed(node.prefix, formsOf(node.children), visible);
    else if (node.kind === 'list') this.walkList(node, formsOf(node.children), visible);
    else if (isBranch(node)) this.walkAll(formsOf(node.children), visible);
  }

  #prefixed(prefix: string, forms: readonly TextNode[], visible: Visible | null): void {
    const [first, second] = forms;
    if (first === undefined) return;
    if (prefix === '@') this.walk(first, visible);
    else if (prefix === "#'" && first.kind === 'symbol') this.#free(first);
    else if (prefix.endsWith('^') && second !== undefined) {
      // A map is evaluated where the form is; a type hint names no local.
      if (first.kind === 'map') this.walk(first, visible);
      this.walk(second, visible);
    }
  }

  /** A list by its forms, which a threading form may have added to. */
  walkList(node: NodePlace, forms: readonly TextNode[], visible: Visible | null): void {
    const [head, ...rest] = forms;
    if (head === undefined) return;
    const word = head.kind === 'symbol' ? this.text(head).replace(/^(?:clojure\.)?core\/(?=.)/, '') : null;
    const form = word === null ? undefined : formWalkers.get(word);
    if (word !== null && form !== undefined && this.#isForm(word, visible)) {
      this.#free(head);
      form(this, { node, forms: rest, visible, word });
      return;
    }
    if (head.kind !== 'symbol' || !/^\.[^.]|[^.]\.$/.test(this.text(head))) this.walk(head, visible);
    this.walkAll(rest, visible);
  }

  #isForm(word: string, visible: Visible | null): boolean {
    return SPECIAL_NAMES.has(word) || (this.#lookUp(word, visible) === null && !this.#defined.has(word));
  }

  /** From here on the name is a definition of the text. */
  define(name: string): void {
    this.#defined.add(name);
  }

  /** A namespace begins: definitions before it are of another one. */
  enterNamespace(): void {
    this.#defined.clear();
  }

  use(node: TextNode, visible: Visible | null): void {
    const name = this.text(node);
    if (CONSTANTS.has(name) || name.startsWith('%')) return;
    const local = this.#lookUp(name, visible);
    if (local === null) this.#free(node);
    else local.uses.push({ start: node.start, end: node.end });
  }

  #free({ start, end }: NodePlace): void {
    const written = this.#source.slice(start, end);
    const slash = written === '/' ? -1 : written.indexOf('/');
    const prefix = slash > 0 ? written.slice(0, slash) : null;
    this.free.push({ start, end, prefix, name: written.slice(slash > 0 ? slash + 1 : 0) });
  }

  #lookUp(name: string, visible: Visible | null): ScopedLocal | null {
    for (let at = visible; at !== null; at = at.parent) {
      const found = at.names.get(name);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** The place with one more name. */
  bind(node: TextNode, reach: NodePlace, visible: Visible | null, isKey = false): Visible | null {
    if (node.kind !== 'symbol' && node.kind !== 'keyword') return visible;
    const written = this.text(node).replace(/^::?/, '');
    // A directive may list qualified names, whose locals are plain.
    const name = written.slice(written.lastIndexOf('/') + 1);
    if (name === '&' || name === '') return visible;
    const local: ScopedLocal = {
      name,
      place: { start: node.start, end: node.end },
      reach: { start: node.end, end: reach.end },
      isKey,
      uses: [],
    };
    this.locals.push(local);
    return { parent: visible, names: new Map([[name, local]]) };
  }

  /** The place with the names of a pattern (language.md §9, destructuring). */
  bindPattern(pattern: TextNode, reach: NodePlace, visible: Visible | null): Visible | null {
    const node = unwrapped(pattern);
    if (node.kind === 'vector')
      return formsOf(node.children).reduce<Visible | null>(
        (seen, item) => (item.kind === 'keyword' ? seen : this.bindPattern(item, reach, seen)),
        visible,
      );
    if (node.kind === 'map') return this.#bindMap(formsOf(node.children), reach, visible);
    return node.kind === 'symbol' ? this.bind(node, reach, visible) : visible;
  }

  #bindMap(items: readonly TextNode[], reach: NodePlace, visible: Visible | null): Visible | null {
    const pairs: (readonly [key: TextNode, value: TextNode])[] = [];
    for (let index = 0; index + 1 < items.length; index += 2) {
      const [key, value] = [items[index], items[index + 1]];
      if (key !== undefined && value !== undefined) pairs.push([key, value]);
    }
    const directive = (key: TextNode): string | null =>
      key.kind === 'keyword' ? (/^:(?:.*\/)?(keys|strs|syms|as|or)$/.exec(this.text(key))?.[1] ?? 'other') : null;
    const defaults = pairs.find(([key]) => directive(key) === 'or')?.[1];
    const expressions = this.#defaultExpressions(defaults);
    let seen = visible;
    for (const [key, value] of pairs) if (directive(key) === 'as') seen = this.bindPattern(value, reach, seen);
    const first = seen;
    const bound = (target: TextNode, isKey: boolean): void => {
      const plain = unwrapped(target);
      const fallback = expressions.get(this.text(plain).replace(/^:?(?:.*\/)?/, ''));
      if (fallback !== undefined) this.walk(fallback.expression, seen);
      seen = isKey ? this.bind(plain, reach, seen, true) : this.bindPattern(plain, reach, seen);
      // The name in `:or` is that of the local.
      if (fallback !== undefined && seen !== first) this.use(fallback.name, seen);
    };
    for (const [key, value] of pairs) {
      if (directive(key) !== null) continue;
      this.walk(value, seen);
      bound(key, false);
    }
    for (const [key, value] of pairs)
      if (['keys', 'strs', 'syms'].includes(directive(key) ?? '') && isBranch(value))
        for (const item of formsOf(value.children)) bound(item, true);
    return seen;
  }

  #defaultExpressions(
    defaults: TextNode | undefined,
  ): ReadonlyMap<string, { readonly name: TextNode; readonly expression: TextNode }> {
    const items = isBranch(defaults) ? formsOf(defaults.children) : [];
    const expressions = new Map<string, { name: TextNode; expression: TextNode }>();
    for (let index = 0; index + 1 < items.length; index += 2) {
      const [name, expression] = [items[index], items[index + 1]];
      if (name !== undefined && expression !== undefined) expressions.set(this.text(name), { name, expression });
    }
    return expressions;
  }
}
