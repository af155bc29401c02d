import { isKeywordNamed, type ListNode, type Syntax } from '../../syntax.ts';
import { isAssignable, resolveClassName } from '../../../runtime/java/class-relations.ts';
import type { Analyser } from '../analyser.ts';
import { invalidArity, invalidForm } from '../faults.ts';
import { NIL, supportCall, type CatchClause, type Node } from '../ir.ts';
import { operandOf, withLocals, type Context } from '../scope.ts';
import { assertArguments } from './control.ts';
import { assertion } from './function.ts';

function isClause(node: Syntax, name: string): boolean {
  const [head] = node.kind === 'list' ? node.items : [];
  return head !== undefined && head.kind === 'symbol' && head.namespace === null && head.name === name;
}

/** `(try expr* (catch Class name expr*)* (finally expr*)?)`. */
export function tryForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const operand = operandOf(context);
  const body: Syntax[] = [];
  const catches: CatchClause[] = [];
  let finallyBody: Node | null = null;
  for (const form of node.items.slice(1)) {
    if (finallyBody !== null) throw invalidForm(form, 'finally must be the last clause of try');
    if (form.kind !== 'list') body.push(refuseAfterCatch(form, catches));
    else if (isClause(form, 'catch')) catches.push(catchClause(analyser, form, operand));
    else if (isClause(form, 'finally')) finallyBody = analyser.body(form.items.slice(1), operand);
    else body.push(refuseAfterCatch(form, catches));
  }
  const content = analyser.body(body, operand);
  if (catches.length === 0 && finallyBody === null) return content;
  return { kind: 'try', body: content, catches, finallyBody, start: node.start, end: node.end };
}

function refuseAfterCatch(form: Syntax, catches: readonly CatchClause[]): Syntax {
  if (catches.length > 0) throw invalidForm(form, 'Only catch and finally may follow a catch clause');
  return form;
}

function catchClause(analyser: Analyser, node: ListNode, context: Context): CatchClause {
  const [, className, name, ...body] = node.items;
  if (className === undefined || name === undefined) throw invalidForm(node, 'catch needs a class and a name');
  if (name.kind !== 'symbol' || name.namespace !== null)
    throw invalidForm(name, 'catch: the name must be a plain symbol');
  const local = analyser.locals.named(name.name);
  return { className: caughtClass(className), local, body: analyser.body(body, withLocals(context, [local])) };
}

function caughtClass(node: Syntax): string {
  if (isKeywordNamed(node, 'default')) throw invalidForm(node, 'catch: write (catch Throwable e) instead of :default');
  const written =
    node.kind === 'symbol' ? (node.namespace === null ? node.name : `${node.namespace}/${node.name}`) : null;
  const resolved = written === null ? null : resolveClassName(written);
  if (resolved === null || !isAssignable('java.lang.Throwable', resolved)) {
    throw invalidForm(node, 'catch needs the class of an exception; (catch Throwable e) catches all of them');
  }
  return resolved;
}

export function throwForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, value] = node.items;
  if (value === undefined || node.items.length !== 2)
    throw invalidArity(node, 'throw', '1 part', node.items.length - 1);
  return supportCall(node, 'raise', [analyser.operand(value, context)]);
}

export function assertForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const { test, message } = assertArguments(node);
  const shown = message === undefined ? null : analyser.operand(message, context);
  const checked = assertion(analyser, test, operandOf(context), shown);
  return checked.kind === 'if' ? { ...checked, then: NIL } : checked;
}
