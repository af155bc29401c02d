import { isSymbolNamed, type ListNode, type Syntax, type VectorNode } from '../../syntax.ts';
import type { Analyser } from '../analyser.ts';
import { bindPattern } from '../destructure.ts';
import { invalidForm } from '../faults.ts';
import {
  constant,
  sequence,
  supportCall,
  type Binding,
  type FunctionArity,
  type FunctionNode,
  type Local,
  type NamedLocal,
  type Node,
} from '../ir.ts';
import { enterFunction, operandOf, withLocals, type Context } from '../scope.ts';

interface Place {
  readonly start: number;
  readonly end: number;
}

export interface FunctionParts {
  readonly place: Place;
  /** The name by which the body may call itself; null for none. */
  readonly name: string | null;
  readonly displayName: string | null;
  /** `([params] body…)`, one or more. */
  readonly clauses: readonly ListNode[];
}

/** `(fn name? [params] body…)` and `(fn name? ([params] body…)…)`. */
export function functionForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, first, ...rest] = node.items;
  const named = first !== undefined && first.kind === 'symbol';
  if (named && first.namespace !== null) throw invalidForm(first, 'The name of a function must be a plain symbol');
  const name = named ? first.name : null;
  // What a threading form hands on would be the function's name, as in Clojure, and that is none.
  const clauses = functionClauses(node, named || first?.kind === 'placeholder' ? rest : node.items.slice(1), 'fn');
  const displayName = name === null ? null : `${analyser.names.current}/${name}`;
  const made = analyseFunction(analyser, { place: node, name, displayName, clauses }, operandOf(context));
  return analyser.withMetadata(node, made, context);
}

/** The clauses of a function body: one parameter vector, or lists that each begin with one. */
export function functionClauses(place: Place, parts: readonly Syntax[], form: string): ListNode[] {
  const [first] = parts;
  if (first === undefined) throw invalidForm(place, `${form} needs a parameter vector`);
  if (first.kind === 'vector') {
    const clause: ListNode = {
      kind: 'list',
      items: parts,
      metadata: [],
      prefix: null,
      start: place.start,
      end: place.end,
    };
    return [clause];
  }
  return parts.map((part) => {
    if (part.kind !== 'list' || part.items[0]?.kind !== 'vector') {
      throw invalidForm(part, `${form}: expected a parameter vector or ([params] body)`);
    }
    return part;
  });
}

export function analyseFunction(analyser: Analyser, parts: FunctionParts, outer: Context): FunctionNode {
  const context = enterFunction(outer);
  const self = parts.name === null ? null : analyser.locals.named(parts.name);
  const own = self === null ? context : withLocals(context, [self]);
  const arities = parts.clauses.map((clause) => analyseArity(analyser, clause, own));
  refuseClashes(parts.place, arities);
  return {
    kind: 'function',
    id:
      self?.id ??
      analyser.locals.functionIdentifier(parts.displayName?.slice(parts.displayName.indexOf('/') + 1) ?? null),
    displayName: parts.displayName,
    arities,
    captures: [...context.functionScope.captures],
    start: parts.place.start,
    end: parts.place.end,
  };
}

function refuseClashes(place: Place, arities: readonly FunctionArity[]): void {
  const variadic = arities.filter((arity) => arity.rest !== null);
  const [rest] = variadic;
  if (variadic.length > 1) throw invalidForm(place, "Can't have more than 1 variadic overload");
  const counts = new Set<number>();
  for (const { parameters, rest: own } of arities) {
    if (own !== null) continue;
    if (counts.has(parameters.length)) throw invalidForm(place, "Can't have 2 overloads with same arity");
    if (rest !== undefined && parameters.length > rest.parameters.length) {
      throw invalidForm(place, "Can't have fixed arity function with more params than variadic function");
    }
    counts.add(parameters.length);
  }
}

function analyseArity(analyser: Analyser, clause: ListNode, outer: Context): FunctionArity {
  const [vector, ...body] = clause.items;
  if (vector === undefined || vector.kind !== 'vector') throw invalidForm(clause, 'Expected a parameter vector');
  const { fixed, rest } = parameterPatterns(vector);
  const patterns: { readonly pattern: Syntax; readonly local: Local }[] = [];
  const named: NamedLocal[] = [];
  const parameterOf = (pattern: Syntax): Local => {
    if (pattern.kind === 'symbol') {
      if (pattern.namespace !== null)
        throw invalidForm(pattern, `Can't use qualified name as parameter: ${pattern.namespace}/${pattern.name}`);
      const local = analyser.locals.named(pattern.name);
      named.push(local);
      return local;
    }
    const local = analyser.locals.hidden('p');
    patterns.push({ pattern, local });
    return local;
  };
  const parameters = fixed.map(parameterOf);
  const restLocal = rest === null ? null : parameterOf(rest);
  const jumpLocals = restLocal === null ? parameters : [...parameters, restLocal];
  const target = analyser.locals.jump([...jumpLocals]);
  let context = withLocals({ ...outer, jump: null, topLevel: false }, named);
  const bindings: Binding[] = [];
  for (const { pattern, local } of patterns) {
    const bound = bindPattern(analyser, pattern, { kind: 'local', local }, context);
    bindings.push(...bound.bindings);
    context = bound.context;
  }
  const content = functionBody(analyser, body, { ...context, jump: target });
  return {
    parameters,
    rest: restLocal,
    target,
    body: bindings.length === 0 ? content : { kind: 'let', bindings, body: content },
  };
}

function parameterPatterns(vector: VectorNode): { fixed: readonly Syntax[]; rest: Syntax | null } {
  const ampersand = vector.items.findIndex((item) => isSymbolNamed(item, '&'));
  if (ampersand < 0) return { fixed: vector.items, rest: null };
  const rest = vector.items[ampersand + 1];
  if (rest === undefined || vector.items.length !== ampersand + 2 || isSymbolNamed(rest, '&')) {
    throw invalidForm(vector, 'Exactly one name or pattern must follow & in a parameter vector');
  }
  return { fixed: vector.items.slice(0, ampersand), rest };
}

/** A body with its optional `:pre`/`:post` map (language.md §9). */
function functionBody(analyser: Analyser, body: readonly Syntax[], context: Context): Node {
  const [first, ...rest] = body;
  if (first === undefined || first.kind !== 'map' || rest.length === 0) return analyser.body(body, context);
  const pre = conditionsOf(first, 'pre');
  const post = conditionsOf(first, 'post');
  const checks = pre.map((condition) => assertion(analyser, condition, operandOf(context)));
  if (post.length === 0)
    return checks.length === 0 ? analyser.body(rest, context) : sequence([...checks, analyser.forms(rest, context)]);
  const result = analyser.locals.named('%');
  const inside = withLocals(operandOf(context), [result]);
  const afterwards = post.map((condition) => assertion(analyser, condition, inside));
  return sequence([
    ...checks,
    {
      kind: 'let',
      bindings: [{ local: result, value: analyser.forms(rest, operandOf(context)) }],
      body: sequence([...afterwards, { kind: 'local', local: result }]),
    },
  ]);
}

function conditionsOf(map: Syntax & { kind: 'map' }, name: string): readonly Syntax[] {
  for (let index = 0; index < map.items.length; index += 2) {
    const key = map.items[index];
    const value = map.items[index + 1];
    if (key?.kind === 'keyword' && key.name === name && key.namespace === null && value !== undefined) {
      if (value.kind !== 'vector') throw invalidForm(value, `:${name} takes a vector of conditions`);
      return value.items;
    }
  }
  return [];
}

/** Raises assertion_error with the text of the form unless its value is truthy. */
export function assertion(analyser: Analyser, form: Syntax, context: Context, message: Node | null = null): Node {
  const failed = supportCall(form, 'assertionFailed', [
    constant(analyser.formText(form)),
    ...(message === null ? [] : [message]),
  ]);
  return { kind: 'if', test: analyser.operand(form, context), then: constant(null), otherwise: failed };
}
