import { keyword } from '../../../runtime/values/keyword.ts';
import { mapFromEntries } from '../../../runtime/values/map-builder.ts';
import { symbol } from '../../../runtime/values/symbol.ts';
import { vector } from '../../../runtime/values/vector.ts';
import {
  isKeywordNamed,
  isStringLiteral,
  listNode,
  type ListNode,
  type Syntax,
  type SymbolNode,
  type VectorNode,
} from '../../syntax.ts';
import type { Analyser } from '../analyser.ts';
import { invalidForm } from '../faults.ts';
import {
  call,
  constant,
  NIL,
  sequence,
  supportCall,
  variable,
  type FunctionArity,
  type FunctionNode,
  type Local,
  type Node,
  type VariableReference,
} from '../ir.ts';
import { operandOf, type Context } from '../scope.ts';
import { definedName, isPrivateName, parameterLists, variableMetadata, variableObject } from './definitions.ts';
import { analyseFunction, functionClauses } from './function.ts';
import { groupsOf, methodName, type Group } from './implementations.ts';

interface Signature {
  readonly name: SymbolNode;
  readonly parameters: readonly VectorNode[];
  readonly doc: Syntax | undefined;
}

/** `(defprotocol Name doc? options* (method [this …]+ doc?)…)`. */
export function defprotocolForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const name = definedName(analyser, node, 'defprotocol');
  let rest = node.items.slice(2);
  const doc = isStringLiteral(rest[0]) ? rest[0] : undefined;
  if (doc !== undefined) rest = rest.slice(1);
  let viaMetadata = false;
  while (rest[0]?.kind === 'keyword') {
    if (isKeywordNamed(rest[0], 'extend-via-metadata'))
      viaMetadata = rest[1]?.kind === 'literal' && rest[1].value === true;
    rest = rest.slice(2);
  }
  const signatures = rest.map((part) => signatureOf(name, part));
  const names = new Set(signatures.map((signature) => signature.name.name));
  if (names.size < signatures.length)
    throw invalidForm(node, `A function of the protocol ${name.name} is defined twice; give all its arities at once`);
  const isPrivate = isPrivateName(name);
  analyser.names.define({ name: name.name, kind: 'protocol', isPrivate, arities: null });
  for (const signature of signatures) {
    analyser.names.define({
      name: signature.name.name,
      kind: 'function',
      isPrivate: isPrivate || isPrivateName(signature.name),
      arities: { fixed: countsOf(signature), variadicFrom: null },
    });
  }
  const methods = mapFromEntries(
    signatures.flatMap((signature) => [keyword(null, signature.name.name), vector(countsOf(signature))]),
  );
  const meta = variableMetadata(analyser, name, { doc, attributes: undefined, arglists: null }, context);
  const reference = { namespace: analyser.names.current, name: name.name };
  return sequence([
    supportCall(node, 'defineProtocol', [
      variableObject(analyser, name),
      constant(methods),
      constant(viaMetadata),
      meta,
    ]),
    ...signatures.map((signature) => methodDefinition(analyser, signature, reference, context)),
    constant(symbol(null, name.name)),
  ]);
}

function signatureOf(protocol: SymbolNode, part: Syntax): Signature {
  if (part.kind !== 'list')
    throw invalidForm(part, `defprotocol: expected (method [this …] …), as in (${protocol.name} [this])`);
  const name = methodName('defprotocol', part);
  const parameters = part.items.slice(1).filter((item) => item.kind === 'vector');
  const doc = part.items.find((item) => isStringLiteral(item));
  if (parameters.length === 0)
    throw invalidForm(
      part,
      `Definition of function ${name.name} in protocol ${protocol.name} needs a parameter vector`,
    );
  for (const vectorNode of parameters) {
    if (vectorNode.items.length === 0)
      throw invalidForm(
        vectorNode,
        `Definition of function ${name.name} in protocol ${protocol.name} must take at least one arg.`,
      );
  }
  return { name, parameters, doc };
}

function countsOf({ parameters }: Signature): readonly number[] {
  return [...new Set(parameters.map(({ items }) => items.length))];
}

/** A method is a function that calls what implements it for its first argument. */
function methodDefinition(
  analyser: Analyser,
  signature: Signature,
  protocol: VariableReference,
  context: Context,
): Node {
  const { name, parameters, doc } = signature;
  const made: FunctionNode = {
    kind: 'function',
    id: analyser.locals.functionIdentifier(name.name),
    displayName: `${protocol.namespace}/${name.name}`,
    arities: countsOf(signature).map((count) => methodArity(analyser, name, protocol, count)),
    captures: [],
    start: name.start,
    end: name.end,
  };
  const clauses = parameters.map((vectorNode) => listNode(vectorNode, [vectorNode]));
  const meta = variableMetadata(
    analyser,
    name,
    { doc, attributes: undefined, arglists: parameterLists(analyser, clauses) },
    context,
  );
  return supportCall(name, 'defineVariable', [variableObject(analyser, name), made, meta]);
}

function methodArity(analyser: Analyser, name: SymbolNode, protocol: VariableReference, count: number): FunctionArity {
  const parameters: Local[] = Array.from({ length: count }, () => analyser.locals.hidden('p'));
  const values = parameters.map((local): Node => ({ kind: 'local', local }));
  const [self = NIL] = values;
  const callee = supportCall(name, 'implementation', [
    variable(name, protocol),
    constant(keyword(null, name.name)),
    self,
  ]);
  return { parameters, rest: null, target: analyser.locals.jump([...parameters]), body: call(name, callee, values) };
}

/** `(extend-type Type Protocol (method …)…)`. */
export function extendTypeForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, type, ...parts] = node.items;
  if (type === undefined) throw invalidForm(node, 'extend-type needs a class or nil, and protocols with their methods');
  return sequence([
    ...groupsOf('extend-type', parts).map((group) =>
      extension(analyser, node, { type, protocol: group.owner, group }, context),
    ),
    NIL,
  ]);
}

/** `(extend-protocol Protocol Type (method …)…)`. */
export function extendProtocolForm(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, protocol, ...parts] = node.items;
  if (protocol === undefined)
    throw invalidForm(node, 'extend-protocol needs a protocol, and classes with their methods');
  return sequence([
    ...groupsOf('extend-protocol', parts).map((group) =>
      extension(analyser, node, { type: group.owner, protocol, group }, context),
    ),
    NIL,
  ]);
}

interface Extension {
  readonly type: Syntax;
  readonly protocol: Syntax;
  readonly group: Group;
}

function extension(analyser: Analyser, node: ListNode, { type, protocol, group }: Extension, context: Context): Node {
  refuseOutside(analyser, protocol, context);
  const methods = new Map<string, Node>();
  for (const method of group.methods) {
    const name = methodName('extend-type', method);
    const clauses = functionClauses(method, method.items.slice(1), 'extend-type');
    const displayName = `${analyser.names.current}/${name.name}`;
    methods.set(
      name.name,
      analyseFunction(analyser, { place: method, name: null, displayName, clauses }, operandOf(context)),
    );
  }
  const items = [...methods].flatMap(([name, made]) => [constant(keyword(null, name)), made]);
  const map: Node = { kind: 'collection', name: 'mapLiteral', items, start: node.start, end: node.end };
  return supportCall(node, 'extendType', [analyser.operand(type, context), analyser.operand(protocol, context), map]);
}

function refuseOutside(analyser: Analyser, protocol: Syntax, context: Context): void {
  const meaning = protocol.kind === 'symbol' ? analyser.names.resolve(protocol, context) : null;
  if (meaning?.kind !== 'variable' || analyser.names.isOwnNamespace(meaning.variable.namespace)) return;
  throw invalidForm(
    protocol,
    'A protocol of a component cannot be extended from outside; implement it in a defrecord or reify',
  );
}
