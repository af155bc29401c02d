import { isKeywordNamed, type ListNode, type Syntax } from '../../syntax.ts';
import type { Analyser } from '../analyser.ts';
import { bindPattern } from '../destructure.ts';
import { CompileFailure } from '../../compile-failure.ts';
import { invalidArity, invalidForm } from '../faults.ts';
import { builtinCall, call, constant, NIL, supportCall, type HiddenLocal, type Node } from '../ir.ts';
import { inner, type Context } from '../scope.ts';
import { bindingPair } from './bindings.ts';

/** `(if test then else?)`. */
export function ifForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, test, then, otherwise] = node.items;
  if (test === undefined || then === undefined || node.items.length > 4) {
    throw invalidArity(node, 'if', '2 or 3 parts', node.items.length - 1);
  }
  return {
    kind: 'if',
    test: analyser.operand(test, context),
    then: analyser.analyse(then, inner(context)),
    otherwise: otherwise === undefined ? NIL : analyser.analyse(otherwise, inner(context)),
  };
}

export function ifNotForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, test, then, otherwise] = node.items;
  if (test === undefined || then === undefined || node.items.length > 4) {
    throw invalidArity(node, 'if-not', '2 or 3 parts', node.items.length - 1);
  }
  return {
    kind: 'if',
    test: analyser.operand(test, context),
    then: otherwise === undefined ? NIL : analyser.analyse(otherwise, inner(context)),
    otherwise: analyser.analyse(then, inner(context)),
  };
}

/** `when` and `when-not`. */
export function whenForm(negated: boolean): (analyser: Analyser, node: ListNode, context: Context) => Node {
  return (analyser, node, context) => {
    const [, test, ...body] = node.items;
    if (test === undefined) throw invalidArity(node, negated ? 'when-not' : 'when', 'a test and a body', 0);
    const content = analyser.forms(body, inner(context));
    const tested = analyser.operand(test, context);
    return { kind: 'if', test: tested, then: negated ? NIL : content, otherwise: negated ? content : NIL };
  };
}

export function doForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const forms = node.items.slice(1);
  // Forms of a top-level `do` are top-level forms themselves.
  if (!context.topLevel) return analyser.forms(forms, context);
  const nodes = forms.map((form) => analyser.analyse(form, context));
  return nodes.length === 0 ? NIL : { kind: 'do', forms: nodes };
}

export function commentForm(): Node {
  return NIL;
}

export function logicForm(kind: 'and' | 'or'): (analyser: Analyser, node: ListNode, context: Context) => Node {
  return (analyser, node, context) => {
    const forms = node.items.slice(1);
    const [only] = forms;
    if (only === undefined) return constant(kind === 'and' ? true : null);
    if (forms.length === 1) return analyser.analyse(only, inner(context));
    return logic(kind, forms, analyser, context);
  };
}

/** The last operand of `and` and `or` is a tail position, so it stays one for `recur`. */
function logic(kind: 'and' | 'or', forms: readonly Syntax[], analyser: Analyser, context: Context): Node {
  const last = forms.at(-1);
  if (last === undefined) return NIL;
  const tail = analyser.analyse(last, inner(context));
  const operands = analyser.operands(forms.slice(0, -1), context);
  if (!containsJump(tail)) return { kind, operands: [...operands, tail] };
  let result = tail;
  for (const operand of operands.toReversed()) {
    const local = analyser.locals.hidden(kind);
    const value: Node = { kind: 'local', local };
    const chosen: Node =
      kind === 'and'
        ? { kind: 'if', test: value, then: result, otherwise: value }
        : { kind: 'if', test: value, then: value, otherwise: result };
    result = { kind: 'let', bindings: [{ local, value: operand }], body: chosen };
  }
  return result;
}

/** Whether a tail position jumps: such a node cannot be the operand of an expression. */
function containsJump(node: Node): boolean {
  switch (node.kind) {
    case 'recur':
      return true;
    case 'if':
      return containsJump(node.then) || containsJump(node.otherwise);
    case 'do': {
      const last = node.forms.at(-1);
      return last !== undefined && containsJump(last);
    }
    case 'let':
    case 'letfn':
      return containsJump(node.body);
    case 'case':
      return node.clauses.some((clause) => containsJump(clause.body)) || containsJump(node.otherwise);
    default:
      return false;
  }
}

export function condForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const parts = node.items.slice(1);
  if (parts.length % 2 !== 0) {
    throw new CompileFailure('invalid_cond_form', 'cond requires an even number of forms', node);
  }
  let result: Node = NIL;
  for (let index = parts.length - 2; index >= 0; index -= 2) {
    const test = parts[index];
    const expression = parts[index + 1];
    if (test === undefined || expression === undefined) continue;
    result = {
      kind: 'if',
      test: analyser.operand(test, context),
      then: analyser.analyse(expression, inner(context)),
      otherwise: result,
    };
  }
  return result;
}

/** `(condp pred expr test expr … default?)`, with `test :>> f`. */
export function condpForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, predicate, subject, ...clauses] = node.items;
  if (predicate === undefined || subject === undefined) {
    throw invalidArity(node, 'condp', 'a predicate, an expression and clauses', node.items.length - 1);
  }
  const test = analyser.locals.hidden('pred');
  const value = analyser.locals.hidden('expr');
  const bindings = [
    { local: test, value: analyser.operand(predicate, context) },
    { local: value, value: analyser.operand(subject, context) },
  ];
  return { kind: 'let', bindings, body: condpClauses(analyser, node, clauses, { test, value }, inner(context)) };
}

interface CondpLocals {
  readonly test: HiddenLocal;
  readonly value: HiddenLocal;
}

function condpClauses(
  analyser: Analyser,
  node: ListNode,
  clauses: readonly Syntax[],
  locals: CondpLocals,
  context: Context,
): Node {
  const [first, second, third] = clauses;
  if (first === undefined) return supportCall(node, 'noMatchingClause', [{ kind: 'local', local: locals.value }]);
  if (second === undefined) return analyser.analyse(first, context);
  const matched = call(node, { kind: 'local', local: locals.test }, [
    analyser.operand(first, context),
    { kind: 'local', local: locals.value },
  ]);
  if (!isKeywordNamed(second, '>>')) {
    const then = analyser.analyse(second, context);
    return {
      kind: 'if',
      test: matched,
      then,
      otherwise: condpClauses(analyser, node, clauses.slice(2), locals, context),
    };
  }
  if (third === undefined) throw new CompileFailure('invalid_cond_form', 'condp: a function must follow :>>', node);
  const result = analyser.locals.hidden('result');
  return {
    kind: 'let',
    bindings: [{ local: result, value: matched }],
    body: {
      kind: 'if',
      test: { kind: 'local', local: result },
      then: call(node, analyser.operand(third, context), [{ kind: 'local', local: result }]),
      otherwise: condpClauses(analyser, node, clauses.slice(3), locals, context),
    },
  };
}

interface BindingTest {
  readonly name: string;
  /** The test is "not nil" rather than truth. */
  readonly some: boolean;
  readonly hasElse: boolean;
}

/** `if-let`, `if-some`, `when-let`, `when-some`: any pattern; the test is on the whole value. */
export function bindingConditional(form: BindingTest): (analyser: Analyser, node: ListNode, context: Context) => Node {
  return (analyser, node, context) => {
    const [, vector, ...rest] = node.items;
    const { pattern, value } = bindingPair(node, vector, form.name);
    if (form.hasElse && (rest.length < 1 || rest.length > 2)) {
      throw invalidArity(node, form.name, 'a binding, a form and an optional else form', node.items.length - 1);
    }
    const whole = analyser.locals.hidden('tested');
    const tested: Node = { kind: 'local', local: whole };
    const bound = bindPattern(analyser, pattern, tested, inner(context));
    const bodyContext = { ...bound.context, jump: context.jump };
    const otherwise = form.hasElse ? rest[1] : undefined;
    const content = form.hasElse ? rest.slice(0, 1) : rest;
    return {
      kind: 'let',
      bindings: [{ local: whole, value: analyser.operand(value, context) }],
      body: {
        kind: 'if',
        test: form.some ? builtinCall(node, 'clojure.core/some?', [tested]) : tested,
        then: { kind: 'let', bindings: bound.bindings, body: analyser.body(content, bodyContext) },
        otherwise: otherwise === undefined ? NIL : analyser.analyse(otherwise, inner(context)),
      },
    };
  };
}

/** `(when-first [x xs] body…)`: the source is asked once. */
export function whenFirstForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, vector, ...rest] = node.items;
  const { pattern, value } = bindingPair(node, vector, 'when-first');
  const cells = analyser.locals.hidden('cells');
  const bound = bindPattern(
    analyser,
    pattern,
    supportCall(node, 'first', [{ kind: 'local', local: cells }]),
    inner(context),
  );
  return {
    kind: 'let',
    bindings: [{ local: cells, value: supportCall(node, 'seq', [analyser.operand(value, context)]) }],
    body: {
      kind: 'if',
      test: builtinCall(node, 'clojure.core/some?', [{ kind: 'local', local: cells }]),
      then: {
        kind: 'let',
        bindings: bound.bindings,
        body: analyser.body(rest, { ...bound.context, jump: context.jump }),
      },
      otherwise: NIL,
    },
  };
}

/** `(assert test message?)`. */
export function assertArguments(node: ListNode): { readonly test: Syntax; readonly message: Syntax | undefined } {
  const [, test, message] = node.items;
  if (test === undefined || node.items.length > 3)
    throw invalidArity(node, 'assert', '1 or 2 parts', node.items.length - 1);
  return { test, message };
}

export function misplaced(name: string): (analyser: Analyser, node: ListNode, context: Context) => Node {
  return (_analyser, node) => {
    throw invalidForm(node, `${name} stands only directly inside try`);
  };
}
