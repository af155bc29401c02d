import type { ListNode, Syntax, SymbolNode } from '../../syntax.ts';
import type { Analyser } from '../analyser.ts';
import { invalidArity, invalidForm } from '../faults.ts';
import { supportCall, type Node } from '../ir.ts';
import type { Context } from '../scope.ts';
import { thunk } from './sequences.ts';

/** `(binding [var value …] body…)`: all values are computed before the first variable gets one. */
export function bindingForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, vector, ...body] = node.items;
  if (vector === undefined || vector.kind !== 'vector')
    throw invalidForm(vector ?? node, 'binding requires a vector for its binding');
  if (vector.items.length % 2 !== 0)
    throw invalidForm(vector, 'binding requires an even number of forms in binding vector');
  const parts = vector.items.flatMap((item, index) => {
    const value = vector.items[index + 1];
    if (index % 2 === 1 || value === undefined) return [];
    return [variableNode(analyser, 'binding', item, context), analyser.operand(value, context)];
  });
  return supportCall(node, 'withBindings', [thunk(analyser, node, body, context), ...parts]);
}

/** `(set! var value)` of a variable that is bound. */
export function setForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, target, value] = node.items;
  if (target === undefined || value === undefined || node.items.length !== 3)
    throw invalidArity(node, 'set!', 'a variable and a value', node.items.length - 1);
  return supportCall(node, 'setBound', [
    variableNode(analyser, 'set!', target, context),
    analyser.operand(value, context),
  ]);
}

function variableNode(analyser: Analyser, form: string, name: Syntax, context: Context): Node {
  if (name.kind !== 'symbol') throw invalidForm(name, `${form} takes the name of a variable`);
  const meaning = analyser.names.resolve(name, { ...context, scope: null });
  if (meaning.kind === 'variable') return { kind: 'variable-object', variable: meaning.variable };
  if (meaning.kind === 'unresolved')
    return { kind: 'variable-object', variable: { namespace: analyser.names.current, name: name.name } };
  throw invalidForm(name, unbindable(form, name));
}

function unbindable(form: string, name: SymbolNode): string {
  return `${form}: ${name.name} is no variable that can be bound; define one with (def ^:dynamic *name* value)`;
}
