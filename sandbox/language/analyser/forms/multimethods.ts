import { isKeywordNamed, isStringLiteral, type ListNode } from '../../syntax.ts';
import { keyword } from '../../../runtime/values/keyword.ts';
import type { Analyser } from '../analyser.ts';
import { invalidForm } from '../faults.ts';
import { constant, NIL, supportCall, type Node } from '../ir.ts';
import { operandOf, type Context } from '../scope.ts';
import { definedName, isPrivateName, variableMetadata, variableObject } from './definitions.ts';
import { analyseFunction, functionClauses } from './function.ts';

/** `(defmulti name doc? attributes? dispatch :default v? :hierarchy h?)`. */
export function defmultiForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const name = definedName(analyser, node, 'defmulti');
  let rest = node.items.slice(2);
  const doc = isStringLiteral(rest[0]) ? rest[0] : undefined;
  if (doc !== undefined) rest = rest.slice(1);
  const attributes = rest[0]?.kind === 'map' ? rest[0] : undefined;
  if (attributes !== undefined) rest = rest.slice(1);
  const [dispatch, ...options] = rest;
  if (dispatch === undefined || options.length % 2 !== 0)
    throw invalidForm(node, 'defmulti needs a name, a dispatch function and options');
  let fallback: Node = constant(keyword(null, 'default'));
  let hierarchy: Node = NIL;
  for (let index = 0; index < options.length; index += 2) {
    const value = options[index + 1];
    if (value === undefined) continue;
    if (isKeywordNamed(options[index], 'default')) fallback = analyser.operand(value, context);
    else if (isKeywordNamed(options[index], 'hierarchy')) hierarchy = analyser.operand(value, context);
    else throw invalidForm(options[index] ?? node, 'defmulti knows the options :default and :hierarchy');
  }
  analyser.names.define({ name: name.name, kind: 'multimethod', isPrivate: isPrivateName(name), arities: null });
  const meta = variableMetadata(analyser, name, { doc, attributes, arglists: null }, context);
  return supportCall(node, 'defineMultimethod', [
    variableObject(analyser, name),
    analyser.operand(dispatch, context),
    fallback,
    hierarchy,
    meta,
  ]);
}

/** `(defmethod name dispatch-value fn-name? [params] body…)`. */
export function defmethodForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, multimethod, dispatchValue, ...rest] = node.items;
  if (multimethod === undefined || dispatchValue === undefined || multimethod.kind !== 'symbol') {
    throw invalidForm(node, 'defmethod needs a multimethod, a dispatch value and a function body');
  }
  const meaning = analyser.names.resolve(multimethod, context);
  if (meaning.kind === 'variable' && !analyser.names.isOwnNamespace(meaning.variable.namespace)) {
    throw invalidForm(multimethod, 'A multimethod of a component cannot be extended from outside');
  }
  const [first, ...others] = rest;
  const named = first !== undefined && first.kind === 'symbol';
  const clauses = functionClauses(node, named ? others : rest, 'defmethod');
  const displayName = `${analyser.names.current}/${named ? first.name : multimethod.name}`;
  const made = analyseFunction(
    analyser,
    { place: node, name: named ? first.name : null, displayName, clauses },
    operandOf(context),
  );
  return supportCall(node, 'addMethod', [
    analyser.operand(multimethod, context),
    analyser.operand(dispatchValue, context),
    made,
  ]);
}
