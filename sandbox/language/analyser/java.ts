import type { ListNode, Syntax, SymbolNode } from '../syntax.ts';
import { CompileFailure } from '../compile-failure.ts';
import { javaClassNamed } from '../java/classes.ts';
import {
  constructorFault,
  isKnownMethod,
  isStaticMember,
  methodsLike,
  staticFault,
  staticsLike,
} from '../java/checks.ts';
import type { Analyser } from './analyser.ts';
import { invalidForm } from './faults.ts';
import { constant, supportCall, type Node } from './ir.ts';
import { recordConstruction } from './forms/records.ts';
import { javaReason } from '../out-of-scope.ts';
import type { Context } from './scope.ts';

/**
 * Calls written in Java style (functions.md §18): `(.m x …)`, `(Class. …)`, `(Class/new …)`, `(Class/.m x …)` and
 * `(Class/m …)`. Null where the head is a name of the language.
 */
export function javaCall(
  analyser: Analyser,
  node: ListNode,
  head: SymbolNode,
  args: readonly Syntax[],
  context: Context,
): Node | null {
  if (head.namespace === null) {
    if (head.name.startsWith('.-')) return fieldAccess(analyser, node, head, args, context);
    const isMethod = head.name.startsWith('.') && !head.name.startsWith('..') && head.name.length > 1;
    if (isMethod) return methodCall(analyser, node, head.name.slice(1), args, context);
    if (head.name.startsWith('.') || !head.name.endsWith('.')) return null;
    if (analyser.names.recordNamed(head.name.slice(0, -1)) !== null)
      return recordConstruction(analyser, node, head.name.slice(0, -1), args, context);
    const className = javaClassNamed(head.name.slice(0, -1), head);
    if (className === null) throw unknownClass(head, head.name.slice(0, -1));
    return construct(analyser, node, className, args, context);
  }
  const className = javaClassNamed(head.namespace, head);
  if (className === null) return null;
  if (head.name === 'new') return construct(analyser, node, className, args, context);
  if (head.name.startsWith('.')) return methodCall(analyser, node, head.name.slice(1), args, context);
  return staticCall(analyser, node, { className, member: head.name }, args, context);
}

/** `(Class/member args…)`, refused here where no call of it can succeed (functions.md §18). */
function staticCall(
  analyser: Analyser,
  node: ListNode,
  called: { readonly className: string; readonly member: string },
  args: readonly Syntax[],
  context: Context,
): Node {
  const { className, member } = called;
  const fault = staticFault(className, member, args.length);
  if (fault !== null) throw new CompileFailure(fault.reason, fault.message, node, { class: className, member });
  return supportCall(node, 'javaStatic', [constant(className), constant(member), ...analyser.operands(args, context)]);
}

/** `(.-field record)`. */
function fieldAccess(
  analyser: Analyser,
  node: ListNode,
  head: SymbolNode,
  args: readonly Syntax[],
  context: Context,
): Node {
  const [target] = args;
  if (!analyser.names.hasOwnMembers() || target === undefined || args.length !== 1) throw refusedField(head);
  return supportCall(node, 'fieldNamed', [analyser.operand(target, context), constant(head.name.slice(2))]);
}

function refusedField(node: SymbolNode): CompileFailure {
  return invalidForm(node, `Field access ${node.name.slice(0, 64)} is not supported; use a method or (count x)`);
}

function javaHint(name: string): string {
  const reason = javaReason(name);
  return reason === null ? '' : `; ${reason}`;
}

/** What to write instead of a method, else the methods that are spelt like it. */
function methodHint(method: string): string {
  const hint = javaHint(`.${method}`);
  if (hint !== '') return hint;
  const near = methodsLike(method);
  return near.length === 0 ? '' : `; did you mean ${near.map((name) => `.${name}`).join(', ')}?`;
}

function unknownClass(node: SymbolNode, name: string): CompileFailure {
  return new CompileFailure(
    'unsupported_java_class',
    `Unsupported class: ${name.slice(0, 128)}${javaHint(name)}`,
    node,
    {
      class: name.slice(0, 128),
    },
  );
}

function methodCall(
  analyser: Analyser,
  node: ListNode,
  method: string,
  args: readonly Syntax[],
  context: Context,
): Node {
  const [receiver, ...rest] = args;
  if (receiver === undefined) throw invalidForm(node, `Malformed member expression, expecting (.${method} target …)`);
  if (!isKnownMethod(method) && !analyser.names.hasOwnMembers()) {
    const shown = method.slice(0, 128);
    throw new CompileFailure('unsupported_method', `Unsupported method: .${shown}${methodHint(method)}`, node, {
      member: shown,
    });
  }
  return supportCall(node, 'javaMethod', [
    constant(method),
    analyser.operand(receiver, context),
    ...analyser.operands(rest, context),
  ]);
}

function construct(
  analyser: Analyser,
  node: ListNode,
  className: string,
  args: readonly Syntax[],
  context: Context,
): Node {
  const fault = constructorFault(className, args.length);
  if (fault !== null) throw new CompileFailure(fault.reason, fault.message, node, { class: className });
  return supportCall(node, 'javaNew', [constant(className), ...analyser.operands(args, context)]);
}

/** `(new Class args…)`. */
export function newForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, name, ...args] = node.items;
  if (name === undefined || name.kind !== 'symbol') throw invalidForm(node, 'new needs the name of a class');
  if (name.namespace === null && analyser.names.recordNamed(name.name) !== null)
    return recordConstruction(analyser, node, name.name, args, context);
  const className = javaClassNamed(name.name, name);
  if (className === null) throw unknownClass(name, name.name);
  return construct(analyser, node, className, args, context);
}

/** `(. x method args…)`, `(. x (method args…))`, and the same on a class for static members. */
export function dotForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, target, member, ...rest] = node.items;
  if (target === undefined || member === undefined)
    throw invalidForm(node, 'Malformed member expression, expecting (. target member …)');
  const [name, ...args] = member.kind === 'list' ? member.items : [member, ...rest];
  if (name === undefined || name.kind !== 'symbol')
    throw invalidForm(member, 'The member of (. target member) must be a symbol');
  if (name.name.startsWith('-'))
    return fieldAccess(analyser, node, { ...name, name: `.${name.name}` }, [target, ...args], context);
  const className = target.kind === 'symbol' ? javaClassNamed(target.name, target) : null;
  if (className !== null) {
    return staticCall(analyser, node, { className, member: name.name }, args, context);
  }
  return methodCall(analyser, node, name.name, [target, ...args], context);
}

/** A member named as a value: a field, a static method, `Class/.method` or `Class/new`. */
export function refuseUnknownMember(className: string, member: string, node: SymbolNode): void {
  if (
    member === 'new' ||
    (member.startsWith('.') && isKnownMethod(member.slice(1))) ||
    isStaticMember(className, member)
  )
    return;
  const near = staticsLike(className, member);
  const hint = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`;
  throw new CompileFailure(
    'unsupported_java_member',
    `Unsupported member: ${className}/${member.slice(0, 128)}${hint}`,
    node,
    {
      class: className,
      member: member.slice(0, 128),
    },
  );
}
