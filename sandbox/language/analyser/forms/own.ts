import { isStringLiteral, isSymbolNamed, type ListNode, type Syntax } from '../../syntax.ts';
import { canonicalProgram } from '../../reader/canonical.ts';
import type { Analyser } from '../analyser.ts';
import { invalidArity } from '../faults.ts';
import { constant, supportCall, type Node } from '../ir.ts';
import type { Context } from '../scope.ts';

/** `(program form…)`: the source of the forms as an opaque value (language.md §14). */
export function programForm(analyser: Analyser, node: ListNode): Node {
  const forms = node.items.slice(1);
  if (forms.length === 0) throw invalidArity(node, 'program', 'one or more forms', 0);
  return supportCall(node, 'program', [constant(canonicalProgram(analyser.source, forms))]);
}

/** The text of a bare symbol, quoted symbol or string; null for anything else. */
function nameOf(node: Syntax): string | null {
  if (isStringLiteral(node)) return node.value;
  if (node.kind === 'symbol') return node.namespace === null ? node.name : `${node.namespace}/${node.name}`;
  const quoted = node.kind === 'list' && isSymbolNamed(node.items[0], 'quote') ? node.items[1] : undefined;
  return quoted === undefined ? null : nameOf(quoted);
}

/** `doc`, `source`, `dir`, `export-meta`, `component`: one name, written bare, quoted or as a string. */
export function introspectionForm(
  name: string,
  optional: boolean,
): (analyser: Analyser, node: ListNode, context: Context) => Node {
  return (analyser, node, context) => {
    const [, argument] = node.items;
    if (node.items.length > 2 || (argument === undefined && !optional)) {
      throw invalidArity(node, name, optional ? 'at most 1 part' : '1 part', node.items.length - 1);
    }
    if (argument === undefined) return supportCall(node, 'introspect', [constant(name), constant(null)]);
    const text = nameOf(argument);
    const value = text === null ? analyser.operand(argument, context) : constant(text);
    return supportCall(node, 'introspect', [constant(name), value]);
  };
}

/** `(apropos x)`: the argument is evaluated. */
export function aproposForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, argument] = node.items;
  if (argument === undefined || node.items.length !== 2)
    throw invalidArity(node, 'apropos', '1 part', node.items.length - 1);
  return supportCall(node, 'introspect', [constant('apropos'), analyser.operand(argument, context)]);
}

/** `(components)`. */
export function componentsForm(_analyser: Analyser, node: ListNode): Node {
  if (node.items.length > 1) throw invalidArity(node, 'components', 'no parts', node.items.length - 1);
  return supportCall(node, 'introspect', [constant('components'), constant(null)]);
}
