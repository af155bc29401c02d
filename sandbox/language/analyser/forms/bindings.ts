import type { ListNode, Syntax, VectorNode } from '../../syntax.ts';
import type { Analyser } from '../analyser.ts';
import { bindPattern } from '../destructure.ts';
import { invalidArity, invalidForm } from '../faults.ts';
import { constant, type Binding, type Local, type NamedLocal, type Node } from '../ir.ts';
import { operandOf, withLocals, type Context } from '../scope.ts';
import { analyseFunction, functionClauses } from './function.ts';

interface Place {
  readonly start: number;
  readonly end: number;
}

/** The binding vector of a form: an even number of patterns and values. */
export function bindingVector(node: ListNode, name: string): VectorNode {
  const [, vector] = node.items;
  if (vector === undefined || vector.kind !== 'vector')
    throw invalidForm(node, `${name} requires a vector for its binding`);
  if (vector.items.length % 2 !== 0) {
    throw invalidForm(vector, `${name} requires an even number of forms in its binding vector`);
  }
  return vector;
}

/** The one pattern and value of a binding conditional. */
export function bindingPair(
  node: ListNode,
  vector: Syntax | undefined,
  name: string,
): { pattern: Syntax; value: Syntax } {
  if (vector === undefined || vector.kind !== 'vector')
    throw invalidForm(node, `${name} requires a vector for its binding`);
  const [pattern, value] = vector.items;
  if (pattern === undefined || value === undefined || vector.items.length !== 2) {
    throw invalidForm(vector, `${name} requires exactly one pattern and one value in its binding vector`);
  }
  return { pattern, value };
}

export function letForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const { bindings, context: inside } = sequentialBindings(analyser, bindingVector(node, 'let').items, context);
  const body = analyser.body(node.items.slice(2), { ...inside, jump: context.jump });
  return bindings.length === 0 ? body : { kind: 'let', bindings, body };
}

/** Patterns and values in turn, each seeing the names before it. */
export function sequentialBindings(
  analyser: Analyser,
  items: readonly Syntax[],
  context: Context,
): { readonly bindings: readonly Binding[]; readonly context: Context } {
  const bindings: Binding[] = [];
  let inside = operandOf(context);
  for (let index = 0; index + 1 < items.length; index += 2) {
    const pattern = items[index];
    const value = items[index + 1];
    if (pattern === undefined || value === undefined) continue;
    const bound = bindPattern(analyser, pattern, analyser.operand(value, inside), inside);
    bindings.push(...bound.bindings);
    inside = bound.context;
  }
  return { bindings, context: inside };
}

/**
 * `loop`: each pattern that is no plain name gets a hidden loop variable, taken apart again at every turn, as the
 * initial values of later patterns may already use the names of earlier ones.
 */
export function loopForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const { items } = bindingVector(node, 'loop');
  const locals: Local[] = [];
  const named: NamedLocal[] = [];
  const outer: Binding[] = [];
  const patterns: { readonly pattern: Syntax; readonly local: Local }[] = [];
  let inside = operandOf(context);
  for (let index = 0; index + 1 < items.length; index += 2) {
    const pattern = items[index];
    const value = items[index + 1];
    if (pattern === undefined || value === undefined) continue;
    if (pattern.kind === 'symbol' && pattern.namespace === null) {
      const local = analyser.locals.named(pattern.name);
      outer.push({ local, value: analyser.operand(value, inside) });
      locals.push(local);
      named.push(local);
      inside = withLocals(inside, [local]);
      continue;
    }
    const local = analyser.locals.hidden('p');
    outer.push({ local, value: analyser.operand(value, inside) });
    locals.push(local);
    patterns.push({ pattern, local });
    const bound = bindPattern(analyser, pattern, { kind: 'local', local }, inside);
    if (index + 2 < items.length) outer.push(...bound.bindings);
    inside = bound.context;
  }
  const target = analyser.locals.jump(locals);
  let within = withLocals(operandOf(context), named);
  const again: Binding[] = [];
  for (const { pattern, local } of patterns) {
    const bound = bindPattern(analyser, pattern, { kind: 'local', local }, within);
    again.push(...bound.bindings);
    within = bound.context;
  }
  const content = analyser.body(node.items.slice(2), { ...within, jump: target });
  const body: Node = again.length === 0 ? content : { kind: 'let', bindings: again, body: content };
  return { kind: 'loop', bindings: outer, target, body, start: node.start, end: node.end };
}

export function recurForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const target = context.jump;
  if (target === null) throw invalidForm(node, 'Can only recur from tail position, and not across try');
  const args = node.items.slice(1);
  if (args.length !== target.locals.length) {
    throw invalidForm(
      node,
      `Mismatched argument count to recur, expected: ${target.locals.length} args, got: ${args.length}`,
    );
  }
  target.used = true;
  return { kind: 'recur', target, args: analyser.operands(args, context) };
}

/** `(letfn [(name [params] body…)…] body…)`: the functions see each other. */
export function letfnForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, vector, ...body] = node.items;
  if (vector === undefined || vector.kind !== 'vector') throw invalidForm(node, 'letfn requires a vector of functions');
  const clauses = vector.items.map((item) => functionSpecification(item));
  const locals = clauses.map(({ name }) => analyser.locals.named(name, true));
  const inside = withLocals(operandOf(context), locals);
  const bindings = clauses.map(({ name, place, parts }, index): Binding => {
    const displayName = `${analyser.names.current}/${name}`;
    const value = analyseFunction(
      analyser,
      { place, name: null, displayName, clauses: functionClauses(place, parts, 'letfn') },
      inside,
    );
    return { local: locals[index] ?? analyser.locals.named(name, true), value };
  });
  return { kind: 'letfn', bindings, body: analyser.body(body, { ...inside, jump: context.jump }) };
}

function functionSpecification(item: Syntax): { name: string; place: Place; parts: readonly Syntax[] } {
  const head = item.kind === 'list' ? item.items[0] : undefined;
  if (item.kind !== 'list' || head === undefined || head.kind !== 'symbol' || head.namespace !== null) {
    throw invalidForm(item, 'letfn: expected (name [params] body)');
  }
  return { name: head.name, place: item, parts: item.items.slice(1) };
}

/** `(while test body…)`; counts as a loop (language.md §20). */
export function whileForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, test, ...body] = node.items;
  if (test === undefined) throw invalidArity(node, 'while', 'a test and a body', 0);
  const target = analyser.locals.jump([]);
  target.used = true;
  const operand = operandOf(context);
  return {
    kind: 'loop',
    bindings: [],
    target,
    start: node.start,
    end: node.end,
    body: {
      kind: 'if',
      test: analyser.operand(test, operand),
      then: { kind: 'do', forms: [analyser.forms(body, operand), { kind: 'recur', target, args: [] }] },
      otherwise: constant(null),
    },
  };
}
