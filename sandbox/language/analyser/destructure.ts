import { keyword } from '../../runtime/values/keyword.ts';
import { symbol } from '../../runtime/values/symbol.ts';
import type { Hint } from '../hints.ts';
import {
  isKeywordNamed,
  isSymbolNamed,
  symbolNode,
  type KeywordNode,
  type MapNode,
  type Syntax,
  type VectorNode,
} from '../syntax.ts';
import type { Analyser } from './analyser.ts';
import { unsupportedPattern } from './faults.ts';
import { constant, supportCall, type Binding, type Node } from './ir.ts';
import { mapPattern } from './map-pattern.ts';
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
    const local = this.#analyser.locals.named(name);
    this.bindings.push({ local, value });
    this.context = withLocals(this.context, [local]);
    return { kind: 'local', local };
  }

  /** Makes a value one that can be asked for several times. */
  #hold(value: Node, hint: Hint): Node {
    if (value.kind === 'local' || value.kind === 'constant') return value;
    const local = this.#analyser.locals.hidden(hint);
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
    const { whole, defaults, entries } = mapPattern(pattern, (found) => this.#analyser.names.keywordNamespace(found));
    const expressions = defaultExpressions(defaults);
    if (whole !== null) this.bind(whole, source);
    for (const entry of entries) {
      if (entry.kind === 'keyed')
        this.#lookup(entry.target, this.#analyser.operand(entry.key, this.context), source, expressions);
      else this.#listed(entry.directive, entry.target, source, expressions);
    }
  }

  /** A name in a directive: `:keys [a]`, `:n/keys [a]`, `:strs [a]`, `:syms [n/a]`. */
  #listed(directive: KeywordNode, item: Syntax, source: Node, defaults: ReadonlyMap<string, Syntax>): void {
    if (item.kind !== 'symbol' && item.kind !== 'keyword')
      throw unsupportedPattern(item, `:${directive.name} takes a vector of names`);
    const own = item.kind === 'keyword' ? this.#analyser.names.keywordNamespace(item) : item.namespace;
    const namespace = this.#analyser.names.keywordNamespace(directive) ?? own;
    this.#lookup(
      symbolNode(item, null, item.name),
      constant(keyOf(directive.name, namespace, item.name)),
      source,
      defaults,
    );
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

/** The expressions of `:or`, by local name. */
function defaultExpressions(defaults: Syntax | null): ReadonlyMap<string, Syntax> {
  const expressions = new Map<string, Syntax>();
  if (defaults === null) return expressions;
  if (defaults.kind !== 'map') throw unsupportedPattern(defaults, ':or takes a map of local names to expressions');
  for (let index = 0; index + 1 < defaults.items.length; index += 2) {
    const name = defaults.items[index];
    const expression = defaults.items[index + 1];
    if (name === undefined || expression === undefined) continue;
    if (name.kind !== 'symbol') throw unsupportedPattern(name, ':or takes a map of local names to expressions');
    expressions.set(name.name, expression);
  }
  return expressions;
}
