import { isSymbolNamed, listNode, type ListNode, type PlaceholderNode, type Syntax } from '../../syntax.ts';
import { CompileFailure } from '../../compile-failure.ts';
import type { Analyser } from '../analyser.ts';
import { builtinCall, NIL, type Binding, type HiddenLocal, type Node } from '../ir.ts';
import { inner, operandOf, withLocals, type Context } from '../scope.ts';

type Place = 'first' | 'last';

type Handler = (analyser: Analyser, node: ListNode, context: Context) => Node;

interface Insertion {
  readonly step: Syntax;
  readonly value: Syntax;
  readonly place: Place;
  readonly context: Context;
}

/** Plain textual insertion: a step that is no list becomes a call (language.md §9). */
function inserted(analyser: Analyser, { step, value, place, context }: Insertion): ListNode {
  if (step.kind === 'short-function') throw functionAsStep(step, '(#(…))');
  if (step.kind !== 'list') return listNode(step, [step, value]);
  const [head, ...rest] = step.items;
  if (head === undefined) throw new CompileFailure('invalid_thread_form', "Can't thread into an empty list", step);
  // A symbol would become the function's name, as in Clojure.
  const isNamed = value.kind === 'symbol' || value.kind === 'placeholder';
  const isFunction = isSymbolNamed(head, 'fn') && !analyser.names.isUsed('fn', context);
  if (place === 'first' && isFunction && !isNamed) throw functionAsStep(step, '((fn …))');
  return { ...step, prefix: null, items: place === 'first' ? [head, value, ...rest] : [head, ...rest, value] };
}

function functionAsStep(step: Syntax, wrapped: string): CompileFailure {
  return new CompileFailure(
    'invalid_thread_form',
    `A function cannot be a step; wrap it in parentheses, ${wrapped}, or use as->`,
    step,
  );
}

function threadedSource(node: ListNode, name: string): { source: Syntax; steps: readonly Syntax[] } {
  const [, source, ...steps] = node.items;
  if (source === undefined)
    throw new CompileFailure('invalid_thread_form', `${name} needs a value to start with`, node);
  return { source, steps };
}

/** `->` and `->>`. */
export function threadForm(name: string, place: Place): Handler {
  return (analyser, node, context) => {
    const { source, steps } = threadedSource(node, name);
    const whole = steps.reduce((value, step) => inserted(analyser, { step, value, place, context }), source);
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
  const last = rest.at(-1) ?? name;
  const bindings: Binding[] = [];
  let inside = operandOf(context);
  for (const step of [source, ...rest.slice(0, -1)]) {
    const local = analyser.locals.named(name.name);
    bindings.push({ local, value: analyser.operand(step, inside) });
    inside = withLocals(inside, [local]);
  }
  return { kind: 'let', bindings, body: analyser.body([last], { ...inside, jump: context.jump }) };
}

/** One step of a chain: what it makes of the value before it in a place, and how it is written. */
interface Link {
  readonly step: Syntax;
  readonly made: (before: ChainedValue, place: Context) => Node;
}

/** A value that a chain hands on: as a node, and as its placeholder in a step. */
interface ChainedValue {
  readonly value: Node;
  readonly placeholder: PlaceholderNode;
}

/** `written`: the form whose value it is. */
function chainedValue(local: HiddenLocal, written: Syntax, context: Context): ChainedValue {
  const { start, end } = written;
  return {
    value: { kind: 'local', local },
    placeholder: { kind: 'placeholder', unnamed: { local, owner: context.functionScope }, start, end },
  };
}

/** Each link is given the value of the one before it, which is computed once; the last is where `recur` may be. */
function chain(analyser: Analyser, context: Context, source: Syntax, links: readonly Link[]): Node {
  const bindings: Binding[] = [];
  let value = analyser.operand(source, context);
  let written = source;
  links.forEach(({ step, made }, index) => {
    const local = analyser.locals.hidden('step');
    bindings.push({ local, value });
    value = made(
      chainedValue(local, written, context),
      index === links.length - 1 ? inner(context) : operandOf(context),
    );
    written = step;
  });
  return bindings.length === 0 ? value : { kind: 'let', bindings, body: value };
}

/** `cond->` and `cond->>`: tests are not threaded. */
export function condThreadForm(name: string, place: Place): Handler {
  return (analyser, node, context) => {
    const { source, steps } = threadedSource(node, name);
    if (steps.length % 2 !== 0)
      throw new CompileFailure('invalid_thread_form', `${name} needs pairs of test and step`, node);
    const links: Link[] = [];
    for (let index = 0; index + 1 < steps.length; index += 2) {
      const test = steps[index];
      const step = steps[index + 1];
      if (test === undefined || step === undefined) continue;
      const made = ({ value, placeholder }: ChainedValue, at: Context): Node => ({
        kind: 'if',
        test: analyser.operand(test, at),
        then: analyser.analyse(inserted(analyser, { step, value: placeholder, place, context }), at),
        otherwise: value,
      });
      links.push({ step, made });
    }
    return chain(analyser, context, source, links);
  };
}

/** `some->` and `some->>`: stops at nil. */
export function someThreadForm(name: string, place: Place): Handler {
  return (analyser, node, context) => {
    const { source, steps } = threadedSource(node, name);
    const links = steps.map((step): Link => {
      const made = ({ value, placeholder }: ChainedValue, at: Context): Node => ({
        kind: 'if',
        test: builtinCall(step, 'clojure.core/some?', [value]),
        then: analyser.analyse(inserted(analyser, { step, value: placeholder, place, context }), at),
        otherwise: NIL,
      });
      return { step, made };
    });
    return chain(analyser, context, source, links);
  };
}

/** `(doto x step…)`: the steps run for their effects, the value is x. */
export function dotoForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const { source, steps } = threadedSource(node, 'doto');
  const local = analyser.locals.hidden('target');
  const inside = operandOf(context);
  const { value, placeholder } = chainedValue(local, source, inside);
  const effects = steps.map((step) =>
    analyser.operand(inserted(analyser, { step, value: placeholder, place: 'first', context }), inside),
  );
  return {
    kind: 'let',
    bindings: [{ local, value: analyser.operand(source, context) }],
    body: { kind: 'do', forms: [...effects, value] },
  };
}
