import { keyword } from '../../../runtime/values/keyword.ts';
import { vector } from '../../../runtime/values/vector.ts';
import { listNode, symbolNode, vectorNode, type ListNode, type Syntax, type SymbolNode } from '../../syntax.ts';
import type { Analyser } from '../analyser.ts';
import { arityFault, invalidForm } from '../faults.ts';
import {
  constant,
  sequence,
  supportCall,
  variable,
  type FunctionNode,
  type Local,
  type Node,
  type VariableReference,
} from '../ir.ts';
import { operandOf, type Context } from '../scope.ts';
import { definedName, isPrivateName, parameterLists, variableMetadata, variableObject } from './definitions.ts';
import { ownImplementations } from './implementations.ts';
import { classNamePart } from '../../class-names.ts';

/** `(defrecord Name [fields] Protocol (method …)…)`: the class, `->Name` and `map->Name`. */
export function defrecordForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const name = definedName(analyser, node, 'defrecord');
  const [, , fieldVector, ...rest] = node.items;
  const fields = fieldNames(node, fieldVector);
  const { current } = analyser.names;
  const isPrivate = isPrivateName(name);
  const arities = { fixed: [fields.length], variadicFrom: null };
  analyser.names.define({ name: name.name, kind: 'record', isPrivate, arities });
  analyser.names.define({ name: `->${name.name}`, kind: 'function', isPrivate, arities });
  analyser.names.define({
    name: `map->${name.name}`,
    kind: 'function',
    isPrivate,
    arities: { fixed: [1], variadicFrom: null },
  });
  const keys = vector(fields.map((field) => keyword(null, field)));
  const implementations = ownImplementations(
    analyser,
    node,
    withoutOptions(rest),
    { form: 'defrecord', fields },
    operandOf(context),
  );
  const meta = variableMetadata(analyser, name, { doc: undefined, attributes: undefined, arglists: null }, context);
  const made = supportCall(node, 'defineRecord', [
    variableObject(analyser, name),
    constant(keys),
    implementations,
    meta,
  ]);
  const reference = { namespace: current, name: name.name };
  const className = `${classNamePart(current)}.${name.name}`;
  const positional = `Positional factory function for class ${className}.`;
  const fromMap = `Factory function for class ${className}, taking a map of keywords to field values.`;
  return sequence([
    made,
    factory(
      analyser,
      node,
      { name: `->${name.name}`, doc: positional, parameters: fields, support: 'newRecord', reference },
      context,
    ),
    factory(
      analyser,
      node,
      { name: `map->${name.name}`, doc: fromMap, parameters: ['m'], support: 'recordFromMap', reference },
      context,
    ),
    variable(node, reference),
  ]);
}

function fieldNames(node: ListNode, fields: Syntax | undefined): readonly string[] {
  if (fields === undefined || fields.kind !== 'vector')
    throw invalidForm(fields ?? node, 'defrecord: No fields vector given');
  const names = fields.items.map((field) => {
    if (field.kind !== 'symbol' || field.namespace !== null)
      throw invalidForm(field, 'defrecord: fields must be plain symbols');
    if (RESERVED.has(field.name)) throw invalidForm(field, `defrecord: the field name ${field.name} is reserved`);
    return field.name;
  });
  if (new Set(names).size < names.length) throw invalidForm(fields, 'defrecord: a field is named twice');
  return names;
}

const RESERVED: ReadonlySet<string> = new Set(['__meta', '__extmap', '__hash', '__hasheq', '&']);

/** Options such as `:load-ns true` do nothing. */
function withoutOptions(parts: readonly Syntax[]): readonly Syntax[] {
  return parts[0]?.kind === 'keyword' ? withoutOptions(parts.slice(2)) : parts;
}

interface Factory {
  readonly name: string;
  readonly doc: string;
  readonly parameters: readonly string[];
  readonly support: string;
  readonly reference: VariableReference;
}

function factory(
  analyser: Analyser,
  node: ListNode,
  { name, doc, parameters, support, reference }: Factory,
  context: Context,
): Node {
  const locals: Local[] = parameters.map((parameter) => analyser.locals.named(parameter));
  const body = supportCall(node, support, [
    variable(node, reference),
    ...locals.map((local): Node => ({ kind: 'local', local })),
  ]);
  const made: FunctionNode = {
    kind: 'function',
    id: analyser.locals.functionIdentifier(name),
    displayName: `${reference.namespace}/${name}`,
    arities: [{ parameters: locals, rest: null, target: analyser.locals.jump([...locals]), body }],
    captures: [],
    start: node.start,
    end: node.end,
  };
  const symbol: SymbolNode = symbolNode(node, null, name);
  const clause = listNode(node, [
    vectorNode(
      node,
      parameters.map((parameter) => symbolNode(node, null, parameter)),
    ),
  ]);
  const docNode: Syntax = { kind: 'literal', value: doc, start: node.start, end: node.end };
  const meta = variableMetadata(
    analyser,
    symbol,
    { doc: docNode, attributes: undefined, arglists: parameterLists(analyser, [clause]) },
    context,
  );
  return supportCall(node, 'defineVariable', [variableObject(analyser, symbol), made, meta]);
}

/** `(reify Protocol (method [this …] …)…)`. */
export function reifyForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const className = `${classNamePart(analyser.names.current)}$reify__${node.start}`;
  const implementations = ownImplementations(
    analyser,
    node,
    withoutOptions(node.items.slice(1)),
    { form: 'reify', fields: [] },
    operandOf(context),
  );
  return analyser.withMetadata(node, supportCall(node, 'reify', [constant(className), implementations]), context);
}

/** `(Name. values…)` and `(new Name values…)` of a record. */
export function recordConstruction(
  analyser: Analyser,
  node: ListNode,
  named: string,
  args: readonly Syntax[],
  context: Context,
): Node {
  const reference = analyser.names.recordNamed(named);
  if (reference === null) throw invalidForm(node, `${named} is no record`);
  const fixed = analyser.names.definition(reference)?.arities?.fixed ?? [];
  if (!fixed.includes(args.length)) throw arityFault(node, `${named}.`, fixed.join(' or '), args.length);
  return supportCall(node, 'newRecord', [variable(node, reference), ...analyser.operands(args, context)]);
}
