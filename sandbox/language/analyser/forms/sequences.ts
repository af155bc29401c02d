import type { ListNode, Syntax } from '../../syntax.ts';
import type { Analyser } from '../analyser.ts';
import { bindPattern } from '../destructure.ts';
import { invalidArity, invalidForm } from '../faults.ts';
import { constant, NIL, sequence, supportCall, type Node } from '../ir.ts';
import { enterFunction, operandOf, withLocals, type Context } from '../scope.ts';
import { bindingVector, sequentialBindings } from './bindings.ts';
import { functionClauses, analyseFunction } from './function.ts';

/** One `pattern source` of `for` or `doseq` with the modifiers that follow it. */
interface Level {
  readonly pattern: Syntax;
  readonly source: Syntax;
  readonly modifiers: readonly { readonly name: string; readonly form: Syntax }[];
}

function levelsOf(node: ListNode, name: string): readonly Level[] {
  const { items } = bindingVector(node, name);
  const levels: { pattern: Syntax; source: Syntax; modifiers: { name: string; form: Syntax }[] }[] = [];
  for (let index = 0; index + 1 < items.length; index += 2) {
    const pattern = items[index];
    const form = items[index + 1];
    if (pattern === undefined || form === undefined) continue;
    if (pattern.kind !== 'keyword') {
      levels.push({ pattern, source: form, modifiers: [] });
      continue;
    }
    const level = levels.at(-1);
    if (level === undefined || !['let', 'when', 'while'].includes(pattern.name)) {
      throw invalidForm(pattern, `Invalid '${name}' keyword: :${pattern.name}`);
    }
    level.modifiers.push({ name: pattern.name, form });
  }
  if (levels.length === 0) throw invalidForm(node, `${name} needs at least one binding`);
  return levels;
}

/**
 * `for`: each level is a function from an element to a result, so that a lazy source can be taken one element at a
 * time; `comprehend` collects them and `flat` levels join the sequences of the level inside (language.md §6).
 */
export function forForm(analyser: Analyser, node: ListNode, context: Context): Node {
  if (node.items.length !== 3)
    throw invalidArity(node, 'for', 'a binding vector and one body form', node.items.length - 1);
  const [, , body] = node.items;
  return forLevel(analyser, node, levelsOf(node, 'for'), body ?? node, operandOf(context));
}

function forLevel(analyser: Analyser, node: ListNode, levels: readonly Level[], body: Syntax, context: Context): Node {
  const [level, ...deeper] = levels;
  if (level === undefined) return NIL;
  const source = analyser.operand(level.source, context);
  const inside = enterFunction(context);
  const element = analyser.locals.hidden('element');
  const bound = bindPattern(analyser, level.pattern, { kind: 'local', local: element }, inside);
  const content = modified(analyser, level.modifiers, bound.context, {
    skip: supportCall(node, 'skipElement', []),
    stop: supportCall(node, 'stopElements', []),
    then: (at) => (deeper.length === 0 ? analyser.operand(body, at) : forLevel(analyser, node, deeper, body, at)),
  });
  const step: Node = {
    kind: 'function',
    id: analyser.locals.hidden('each').id,
    displayName: null,
    arities: [
      {
        parameters: [element],
        rest: null,
        target: analyser.locals.jump([element]),
        body: bound.bindings.length === 0 ? content : { kind: 'let', bindings: bound.bindings, body: content },
      },
    ],
    captures: [...inside.functionScope.captures],
    start: node.start,
    end: node.end,
  };
  return supportCall(node, deeper.length === 0 ? 'comprehend' : 'comprehendFlat', [step, source]);
}

interface Modified {
  readonly skip: Node;
  readonly stop: Node;
  readonly then: (context: Context) => Node;
}

function modified(analyser: Analyser, modifiers: Level['modifiers'], context: Context, outcome: Modified): Node {
  const [first, ...rest] = modifiers;
  if (first === undefined) return outcome.then(context);
  if (first.name === 'let') {
    if (first.form.kind !== 'vector' || first.form.items.length % 2 !== 0) {
      throw invalidForm(first.form, ':let takes a vector of an even number of forms');
    }
    const { bindings, context: inside } = sequentialBindings(analyser, first.form.items, context);
    return { kind: 'let', bindings, body: modified(analyser, rest, inside, outcome) };
  }
  return {
    kind: 'if',
    test: analyser.operand(first.form, context),
    then: modified(analyser, rest, context, outcome),
    otherwise: first.name === 'when' ? outcome.skip : outcome.stop,
  };
}

/** `doseq`: walks in place; a level with `:while` asks the body whether to go on. */
export function doseqForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const body = node.items.slice(2);
  return doseqLevel(analyser, node, levelsOf(node, 'doseq'), body, operandOf(context));
}

function doseqLevel(
  analyser: Analyser,
  node: ListNode,
  levels: readonly Level[],
  body: readonly Syntax[],
  context: Context,
): Node {
  const [level, ...deeper] = levels;
  if (level === undefined) return analyser.forms(body, context);
  const element = analyser.locals.hidden('element');
  const bound = bindPattern(analyser, level.pattern, { kind: 'local', local: element }, context);
  const content = modified(analyser, level.modifiers, bound.context, {
    skip: NIL,
    stop: constant(false),
    then: (at) => sequence([doseqLevel(analyser, node, deeper, body, at), NIL]),
  });
  return {
    kind: 'iterate',
    local: element,
    source: analyser.operand(level.source, context),
    body: bound.bindings.length === 0 ? content : { kind: 'let', bindings: bound.bindings, body: content },
    stops: level.modifiers.some((modifier) => modifier.name === 'while'),
    start: node.start,
    end: node.end,
  };
}

/** `(dotimes [i n] body…)`. */
export function dotimesForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const { items } = bindingVector(node, 'dotimes');
  const [name, count] = items;
  if (name === undefined || name.kind !== 'symbol' || count === undefined || items.length !== 2) {
    throw invalidForm(node, 'dotimes takes one name and one count');
  }
  const local = analyser.locals.named(name.name);
  const inside = withLocals(operandOf(context), [local]);
  return {
    kind: 'iterate',
    local,
    source: supportCall(node, 'countUp', [analyser.operand(count, context)]),
    body: sequence([analyser.forms(node.items.slice(2), inside), NIL]),
    stops: false,
    start: node.start,
    end: node.end,
  };
}

/** A body as a function of no arguments, for `lazy-seq`, `delay` and similar. */
export function thunk(analyser: Analyser, node: ListNode, body: readonly Syntax[], context: Context): Node {
  const parameters: Syntax = { kind: 'vector', items: [], metadata: [], start: node.start, end: node.start };
  const clauses = functionClauses(node, [parameters, ...body], 'fn');
  return analyseFunction(analyser, { place: node, name: null, displayName: null, clauses }, operandOf(context));
}

/** Forms whose body is kept as a function: `lazy-seq`, `delay`, `with-out-str`. */
export function thunkForm(support: string): (analyser: Analyser, node: ListNode, context: Context) => Node {
  return (analyser, node, context) => supportCall(node, support, [thunk(analyser, node, node.items.slice(1), context)]);
}

/** `(lazy-cat a b …)`: each part is computed when the ones before it are used up. */
export function lazyCatForm(analyser: Analyser, node: ListNode, context: Context): Node {
  return supportCall(
    node,
    'lazyConcat',
    node.items.slice(1).map((part) => thunk(analyser, node, [part], context)),
  );
}
