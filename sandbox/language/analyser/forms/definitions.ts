import { list } from '../../../runtime/values/seq.ts';
import { vector } from '../../../runtime/values/vector.ts';
import { isStringLiteral, type ListNode, type Syntax, type SymbolNode } from '../../syntax.ts';
import { syntaxValue } from '../../reader/data.ts';
import type { Analyser } from '../analyser.ts';
import { invalidArity, invalidForm } from '../faults.ts';
import { constant, NIL, sequence, supportCall, type FunctionNode, type Node } from '../ir.ts';
import { operandOf, type Context } from '../scope.ts';
import type { Definition } from '../surroundings.ts';
import { analyseFunction, functionClauses } from './function.ts';

/** The symbol that a defining form names; the namespace, if written, must be the current one. */
export function definedName(analyser: Analyser, node: ListNode, form: string): SymbolNode {
  const [, name] = node.items;
  if (name === undefined || name.kind !== 'symbol')
    throw invalidForm(node, `First argument to ${form} must be a symbol`);
  if (name.namespace !== null && name.namespace !== analyser.names.current) {
    throw invalidForm(
      name,
      `Can't define ${name.namespace}/${name.name}: only names of the own namespace can be defined`,
    );
  }
  return name;
}

/** Whether a name carries `^:private`. */
export function isPrivateName(name: SymbolNode): boolean {
  return name.metadata.some(
    (item) =>
      (item.kind === 'keyword' && item.name === 'private') ||
      (item.kind === 'map' &&
        item.items.some((key, index) => index % 2 === 0 && key.kind === 'keyword' && key.name === 'private')),
  );
}

/** What is remembered of a definition while the rest of the text is analysed. */
function functionDefinition(name: SymbolNode, made: FunctionNode, isPrivate: boolean): Definition {
  const variadic = made.arities.find((arity) => arity.rest !== null);
  return {
    name: name.name,
    kind: 'function',
    isPrivate,
    arities: {
      fixed: made.arities.filter((arity) => arity.rest === null).map((arity) => arity.parameters.length),
      variadicFrom: variadic === undefined ? null : variadic.parameters.length,
    },
  };
}

/** `(def name docstring? value?)`. */
export function defForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const name = definedName(analyser, node, 'def');
  const parts = node.items.slice(2);
  const documented = parts.length === 2 && isStringLiteral(parts[0]);
  const value = documented ? parts[1] : parts[0];
  if (parts.length > (documented ? 2 : 1))
    throw invalidArity(node, 'def', 'a name, an optional docstring and a value', parts.length + 1);
  const doc = documented ? parts[0] : undefined;
  const known = analyser.names.ownDefinition(name.name);
  analyser.names.define(
    known ?? {
      name: name.name,
      kind: value === undefined ? 'declared' : 'constant',
      isPrivate: isPrivateName(name),
      arities: null,
    },
  );
  const meta = variableMetadata(analyser, name, { doc, attributes: undefined, arglists: null }, context);
  if (value === undefined) return supportCall(node, 'declareVariable', [variableObject(analyser, name), meta]);
  const made = definedValue(analyser, name, value, context);
  const arities = made.kind === 'function' ? functionDefinition(name, made, false).arities : null;
  analyser.names.define({
    name: name.name,
    kind: made.kind === 'function' ? 'function' : 'constant',
    isPrivate: isPrivateName(name),
    arities,
  });
  return supportCall(node, 'defineVariable', [variableObject(analyser, name), made, meta]);
}

/** A nameless `fn` that is defined takes the name of its variable for messages and printing. */
function definedValue(analyser: Analyser, name: SymbolNode, value: Syntax, context: Context): Node {
  const made = analyser.operand(value, context);
  if (made.kind !== 'function' || made.displayName !== null) return made;
  return { ...made, displayName: `${analyser.names.current}/${name.name}` };
}

export function variableObject(analyser: Analyser, name: SymbolNode): Node {
  return { kind: 'variable-object', variable: { namespace: analyser.names.current, name: name.name } };
}

/** `(defonce name value)`: does nothing where the name already has a value. */
export function defonceForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const name = definedName(analyser, node, 'defonce');
  const defined = defForm(analyser, node, context);
  const test = supportCall(node, 'hasValue', [variableObject(analyser, name)]);
  return { kind: 'if', test, then: NIL, otherwise: defined };
}

export function declareForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const nodes = node.items.slice(1).map((name) => {
    const single: ListNode = { ...node, items: [name, name] };
    const symbolName = definedName(analyser, single, 'declare');
    if (analyser.names.ownDefinition(symbolName.name) === null) {
      analyser.names.define({
        name: symbolName.name,
        kind: 'declared',
        isPrivate: isPrivateName(symbolName),
        arities: null,
      });
    }
    const meta = variableMetadata(
      analyser,
      symbolName,
      { doc: undefined, attributes: undefined, arglists: null },
      context,
    );
    return supportCall(node, 'declareVariable', [variableObject(analyser, symbolName), meta]);
  });
  return sequence(nodes);
}

interface DefnParts {
  readonly name: SymbolNode;
  readonly doc: Syntax | undefined;
  readonly attributes: Syntax | undefined;
  readonly clauses: readonly ListNode[];
}

/** The parts of `(defn name doc? attributes? …)`. */
function defnParts(analyser: Analyser, node: ListNode, form: string): DefnParts {
  const name = definedName(analyser, node, form);
  let rest = node.items.slice(2);
  let doc: Syntax | undefined;
  let attributes: Syntax | undefined;
  if (isStringLiteral(rest[0])) [doc, ...rest] = rest;
  if (rest[0]?.kind === 'map') [attributes, ...rest] = rest;
  const last = rest.at(-1);
  if (attributes === undefined && last?.kind === 'map' && rest.length > 1 && rest[0]?.kind === 'list') {
    attributes = last;
    rest = rest.slice(0, -1);
  }
  if (rest.length === 0) throw invalidForm(node, `${form} needs a parameter vector`);
  return { name, doc, attributes, clauses: functionClauses(node, rest, form) };
}

export function defnForm(isPrivate: boolean): (analyser: Analyser, node: ListNode, context: Context) => Node {
  return (analyser, node, context) => {
    const { name, doc, attributes, clauses } = defnParts(analyser, node, isPrivate ? 'defn-' : 'defn');
    const hidden = isPrivate || isPrivateName(name);
    const known = analyser.names.ownDefinition(name.name);
    if (known === null) analyser.names.define({ name: name.name, kind: 'declared', isPrivate: hidden, arities: null });
    const displayName = `${analyser.names.current}/${name.name}`;
    const made = analyseFunction(analyser, { place: node, name: null, displayName, clauses }, operandOf(context));
    analyser.names.define(functionDefinition(name, made, hidden));
    const arglists = parameterLists(analyser, clauses);
    const meta = variableMetadata(analyser, name, { doc, attributes, arglists, private: hidden }, context);
    return supportCall(node, 'defineVariable', [variableObject(analyser, name), made, meta]);
  };
}

/**
 * Parameter vectors for `:arglists`: the text `x y|x & more` where they hold plain names only, which is how nearly all
 * are written and much shorter in generated code than the data in their place.
 */
export function parameterLists(analyser: Analyser, clauses: readonly ListNode[]): unknown {
  const plain = clauses.map((clause) => {
    const [parameters] = clause.items;
    return parameters?.kind === 'vector' ? plainNames(parameters.items) : null;
  });
  if (plain.every((names) => names !== null)) return plain.join('|');
  return list(clauses.map((clause) => parametersAsData(analyser, clause)));
}

function plainNames(items: readonly Syntax[]): string | null {
  const names: string[] = [];
  for (const item of items) {
    if (item.kind !== 'symbol' || item.namespace !== null || item.metadata.length > 0 || item.name.includes('|'))
      return null;
    names.push(item.name);
  }
  return names.join(' ');
}

function parametersAsData(analyser: Analyser, clause: ListNode): unknown {
  const [parameters] = clause.items;
  if (parameters === undefined) return vector([]);
  return syntaxValue(parameters, (found) => analyser.names.keywordNamespace(found), { metadata: false });
}

interface VariableFacts {
  readonly doc: Syntax | undefined;
  readonly attributes: Syntax | undefined;
  readonly arglists: unknown;
  readonly private?: boolean;
}

/** Metadata of a variable: what is written at the name and after it, then `:name`, `:doc` and `:arglists`. */
export function variableMetadata(analyser: Analyser, name: SymbolNode, facts: VariableFacts, context: Context): Node {
  const place = name;
  const doc = facts.doc !== undefined && isStringLiteral(facts.doc) ? facts.doc.value : null;
  const own = supportCall(
    place,
    'variableMeta',
    [name.name, doc, facts.arglists, facts.private === true].map(constant),
  );
  const input = name.metadata.length === 0 ? null : analyser.metadata(name, operandOf(context));
  const attributes = facts.attributes === undefined ? null : analyser.operand(facts.attributes, context);
  return [input, attributes]
    .filter((part) => part !== null)
    .toReversed()
    .reduce((merged: Node, part) => supportCall(place, 'mergeMeta', [part, merged]), own);
}

/** `(var name)` and `#'name`. */
export function varForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, name] = node.items;
  if (name === undefined || name.kind !== 'symbol' || node.items.length !== 2)
    throw invalidForm(node, 'var takes one symbol');
  const meaning = analyser.names.resolve(name, { ...context, scope: null });
  if (meaning.kind === 'variable') return { kind: 'variable-object', variable: meaning.variable };
  if (meaning.kind === 'unresolved') {
    return { kind: 'variable-object', variable: { namespace: analyser.names.current, name: name.name } };
  }
  if (meaning.kind === 'builtin') return supportCall(node, 'builtinVariable', [constant(meaning.name)]);
  throw invalidForm(name, `Unable to resolve var: ${name.name}`);
}
