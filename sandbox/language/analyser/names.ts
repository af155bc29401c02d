import { DISCOVERY, DISCOVERY_NAMESPACE } from '../../../contract/routes.ts';
import type { RequiredNames } from '../../../contract/sandbox-protocol.ts';
import { CompileFailure } from '../compile-failure.ts';
import type { KeywordNode, SymbolNode } from '../syntax.ts';
import { invalidForm } from './faults.ts';
import { CONTROL_NAMES, MACRO_NAMES } from './forms/names.ts';
import type { VariableReference } from './ir.ts';
import { classNamePart } from '../class-names.ts';
import { classMeaning } from './java-names.ts';
import {
  isToolPrefix,
  libraryMembers,
  libraryNamed,
  LIBRARY_NAMES,
  LIBRARY_PREFIXES,
  qualifiedBuiltins,
  RAISING_TOOL,
} from './libraries.ts';
import type { Meaning } from './meaning.ts';
import { nameElsewhere } from '../other-names.ts';
import { outOfScopeReason } from '../out-of-scope.ts';
import { isLocal, localNames, resolveLocal, type Context } from './scope.ts';
import type { Definition, DefinitionTables, AnalysisContext } from './surroundings.ts';
import { suggestions } from '../../runtime/suggestions.ts';

interface Unresolved {
  readonly name: string;
  readonly namespace: string;
  readonly node: SymbolNode;
  /** Its place, for the locals that it may mean. */
  readonly context: Context | null;
}

/** Missing names, and granted tools, that a message names. */
const EXPLAINED = 16;

const HISTORY: ReadonlyMap<string, number> = new Map([
  ['*1', 1],
  ['*2', 2],
  ['*3', 3],
]);

/** Names of the tools that only shipped components may call (runtime.md §6). */
export interface ToolUse {
  readonly name: string;
  /** As it is written: `tool/NAME`, `tool!/NAME`. */
  readonly form: string;
  readonly node: SymbolNode;
}

/**
 * The names of one text: its namespace, its aliases, what it defined so far, and what meant nothing. Functions may
 * refer to later definitions, so a name is found missing only at the end (language.md §8).
 */
export class Names {
  current: string;
  readonly #context: AnalysisContext;
  readonly #aliases = new Map<string, string>();
  readonly #referred = new Map<string, { readonly namespace: string; readonly name: string }>();
  readonly #own = new Map<string, Map<string, Definition>>();
  readonly #unresolved: Unresolved[] = [];
  readonly #tools: ToolUse[] = [];
  readonly #references: { readonly variable: VariableReference; readonly node: SymbolNode }[] = [];

  constructor(analysisContext: AnalysisContext) {
    const { current, definitions } = analysisContext;
    this.#context = analysisContext;
    this.current = current;
    for (const [namespace, table] of definitions) this.#own.set(namespace, new Map(table));
    if (!this.#own.has(current)) this.#own.set(current, new Map());
    const { aliases = {}, refers = {} } = analysisContext.required ?? {};
    for (const [alias, namespace] of Object.entries(aliases)) this.#aliases.set(alias, namespace);
    for (const [name, namespace] of Object.entries(refers)) this.#referred.set(name, { namespace, name });
  }

  /** What is required now, for the forms after this text. */
  required(): RequiredNames {
    return {
      aliases: Object.fromEntries(this.#aliases),
      refers: Object.fromEntries([...this.#referred].map(([name, { namespace }]) => [name, namespace])),
    };
  }

  /** Starts another namespace of the same text: aliases do not carry over. */
  enterNamespace(name: string): void {
    this.switchTo(name);
    this.#aliases.clear();
    this.#referred.clear();
  }

  /** Goes on in another namespace, with what is required so far: a session keeps that for all of them. */
  switchTo(name: string): void {
    this.current = name;
    if (!this.#own.has(name)) this.#own.set(name, new Map());
  }

  define(definition: Definition): void {
    this.#own.get(this.current)?.set(definition.name, definition);
  }

  ownDefinition(name: string): Definition | null {
    return this.#own.get(this.current)?.get(name) ?? null;
  }

  /** Whether a namespace is one of this text. */
  isOwnNamespace(name: string): boolean {
    return this.#own.has(name);
  }

  /** All definitions of the text and of those before it. */
  ownDefinitions(): DefinitionTables {
    return this.#own;
  }

  /** What is known of a variable of this text or of another namespace. */
  definition(variable: VariableReference): Definition | null {
    return (
      this.#own.get(variable.namespace)?.get(variable.name) ??
      this.#context.namespaces.get(variable.namespace)?.definitions.get(variable.name) ??
      null
    );
  }

  /** Tools that the text names, quoted forms aside. */
  get tools(): readonly ToolUse[] {
    return this.#tools;
  }

  /** Variables that the text refers to. */
  get references(): readonly { readonly variable: VariableReference; readonly node: SymbolNode }[] {
    return this.#references;
  }

  alias(alias: string, namespace: string): void {
    this.#aliases.set(alias, namespace);
  }

  refer(name: string, namespace: string): void {
    this.#referred.set(name, { namespace, name });
  }

  /** The namespace that a prefix means: an alias, a namespace of its own name, or a library. */
  namespaceNamed(prefix: string): string | null {
    const aliased = this.#aliases.get(prefix);
    if (aliased !== undefined) return aliased;
    if (prefix === this.current || this.#own.has(prefix) || this.#context.namespaces.has(prefix)) return prefix;
    return libraryNamed(prefix);
  }

  isNamespace(prefix: string): boolean {
    return (
      isToolPrefix(prefix) || prefix === 'data' || this.namespaceNamed(prefix) !== null || this.#isDiscovery(prefix)
    );
  }

  /** Programs have it without any library, unless one of theirs has its name (world.md §2.6). */
  #isDiscovery(prefix: string): boolean {
    return prefix === DISCOVERY_NAMESPACE && this.#context.kind === 'program';
  }

  keywordNamespace(node: KeywordNode): string | null {
    if (!node.automatic) return node.namespace;
    if (node.namespace === null) return this.current;
    const namespace = this.#aliases.get(node.namespace);
    if (namespace !== undefined) return namespace;
    throw new CompileFailure('parse_error', `Invalid token: ::${node.namespace}/${node.name}; no such alias`, {
      start: node.start,
      end: node.start,
    });
  }

  /**
   * Whether a local or a definition has the name of a form, which is an ordinary function from then on (language.md
   * §8).
   */
  isUsed(name: string, context: Context): boolean {
    return isLocal(context, name) || this.#own.get(this.current)?.has(name) === true || this.#referred.has(name);
  }

  resolve(node: SymbolNode, context: Context): Meaning {
    return node.namespace === null ? this.#simple(node, context) : this.#qualified(node, node.namespace);
  }

  #simple(node: SymbolNode, context: Context): Meaning {
    const { name } = node;
    const local = resolveLocal(context, name);
    if (local !== null) return { kind: 'local', local };
    if (this.#own.get(this.current)?.has(name) === true) return this.#variable(node, this.current, name);
    const referred = this.#referred.get(name);
    if (referred !== undefined) return this.#member(node, referred.namespace, referred.name);
    // A program may go on in the namespace of a component.
    if (this.#context.namespaces.get(this.current)?.definitions.has(name) === true)
      return this.#variable(node, this.current, name);
    const core = this.#core(qualifiedBuiltins(name), name);
    if (core !== null) return core;
    const history = HISTORY.get(name);
    if (history !== undefined) return { kind: 'history', index: history };
    if (name === '*e' && this.#context.hasLastError === true) return { kind: 'last-error' };
    const record = this.recordNamed(name);
    if (record !== null) return this.#variable(node, record.namespace, record.name);
    const classFound = classMeaning(node);
    if (classFound !== null) return classFound;
    this.#unresolved.push({ name, namespace: this.current, node, context });
    return { kind: 'unresolved' };
  }

  /** The variable of a record's class, written by its own name or as `namespace.Name`; null where there is none. */
  recordNamed(written: string): VariableReference | null {
    const referred = this.#referred.get(written);
    if (this.#isRecord({ namespace: this.current, name: written })) return { namespace: this.current, name: written };
    if (referred !== undefined && this.#isRecord(referred)) return referred;
    const dot = written.lastIndexOf('.');
    if (dot <= 0) return null;
    const namespace = this.namespaceOfClasses(written.slice(0, dot));
    const reference = namespace === null ? null : { namespace, name: written.slice(dot + 1) };
    return reference !== null && this.#isRecord(reference) ? reference : null;
  }

  #isRecord(variable: VariableReference): boolean {
    const definition = this.definition(variable);
    return definition?.kind === 'record' && (!definition.isPrivate || this.isOwnNamespace(variable.namespace));
  }

  /** The namespace whose classes have this package. */
  namespaceOfClasses(packageName: string): string | null {
    return (
      [...this.#own.keys(), ...this.#context.namespaces.keys()].find((name) => classNamePart(name) === packageName) ??
      null
    );
  }

  /** Whether some record or protocol is known, so that members of values may have any name. */
  hasOwnMembers(): boolean {
    const tables = [
      ...this.#own.values(),
      ...[...this.#context.namespaces.values()].map(({ definitions }) => definitions),
    ];
    return tables.some((definitions) =>
      [...definitions.values()].some(({ kind }) => kind === 'record' || kind === 'protocol'),
    );
  }

  #core(qualified: readonly string[], name: string): Meaning | null {
    if (CONTROL_NAMES.has(name)) return { kind: 'control', name };
    if (MACRO_NAMES.has(name)) return { kind: 'macro', name };
    return this.#builtin(qualified);
  }

  #builtin(qualified: readonly string[]): Meaning | null {
    const found = qualified.find((key) => this.#context.builtins.has(key));
    return found === undefined ? null : { kind: 'builtin', name: found };
  }

  #variable(node: SymbolNode, namespace: string, name: string): Meaning {
    const variable = { namespace, name };
    this.#references.push({ variable, node });
    return { kind: 'variable', variable };
  }

  #qualified(node: SymbolNode, prefix: string): Meaning {
    if (isToolPrefix(prefix)) {
      this.#tools.push({ name: node.name, form: `${prefix}/${node.name}`, node });
      return { kind: 'tool', name: node.name, raises: prefix === RAISING_TOOL };
    }
    if (prefix === 'data') return { kind: 'data', name: node.name };
    const namespace = this.namespaceNamed(prefix);
    if (namespace !== null) return this.#member(node, namespace, node.name);
    const discovery = this.#isDiscovery(prefix) ? DISCOVERY.get(node.name) : undefined;
    if (discovery !== undefined) {
      this.#tools.push({ name: discovery.route, form: `tool/${discovery.route}`, node });
      return { kind: 'discovery', name: node.name };
    }
    const classFound = classMeaning(node);
    if (classFound !== null) return classFound;
    throw this.#unknownNamespace(node, prefix);
  }

  #unknownNamespace(node: SymbolNode, prefix: string): CompileFailure {
    const reason = outOfScopeReason(`${prefix}/${node.name}`);
    const available = [...this.#context.namespaces.keys(), ...LIBRARY_NAMES].toSorted();
    const near = this.#otherPrefixes(prefix, node.name).map((other) => `${other}/${node.name}`);
    const hint = near.length === 0 ? '' : ` (did you mean ${near.join(', ')}?)`;
    const message = `No such namespace: ${prefix}${reason === null ? hint : `; ${reason}${this.#grantedTools(reason)}`}`;
    const details = { rejected_namespace: prefix, available_namespaces: available };
    return this.#context.kind === 'component'
      ? new CompileFailure('unknown_namespace', message, node, details)
      : invalidForm(node, message, details);
  }

  /** Prefixes under which there is such a name: those that are spelt like the given one, else all, nearly. */
  #otherPrefixes(prefix: string, name: string): readonly string[] {
    const prefixes = [
      ...this.#aliases.keys(),
      ...this.#own.keys(),
      ...this.#context.namespaces.keys(),
      ...LIBRARY_PREFIXES,
    ];
    const near = suggestions(prefix, prefixes);
    const having = prefixes.filter((other) => this.#hasMember(this.namespaceNamed(other) ?? other, name));
    const both = near.filter((other) => having.includes(other));
    if (both.length > 0) return both;
    if (near.length > 0) return near;
    const [first] = having;
    return first === undefined ? [] : [first];
  }

  #hasMember(namespace: string, name: string): boolean {
    if (this.#own.get(namespace)?.has(name) === true) return true;
    const foreign = this.#context.namespaces.get(namespace)?.definitions.get(name);
    return foreign === undefined ? this.#builtin(libraryMembers(namespace, name)) !== null : !foreign.isPrivate;
  }

  #member(node: SymbolNode, namespace: string, name: string): Meaning {
    if (namespace === 'clojure.core') {
      const core = this.#core(libraryMembers(namespace, name), name);
      if (core !== null) return core;
    }
    const builtin = this.#builtin(libraryMembers(namespace, name));
    if (builtin !== null) return builtin;
    const own = this.#own.get(namespace);
    const foreign = this.#context.namespaces.get(namespace)?.definitions;
    const found = foreign?.get(name);
    if (own !== undefined && (found === undefined || own.has(name))) return this.#ownMember(node, own, namespace, name);
    if (found !== undefined && !found.isPrivate) return this.#variable(node, namespace, name);
    throw this.#unknownMember(node, namespace, name, foreign === undefined ? null : [...foreign.values()]);
  }

  #ownMember(node: SymbolNode, own: ReadonlyMap<string, Definition>, namespace: string, name: string): Meaning {
    if (this.#context.kind === 'component') {
      if (namespace === this.current) {
        throw new CompileFailure(
          'qualified_self_reference',
          `${namespace}/${name} refers to its own namespace; write ${name}`,
          node,
        );
      }
    }
    const definition = own.get(name);
    if (definition?.isPrivate === true && namespace !== this.current && this.#context.kind === 'program')
      throw invalidForm(node, `${namespace}/${name} is private to its namespace`, { rejected_namespace: namespace });
    if (definition !== undefined) return this.#variable(node, namespace, name);
    this.#unresolved.push({ name, namespace, node, context: null });
    return { kind: 'unresolved' };
  }

  #unknownMember(
    node: SymbolNode,
    namespace: string,
    name: string,
    members: readonly Definition[] | null,
  ): CompileFailure {
    const prefix = `${namespace}/`;
    const names =
      members === null
        ? [...this.#context.builtins.keys()]
            .filter((key) => key.startsWith(prefix))
            .map((key) => key.slice(prefix.length))
        : members.filter((member) => !member.isPrivate).map((member) => member.name);
    const near = suggestions(name, names);
    const elsewhere = nameElsewhere(prefix + name);
    const hint = elsewhere !== null ? `; ${elsewhere}` : near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`;
    const reason = namespace === 'clojure.core' ? outOfScopeReason(name) : null;
    const message = `No such var: ${namespace}/${name}${reason === null ? hint : `; ${reason}`}`;
    if (this.#context.kind === 'component' || reason !== null) {
      return new CompileFailure('unbound_var', message, node, { unbound_names: [`${namespace}/${name}`] });
    }
    return invalidForm(node, message, { rejected_namespace: namespace, members: names.toSorted().slice(0, 64) });
  }

  /** The fault that lists every name of the text that means nothing, null if there is none. */
  unboundFault(): CompileFailure | null {
    const missing = this.#missing();
    const [first] = missing.values();
    if (first === undefined) return null;
    const lines = [...missing.values()].slice(0, EXPLAINED).map((use) => this.#explain(use));
    if (missing.size > EXPLAINED) lines.push(`and ${missing.size - EXPLAINED} more`);
    return new CompileFailure('unbound_var', lines.join('; '), first.node, { unbound_names: [...missing.keys()] });
  }

  /** A fault for each name that means nothing, at its first place; at most so many. */
  unboundFaults(most: number): CompileFailure[] {
    return [...this.#missing().values()]
      .slice(0, most)
      .map((use) => new CompileFailure('unbound_var', this.#explain(use), use.node, { unbound_names: [use.name] }));
  }

  /** The first use of each name that means nothing, by name. */
  #missing(): ReadonlyMap<string, Unresolved> {
    const missing = new Map<string, Unresolved>();
    for (const use of this.#unresolved) {
      const { name, namespace } = use;
      if (this.#own.get(namespace)?.has(name) !== true && !missing.has(name)) missing.set(name, use);
    }
    return missing;
  }

  /** Where tools are the cure: which are granted. */
  #grantedTools(reason: string): string {
    const tools = [...(this.#context.tools ?? [])].toSorted().slice(0, EXPLAINED);
    if (tools.length === 0 || !reason.endsWith('tool')) return '';
    return `: ${tools.map((tool) => `tool/${tool}`).join(', ')}`;
  }

  #explain({ name, namespace, context }: Unresolved): string {
    const reason = outOfScopeReason(name);
    if (reason !== null) return `Unable to resolve symbol: ${name} (${reason}${this.#grantedTools(reason)})`;
    const known = [
      ...(context === null ? [] : localNames(context)),
      ...(this.#own.get(namespace)?.keys() ?? []),
      ...MACRO_NAMES,
      ...[...this.#context.builtins.keys()].map((key) => key.replace(/^clojure\.core\//, '')),
      ...[...(this.#context.tools ?? [])].map((tool) => `tool/${tool}`),
      ...(this.#context.data ?? []).map((name) => `data/${name}`),
    ];
    const elsewhere = nameElsewhere(name);
    if (elsewhere !== null) return `Unable to resolve symbol: ${name} (${elsewhere})`;
    const others = [...this.#own].filter(([other, table]) => other !== namespace && table.has(name));
    const near = others.length > 0 ? others.map(([other]) => `${other}/${name}`) : suggestions(name, known);
    return `Unable to resolve symbol: ${name}${near.length === 0 ? '' : ` (did you mean ${near.join(', ')}?)`}`;
  }
}
