import type { ListNode, Syntax } from '../../reader/syntax.ts';
import { isSymbolNamed, listNode } from '../../reader/syntax.ts';
import { CompileFailure } from '../../compile-failure.ts';
import type { Analyser } from '../analyser.ts';
import { builtinCall, NIL, type Binding, type Local, type Node } from '../ir.ts';
import { inner, operandOf, withLocals, type Context } from '../scope.ts';

type Place = 'first' | 'last';

type Handler = (analyser: Analyser, node: ListNode, context: Context) => Node;

/** Where a threaded value stands for a name that no program can write. */
function placeholder(node: Syntax, local: Local): Syntax {
  return { kind: 'symbol', namespace: null, name: local.name, metadata: [], start: node.start, end: node.end };
}

/** Plain textual insertion: a step that is no list becomes a call (language.md §9). */
function inserted(step: Syntax, value: Syntax, place: Place): ListNode {
  if (step.kind === 'short-function') throw functionAsStep(step, '(#(…))');
  if (step.kind !== 'list') return listNode(step, [step, value]);
  const [head, ...rest] = step.items;
  if (head === undefined) throw new CompileFailure('invalid_thread_form', "Can't thread into an empty list", step);
  // A symbol would become the function's name, as in Clojure.
  if (place === 'first' && isSymbolNamed(head, 'fn') && value.kind !== 'symbol') throw functionAsStep(step, '((fn …))');
  return { ...step, prefix: null, items: place === 'first' ? [head, value, ...rest] : [head, ...rest, value] };
}

function functionAsStep(step: Syntax, wrapped: string): CompileFailure {
  return new CompileFailure('invalid_thread_form', `A function cannot be a step; wrap it in parentheses, ${wrapped}, or use as->`, step);
}

function threadedSource(node: ListNode, name: string): { source: Syntax; steps: readonly Syntax[] } {
  const [, source, ...steps] = node.items;
  if (source === undefined) throw new CompileFailure('invalid_thread_form', `${name} needs a value to start with`, node);
  return { source, steps };
}

/** `->` and `->>`. */
export function threadForm(name: string, place: Place): Handler {
  return (analyser, node, context) => {
    const { source, steps } = threadedSource(node, name);
    const whole = steps.reduce((value, step) => inserted(step, value, place), source);
    return analyser.analyse(whole, inner(context));
  };
}

/** `(.. x (method a) field)`: each step is a method call on what comes before. */
export function dotDotForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const { source, steps } = threadedSource(node, '..');
  const dot: Syntax = { kind: 'symbol', namespace: null, name: '.', metadata: [], start: node.start, end: node.end };
  const whole = steps.reduce<Syntax>((value, step) => listNode(node, [dot, value, step]), source);
  return analyser.analyse(whole, inner(context));
}

/** `(as-> value name step…)`. */
export function asThreadForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const { source, steps } = threadedSource(node, 'as->');
  const [name, ...rest] = steps;
  if (name === undefined || name.kind !== 'symbol') {
    throw new CompileFailure('invalid_placeholder', 'as-> needs a plain symbol as its name', name ?? node);
  }
  return chain(analyser, context, source, rest, (step, _value, local) => ({ step, local: { ...local, name: name.name } }));
}

interface Link {
  readonly step: Syntax;
  readonly local: Local;
}

/** A chain of bindings, each step seeing the value before it under a name. */
function chain(
  analyser: Analyser,
  context: Context,
  source: Syntax,
  steps: readonly Syntax[],
  link: (step: Syntax, value: Syntax, local: Local) => Link,
): Node {
  const bindings: Binding[] = [];
  let inside = operandOf(context);
  let value = analyser.operand(source, context);
  for (const step of steps) {
    const made = analyser.locals.hidden('step');
    const { step: form, local } = link(step, placeholder(step, made), made);
    bindings.push({ local, value });
    inside = withLocals(inside, [local]);
    value = analyser.operand(form, inside);
  }
  return bindings.length === 0 ? value : { kind: 'let', bindings, body: value };
}

/** `cond->` and `cond->>`: tests are not threaded. */
export function condThreadForm(name: string, place: Place): Handler {
  return (analyser, node, context) => {
    const { source, steps } = threadedSource(node, name);
    if (steps.length % 2 !== 0) throw new CompileFailure('invalid_thread_form', `${name} needs pairs of test and step`, node);
    const bindings: Binding[] = [];
    let inside = operandOf(context);
    let value = analyser.operand(source, context);
    for (let index = 0; index + 1 < steps.length; index += 2) {
      const test = steps[index];
      const step = steps[index + 1];
      if (test === undefined || step === undefined) continue;
      const local = analyser.locals.hidden('step');
      bindings.push({ local, value });
      inside = withLocals(inside, [local]);
      value = {
        kind: 'if',
        test: analyser.operand(test, inside),
        then: analyser.operand(inserted(step, placeholder(step, local), place), inside),
        otherwise: { kind: 'local', local },
      };
    }
    return bindings.length === 0 ? value : { kind: 'let', bindings, body: value };
  };
}

/** `some->` and `some->>`: stops at nil. */
export function someThreadForm(name: string, place: Place): Handler {
  return (analyser, node, context) => {
    const { source, steps } = threadedSource(node, name);
    const bindings: Binding[] = [];
    let inside = operandOf(context);
    let value = analyser.operand(source, context);
    for (const step of steps) {
      const local = analyser.locals.hidden('step');
      bindings.push({ local, value });
      inside = withLocals(inside, [local]);
      const before: Node = { kind: 'local', local };
      value = {
        kind: 'if',
        test: builtinCall(step, 'clojure.core/some?', [before]),
        then: analyser.operand(inserted(step, placeholder(step, local), place), inside),
        otherwise: NIL,
      };
    }
    return bindings.length === 0 ? value : { kind: 'let', bindings, body: value };
  };
}

/** `(doto x step…)`: the steps run for their effects, the value is x. */
export function dotoForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const { source, steps } = threadedSource(node, 'doto');
  const local = analyser.locals.hidden('target');
  const inside = withLocals(operandOf(context), [local]);
  const effects = steps.map((step) => analyser.operand(inserted(step, placeholder(step, local), 'first'), inside));
  return {
    kind: 'let',
    bindings: [{ local, value: analyser.operand(source, context) }],
    body: { kind: 'do', forms: [...effects, { kind: 'local', local }] },
  };
}
