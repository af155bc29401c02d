import { keyword } from '../../../runtime/values/keyword.ts';
import { vector } from '../../../runtime/values/vector.ts';
import { OWN_INTERFACES } from '../../../runtime/own-methods.ts';
import { isSymbolNamed, type ListNode, type Syntax, type SymbolNode } from '../../syntax.ts';
import type { Analyser } from '../analyser.ts';
import { bindPattern } from '../destructure.ts';
import { invalidForm } from '../faults.ts';
import {
  constant,
  supportCall,
  type Binding,
  type FunctionArity,
  type FunctionNode,
  type Local,
  type NamedLocal,
  type Node,
} from '../ir.ts';
import { enterFunction, operandOf, withLocals, type Context } from '../scope.ts';

/** What implements one protocol or interface: `Name (method …)…`. */
export interface Group {
  readonly owner: Syntax;
  readonly methods: readonly ListNode[];
}

/** Cuts `Name (method …)… Name (method …)…` into its groups; nil may take the place of a name. */
export function groupsOf(form: string, parts: readonly Syntax[]): readonly Group[] {
  const groups: { owner: Syntax; methods: ListNode[] }[] = [];
  for (const part of parts) {
    if (part.kind !== 'list') groups.push({ owner: part, methods: [] });
    else {
      const group = groups.at(-1);
      if (group === undefined) throw invalidForm(part, `${form}: a name must stand before the methods`);
      group.methods.push(part);
    }
  }
  return groups;
}

/** The name of a method's form. */
export function methodName(form: string, method: ListNode): SymbolNode {
  const [name] = method.items;
  if (name === undefined || name.kind !== 'symbol') throw invalidForm(method, `${form}: expected (method [this …] …)`);
  return name;
}

/** What of a record or `reify` the methods see in addition to their parameters. */
interface Own {
  readonly form: string;
  readonly fields: readonly string[];
}

/**
 * The methods that a record or `reify` has itself, as a vector of protocols or interfaces, each before a vector of
 * method names, functions and argument counts.
 */
export function ownImplementations(
  analyser: Analyser,
  node: ListNode,
  parts: readonly Syntax[],
  own: Own,
  context: Context,
): Node {
  const items = groupsOf(own.form, parts).flatMap((group) => {
    const methods = byName(own.form, group.methods);
    const owner = ownerNode(analyser, group, methods, context);
    const entries = [...methods].flatMap(([name, clauses]) => [
      constant(keyword(null, name)),
      methodFunction(analyser, { name, clauses, own }, operandOf(context)),
      constant(vector(clauses.map(countOf))),
    ]);
    const listed: Node = { kind: 'collection', name: 'vector', items: entries, start: node.start, end: node.end };
    return [owner, listed];
  });
  return { kind: 'collection', name: 'vector', items, start: node.start, end: node.end };
}

function byName(form: string, methods: readonly ListNode[]): ReadonlyMap<string, readonly ListNode[]> {
  const found = new Map<string, ListNode[]>();
  for (const method of methods) {
    const { name } = methodName(form, method);
    found.set(name, [...(found.get(name) ?? []), method]);
  }
  return found;
}

function countOf(method: ListNode): number {
  const [, parameters] = method.items;
  return parameters?.kind === 'vector' ? parameters.items.length : 0;
}

/** A protocol, or one of the interfaces that a program can implement. */
function ownerNode(
  analyser: Analyser,
  { owner }: Group,
  methods: ReadonlyMap<string, readonly ListNode[]>,
  context: Context,
): Node {
  if (owner.kind !== 'symbol') throw invalidForm(owner, 'Expected the name of a protocol');
  const meaning = analyser.names.resolve(owner, context);
  if (meaning.kind !== 'class') return analyser.operand(owner, context);
  const known = OWN_INTERFACES.get(meaning.className);
  if (known === undefined) {
    throw invalidForm(
      owner,
      `${meaning.className} cannot be implemented here; protocols, ${[...OWN_INTERFACES.keys()].join(', ')} can`,
    );
  }
  for (const [name, clauses] of methods) {
    for (const clause of clauses) {
      if (known.get(name)?.includes(countOf(clause)) !== true)
        throw invalidForm(clause, `Can't define method not in interfaces: ${name}`);
    }
  }
  return supportCall(owner, 'classValue', [constant(meaning.className)]);
}

interface MethodParts {
  readonly name: string;
  readonly clauses: readonly ListNode[];
  readonly own: Own;
}

function methodFunction(analyser: Analyser, { name, clauses, own }: MethodParts, outer: Context): FunctionNode {
  const context = enterFunction(outer);
  const arities = clauses.map((clause) => methodArity(analyser, clause, own, context));
  const counts = new Set(arities.map(({ parameters }) => parameters.length));
  const [first] = clauses;
  if (first === undefined || counts.size < arities.length)
    throw invalidForm(clauses.at(-1) ?? { start: 0, end: 0 }, `Duplicate method name: ${name}`);
  return {
    kind: 'function',
    id: analyser.locals.functionIdentifier(name),
    displayName: `${analyser.names.current}/${name}`,
    arities,
    captures: [...context.functionScope.captures],
    start: first.start,
    end: first.end,
  };
}

/**
 * One method: its first parameter is the value itself, which a `recur` does not name; fields are locals around the
 * rest.
 */
function methodArity(analyser: Analyser, clause: ListNode, { form, fields }: Own, outer: Context): FunctionArity {
  const [name, vectorNode, ...body] = clause.items;
  if (vectorNode === undefined || vectorNode.kind !== 'vector')
    throw invalidForm(clause, `${form}: expected (method [this …] …)`);
  const [self, ...others] = vectorNode.items;
  if (self === undefined || self.kind !== 'symbol') {
    throw invalidForm(
      vectorNode,
      `Must supply at least one argument for 'this' in: ${name?.kind === 'symbol' ? name.name : form}`,
    );
  }
  const ampersand = others.find((item) => isSymbolNamed(item, '&'));
  if (ampersand !== undefined) throw invalidForm(ampersand, `${form}: a method takes no rest arguments`);
  const named: NamedLocal[] = [];
  const patterns: { readonly pattern: Syntax; readonly local: Local }[] = [];
  const parameterOf = (pattern: Syntax): Local => {
    if (pattern.kind !== 'symbol') {
      const hidden = analyser.locals.hidden('p');
      patterns.push({ pattern, local: hidden });
      return hidden;
    }
    const local = analyser.locals.named(pattern.name);
    named.push(local);
    return local;
  };
  const parameters = [self, ...others].map(parameterOf);
  const [selfLocal, ...rest] = parameters;
  const used = symbolNames([...others, ...body]);
  const fieldLocals = fields.map((field) => (used.has(field) ? analyser.locals.named(field) : null));
  const bindings: Binding[] = fieldLocals.flatMap((local, index) =>
    local === null || selfLocal === undefined
      ? []
      : [{ local, value: supportCall(clause, 'recordField', [{ kind: 'local', local: selfLocal }, constant(index)]) }],
  );
  const target = analyser.locals.jump([...rest]);
  const visible = withLocals(
    { ...outer, jump: null, topLevel: false },
    fieldLocals.filter((local) => local !== null),
  );
  let context = withLocals(visible, named);
  for (const { pattern, local } of patterns) {
    const bound = bindPattern(analyser, pattern, { kind: 'local', local }, context);
    bindings.push(...bound.bindings);
    context = bound.context;
  }
  const content = analyser.body(body, { ...context, jump: target });
  return {
    parameters,
    rest: null,
    target,
    body: bindings.length === 0 ? content : { kind: 'let', bindings, body: content },
  };
}

/** Names of all symbols in forms: what else is a field need not be a local. */
function symbolNames(forms: readonly Syntax[]): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: Syntax[] = [...forms];
  for (let form = pending.pop(); form !== undefined; form = pending.pop()) {
    if ('metadata' in form) pending.push(...form.metadata);
    if (form.kind === 'symbol') names.add(form.name);
    else if (form.kind === 'short-function') pending.push(form.body);
    // `{:keys [x]}` and `:or` name locals by keywords too.
    else if (form.kind === 'keyword') names.add(form.name);
    else if ('items' in form) pending.push(...form.items);
  }
  return names;
}
