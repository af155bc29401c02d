import { keyword } from '../../runtime/values/keyword.ts';
import { symbol } from '../../runtime/values/symbol.ts';
import type { MapNode, Syntax, SymbolNode, VectorNode } from '../reader/syntax.ts';
import { isKeywordNamed, isSymbolNamed } from '../reader/syntax.ts';
import type { Analyser } from './analyser.ts';
import { unsupportedPattern } from './faults.ts';
import { constant, supportCall, type Binding, type Node } from './ir.ts';
import { withLocals, type Context } from './scope.ts';

export interface BoundPattern {
  readonly bindings: readonly Binding[];
  /** The context in which the pattern's names are visible. */
  readonly context: Context;
}

/** Bindings that take a value apart by a pattern (language.md §9, destructuring). */
export function bindPattern(analyser: Analyser, pattern: Syntax, value: Node, context: Context): BoundPattern {
  const state = new PatternBindings(analyser, context);
  state.bind(pattern, value);
  return { bindings: state.bindings, context: state.context };
}

class PatternBindings {
  readonly bindings: Binding[] = [];
  context: Context;
  readonly #analyser: Analyser;

  constructor(analyser: Analyser, context: Context) {
    this.#analyser = analyser;
    this.context = { ...context, jump: null, topLevel: false };
  }

  bind(pattern: Syntax, value: Node): void {
    switch (pattern.kind) {
      case 'symbol':
        if (pattern.namespace !== null) {
          throw unsupportedPattern(pattern, `Can't bind qualified name: ${pattern.namespace}/${pattern.name}`);
        }
        this.#name(pattern.name, value);
        return;
      case 'vector':
        this.#vector(pattern, value);
        return;
      case 'map':
        this.#map(pattern, value);
        return;
      default:
        throw unsupportedPattern(pattern, 'Unsupported binding form; use a symbol, a vector or a map');
    }
  }

  #name(name: string, value: Node): Node {
    const local = this.#analyser.locals.local(name);
    this.bindings.push({ local, value });
    this.context = withLocals(this.context, [local]);
    return { kind: 'local', local };
  }

  /** Holds a value under a name that no program can write. */
  #hold(value: Node, hint: string): Node {
    if (value.kind === 'local' || value.kind === 'constant') return value;
    const local = this.#analyser.locals.local(hint);
    this.bindings.push({ local, value });
    return { kind: 'local', local };
  }

  #vector(pattern: VectorNode, value: Node): void {
    const { items } = pattern;
    const source = this.#hold(value, 'source');
    const all = items.findIndex((item) => isKeywordNamed(item, 'as'));
    const elements = all < 0 ? items : items.slice(0, all);
    if (all >= 0) {
      const name = items[all + 1];
      if (name === undefined || name.kind !== 'symbol' || items.length !== all + 2) {
        throw unsupportedPattern(pattern, 'One name must follow :as, at the end of the pattern');
      }
    }
    const ampersand = elements.findIndex((item) => isSymbolNamed(item, '&'));
    const fixed = ampersand < 0 ? elements : elements.slice(0, ampersand);
    if (ampersand >= 0 && elements.length !== ampersand + 2) {
      throw unsupportedPattern(pattern, 'Exactly one name or pattern must follow & in a pattern');
    }
    const rest = ampersand < 0 ? undefined : elements[ampersand + 1];
    if (rest === undefined) this.#byIndex(fixed, source);
    else this.#bySeq(pattern, fixed, rest, source);
    const name = items[all + 1];
    if (all >= 0 && name !== undefined) this.bind(name, source);
  }

  #byIndex(fixed: readonly Syntax[], source: Node): void {
    fixed.forEach((item, index) => {
      this.bind(item, supportCall(item, 'nthOr', [source, constant(index), constant(null)]));
    });
  }

  /** With a rest the source is walked once as a seq, so that a lazy one is realised no further than needed. */
  #bySeq(pattern: VectorNode, fixed: readonly Syntax[], rest: Syntax, source: Node): void {
    let at = this.#hold(supportCall(pattern, 'seq', [source]), 'at');
    fixed.forEach((item) => {
      this.bind(item, supportCall(item, 'first', [at]));
      at = this.#hold(supportCall(item, 'next', [at]), 'at');
    });
    if (rest.kind === 'map') this.#map(rest, at);
    else this.bind(rest, at);
  }

  #map(pattern: MapNode, value: Node): void {
    const source = this.#hold(supportCall(pattern, 'patternMap', [value]), 'source');
    const defaults = this.#defaults(pattern);
    for (const [key, target] of entries(pattern)) {
      if (isKeywordNamed(key, 'as')) this.bind(target, source);
      else if (!isKeywordNamed(key, 'or')) this.#entry(key, target, source, defaults);
    }
  }

  #defaults(pattern: MapNode): ReadonlyMap<string, Syntax> {
    const defaults = new Map<string, Syntax>();
    for (const [key, target] of entries(pattern)) {
      if (!isKeywordNamed(key, 'or')) continue;
      if (target.kind !== 'map') throw unsupportedPattern(target, ':or takes a map of local names to expressions');
      for (const [name, expression] of entries(target)) {
        if (name.kind !== 'symbol') throw unsupportedPattern(name, ':or takes a map of local names to expressions');
        defaults.set(name.name, expression);
      }
    }
    return defaults;
  }

  #entry(key: Syntax, target: Syntax, source: Node, defaults: ReadonlyMap<string, Syntax>): void {
    if (key.kind === 'keyword') {
      if (key.name === 'keys' || key.name === 'strs' || key.name === 'syms') {
        this.#directive(key, target, source, defaults);
        return;
      }
      throw unsupportedPattern(key, `Unsupported key in a map pattern: :${key.name}; write {name :key}`);
    }
    const expression = this.#analyser.operand(target, this.context);
    this.#lookup(key, expression, source, defaults);
  }

  #directive(key: Syntax & { kind: 'keyword' }, target: Syntax, source: Node, defaults: ReadonlyMap<string, Syntax>): void {
    if (target.kind !== 'vector') throw unsupportedPattern(target, `:${key.name} takes a vector of names`);
    const prefix = this.#analyser.names.keywordNamespace(key);
    for (const item of target.items) {
      const named = item.kind === 'symbol' || item.kind === 'keyword';
      if (!named) throw unsupportedPattern(item, `:${key.name} takes a vector of names`);
      const own = item.kind === 'keyword' ? this.#analyser.names.keywordNamespace(item) : item.namespace;
      const namespace = prefix ?? own;
      const name: SymbolNode = { kind: 'symbol', namespace: null, name: item.name, metadata: [], start: item.start, end: item.end };
      this.#lookup(name, constant(keyOf(key.name, namespace, item.name)), source, defaults);
    }
  }

  #lookup(target: Syntax, key: Node, source: Node, defaults: ReadonlyMap<string, Syntax>): void {
    const fallback = target.kind === 'symbol' ? defaults.get(target.name) : undefined;
    if (fallback === undefined) {
      this.bind(target, supportCall(target, 'get', [source, key]));
      return;
    }
    // As the reference has it, the expression is evaluated even where the key is there.
    this.bind(target, supportCall(target, 'getOr', [source, key, this.#analyser.operand(fallback, this.context)]));
  }
}

function keyOf(directive: string, namespace: string | null, name: string): unknown {
  if (directive === 'keys') return keyword(namespace, name);
  return directive === 'syms' ? symbol(namespace, name) : name;
}

function entries(pattern: MapNode): (readonly [Syntax, Syntax])[] {
  const pairs: (readonly [Syntax, Syntax])[] = [];
  for (let index = 0; index + 1 < pattern.items.length; index += 2) {
    const key = pattern.items[index];
    const value = pattern.items[index + 1];
    if (key !== undefined && value !== undefined) pairs.push([key, value]);
  }
  return pairs;
}
