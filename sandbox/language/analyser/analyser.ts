import { DISCOVERY_NAMESPACE } from '../../../contract/routes.ts';
import { CompileFailure } from '../compile-failure.ts';
import {
  isData,
  isSymbolNamed,
  listNode,
  vectorNode,
  type Syntax,
  type ListNode,
  type SymbolNode,
  type ShortFunctionNode,
} from '../syntax.ts';
import { syntaxValue } from '../reader/data.ts';
import { resolveClassName } from '../../runtime/java/class-relations.ts';
import { printString } from '../../runtime/print.ts';
import { regex } from '../../runtime/regex/pattern.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { mapFromEntries } from '../../runtime/values/map-builder.ts';
import { setFrom } from '../../runtime/values/set.ts';
import { vector } from '../../runtime/values/vector.ts';
import { admitsCount, arityFault, describeArities, invalidForm } from './faults.ts';
import { analyseFunction } from './forms/function.ts';
import { MACROS, NEVER_SHADOWED } from './forms/table.ts';
import { builtinCall, call, constant, NIL, sequence, supportCall, variable, type Node } from './ir.ts';
import { javaCall, refuseUnknownMember } from './java.ts';
import type { Meaning } from './meaning.ts';
import type { Names } from './names.ts';
import { hasOwnSyntax } from '../out-of-scope.ts';
import { inner, LocalNames, operandOf, resolveUnnamed, type Context } from './scope.ts';
import type { AnalysisContext } from './surroundings.ts';

/** Nesting of forms after threading macros have done their work; each level costs some stack in three places. */
const MAXIMUM_NESTING = 500;

/**
 * Turns syntax into IR for one program or component: resolves names, expands macros, checks shapes. Faults of shape
 * are thrown at once; names that mean nothing are gathered by `Names` over the whole text.
 */
export class Analyser {
  readonly names: Names;
  readonly context: AnalysisContext;
  readonly source: string;
  readonly locals = new LocalNames();
  #nesting = 0;

  constructor(source: string, analysisContext: AnalysisContext, names: Names) {
    this.source = source;
    this.context = analysisContext;
    this.names = names;
  }

  /** Begins another top-level form, whatever became of the one before. */
  restart(): void {
    this.#nesting = 0;
    this.locals.restart();
  }

  analyse(node: Syntax, context: Context): Node {
    this.#nesting += 1;
    if (this.#nesting > MAXIMUM_NESTING) throw invalidForm(node, `Forms are nested deeper than ${MAXIMUM_NESTING}`);
    const result = this.#analyse(node, context);
    this.#nesting -= 1;
    return result;
  }

  /** Operands: values that the form around them waits for. */
  operands(nodes: readonly Syntax[], context: Context): Node[] {
    const operand = operandOf(context);
    return nodes.map((node) => this.analyse(node, operand));
  }

  operand(node: Syntax, context: Context): Node {
    return this.analyse(node, operandOf(context));
  }

  /** The body of a form that binds names, or of `try`. A bare `do` at its head is dropped, as the reference does. */
  body(nodes: readonly Syntax[], context: Context): Node {
    return this.forms(isSymbolNamed(nodes[0], 'do') ? nodes.slice(1) : nodes, context);
  }

  /** An implicit `do`: the last form keeps the tail position. */
  forms(nodes: readonly Syntax[], context: Context): Node {
    const operand = operandOf(context);
    const last = inner(context);
    return sequence(nodes.map((node, index) => this.analyse(node, index === nodes.length - 1 ? last : operand)));
  }

  #analyse(node: Syntax, context: Context): Node {
    switch (node.kind) {
      case 'literal':
        return constant(node.value);
      case 'keyword':
        return constant(this.keyword(node));
      case 'regex':
        return constant(this.#regex(node.pattern, node));
      case 'symbol':
        return this.#symbol(node, context);
      case 'vector':
        return this.withMetadata(node, this.#collection(node, 'vector', node.items, context), context);
      case 'map':
        return this.withMetadata(node, this.#collection(node, 'mapLiteral', node.items, context), context);
      case 'set':
        return this.withMetadata(node, this.#collection(node, 'setLiteral', node.items, context), context);
      case 'short-function':
        return this.#shortFunction(node, context);
      case 'placeholder':
        return { kind: 'local', local: resolveUnnamed(context, node.unnamed) };
      case 'list':
        return this.#list(node, context);
    }
  }

  keyword(node: Syntax & { kind: 'keyword' }): unknown {
    return keyword(this.names.keywordNamespace(node), node.name);
  }

  #regex(pattern: string, node: Syntax): unknown {
    const made = regex(pattern);
    if (made.ok) return made.value;
    throw new CompileFailure('parse_error', made.message, node);
  }

  #collection(node: Syntax, name: string, items: readonly Syntax[], context: Context): Node {
    const parts = this.operands(items, context);
    const values: unknown[] = [];
    for (const part of parts) {
      if (part.kind !== 'constant') return { kind: 'collection', name, items: parts, start: node.start, end: node.end };
      values.push(part.value);
    }
    const made = constantCollection(name, values);
    if (made !== null) return constant(made);
    return { kind: 'collection', name, items: parts, start: node.start, end: node.end };
  }

  /** Adds the metadata written before a form to its value. */
  withMetadata(node: Syntax & { readonly metadata: readonly Syntax[] }, value: Node, context: Context): Node {
    if (node.metadata.length === 0) return value;
    return supportCall(node, 'withMeta', [value, this.metadata(node, context)]);
  }

  /** The metadata map of a node, evaluated. */
  metadata(node: Syntax & { readonly metadata: readonly Syntax[] }, context: Context): Node {
    const parts = node.metadata.toReversed().map((item) => this.#metadataPart(item, context));
    return parts.reduce((merged, part) => supportCall(node, 'mergeMeta', [merged, part]));
  }

  #metadataPart(item: Syntax, context: Context): Node {
    switch (item.kind) {
      case 'keyword':
        return supportCall(item, 'singleMeta', [constant(this.keyword(item)), constant(true)]);
      case 'map':
        return this.operand(item, context);
      case 'vector':
        return supportCall(item, 'singleMeta', [constant(keyword(null, 'param-tags')), this.quoted(item)]);
      default:
        return supportCall(item, 'singleMeta', [constant(keyword(null, 'tag')), this.#tag(item)]);
    }
  }

  /** A type hint: the class where it names a listed one; a hint that names nothing does nothing. */
  #tag(item: Syntax): Node {
    const className = item.kind === 'symbol' && item.namespace === null ? resolveClassName(item.name) : null;
    return className === null ? this.quoted(item) : supportCall(item, 'classValue', [constant(className)]);
  }

  /** A form as data. */
  quoted(node: Syntax): Node {
    return constant(syntaxValue(node, (found) => this.names.keywordNamespace(found), { metadata: true }));
  }

  /** A form as `pr-str` prints it; as written where a part of it has no form of data. */
  formText(node: Syntax): string {
    if (!isData(node)) return this.source.slice(node.start, node.end);
    return printString(syntaxValue(node, (found) => this.names.keywordNamespace(found), { metadata: false }));
  }

  #shortFunction(node: ShortFunctionNode, context: Context): Node {
    const names = Array.from({ length: node.parameters }, (_, index) => `%${index + 1}`);
    const parameters: Syntax[] = names.map((name) => ({
      ...node.body,
      kind: 'symbol',
      namespace: null,
      name,
      metadata: [],
    }));
    if (node.rest) {
      parameters.push({ ...node.body, kind: 'symbol', namespace: null, name: '&', metadata: [] });
      parameters.push({ ...node.body, kind: 'symbol', namespace: null, name: '%&', metadata: [] });
    }
    const clause = listNode(node, [vectorNode(node, parameters), node.body]);
    const made = analyseFunction(
      this,
      { place: node, name: null, displayName: null, clauses: [clause] },
      operandOf(context),
    );
    return this.withMetadata(node, made, context);
  }

  #symbol(node: SymbolNode, context: Context): Node {
    const meaning = this.names.resolve(node, context);
    switch (meaning.kind) {
      case 'local':
        return { kind: 'local', local: meaning.local };
      case 'variable':
        return variable(node, meaning.variable);
      case 'builtin':
        return { kind: 'builtin', name: meaning.name };
      case 'tool':
        return supportCall(node, meaning.raises ? 'raisingToolFunction' : 'toolFunction', [constant(meaning.name)]);
      case 'discovery':
        return supportCall(node, 'discoveryFunction', [constant(meaning.name)]);
      case 'data':
        return supportCall(node, 'dataValue', [constant(meaning.name)]);
      case 'history':
        return supportCall(node, 'history', [constant(meaning.index)]);
      case 'last-error':
        return supportCall(node, 'lastError', []);
      case 'class':
        return supportCall(node, 'classValue', [constant(meaning.className)]);
      case 'java-member':
        refuseUnknownMember(meaning.className, meaning.member, node);
        return supportCall(node, 'javaMemberValue', [constant(meaning.className), constant(meaning.member)]);
      case 'control':
        return supportCall(node, 'controlFunction', [constant(meaning.name)]);
      case 'macro':
        throw invalidForm(node, `Can't take value of a macro: ${node.name}; write (fn [x] (${node.name} x))`);
      case 'unresolved':
        return variable(node, { namespace: this.names.current, name: node.name });
    }
  }

  #list(node: ListNode, context: Context): Node {
    const [head, ...args] = node.items;
    if (head === undefined)
      return this.withMetadata(node, constant(syntaxValue(node, () => null, { metadata: false })), context);
    if (head.kind === 'symbol') {
      const special = head.namespace === null ? NEVER_SHADOWED.get(head.name) : undefined;
      if (special !== undefined) return special(this, node, context);
      if (head.namespace === null || !this.#isMember(head)) {
        const java = javaCall(this, node, head, args, context);
        if (java !== null) return java;
      }
      return this.#namedCall(node, head, args, context);
    }
    if (head.kind === 'keyword') return this.#keywordCall(node, head, args, context);
    return call(node, this.operand(head, context), this.operands(args, context));
  }

  /** Qualified heads that are names of namespaces, not of Java classes. */
  #isMember(head: SymbolNode): boolean {
    return head.namespace !== null && this.names.isNamespace(head.namespace);
  }

  #namedCall(node: ListNode, head: SymbolNode, args: readonly Syntax[], context: Context): Node {
    const meaning: Meaning = this.names.resolve(head, context);
    switch (meaning.kind) {
      case 'macro': {
        const expand = MACROS.get(meaning.name);
        if (expand === undefined) throw invalidForm(head, `${meaning.name} is not supported`);
        return expand(this, node, context);
      }
      case 'builtin':
        return this.#builtinCall(node, meaning.name, args, context);
      case 'tool':
        return supportCall(node, meaning.raises ? 'callToolOrRaise' : 'callTool', [
          constant(meaning.name),
          ...this.operands(args, context),
        ]);
      case 'discovery':
        if (args.length !== 1) throw arityFault(node, `${DISCOVERY_NAMESPACE}/${meaning.name}`, '1', args.length);
        break;
      case 'control':
        if (args.length !== 1) throw arityFault(node, meaning.name, '1', args.length);
        return supportCall(node, meaning.name === 'return' ? 'returnValue' : 'failWith', this.operands(args, context));
      case 'variable':
        this.#checkArity(node, meaning.variable, args.length);
        break;
      default:
    }
    const known = meaning.kind === 'unresolved' && hasOwnSyntax(head.name) ? [] : args;
    return call(node, this.operand(head, context), this.operands(known, context));
  }

  #checkArity(node: ListNode, variable: { readonly namespace: string; readonly name: string }, count: number): void {
    if (variable.namespace === this.names.current && this.context.kind === 'program') return;
    const definition = this.names.definition(variable);
    if (definition === null) return;
    const qualified = `${variable.namespace}/${variable.name}`;
    if (definition.arities === null || admitsCount(definition.arities, count)) return;
    throw new CompileFailure(
      'invalid_arity',
      `Wrong number of args (${count}) passed to: ${qualified}; it takes ${describeArities(definition.arities)}`,
      node,
      { operation: qualified, expected: describeArities(definition.arities), given: count },
    );
  }

  #builtinCall(node: ListNode, name: string, args: readonly Syntax[], context: Context): Node {
    const known = this.context.builtins.get(name);
    if (known !== undefined && !admitsCount(known.arities, args.length)) {
      throw arityFault(node, name.replace(/^clojure\.core\//, ''), describeArities(known.arities), args.length);
    }
    return builtinCall(node, name, this.operands(args, context));
  }

  #keywordCall(node: ListNode, head: Syntax & { kind: 'keyword' }, args: readonly Syntax[], context: Context): Node {
    if (args.length !== 1 && args.length !== 2)
      throw arityFault(node, this.source.slice(head.start, head.end), '1 or 2', args.length);
    const [target = NIL, fallback] = this.operands(args, context);
    const key = constant(this.keyword(head));
    return fallback === undefined
      ? supportCall(node, 'get', [target, key])
      : supportCall(node, 'getOr', [target, key, fallback]);
  }
}

/** A collection of constants; null where two of them are equal, which is an error only if the form is evaluated. */
function constantCollection(name: string, values: readonly unknown[]): unknown {
  if (name === 'vector') return vector(values);
  if (name === 'setLiteral') {
    const made = setFrom(values);
    return made.count === values.length ? made : null;
  }
  const made = mapFromEntries(values);
  return made.count * 2 === values.length ? made : null;
}
