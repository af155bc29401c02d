import { isKeywordNamed, isSymbolNamed, type ListNode, type Syntax, type SymbolNode } from '../../syntax.ts';
import { CompileFailure } from '../../compile-failure.ts';
import type { Analyser } from '../analyser.ts';
import { invalidForm } from '../faults.ts';
import { constant, NIL, supportCall, type Node } from '../ir.ts';
import { classesBeside } from '../../../runtime/java/class-relations.ts';
import { listedClass } from '../../java/classes.ts';
import { isToolPrefix, libraryNamed, LIBRARY_NAMES } from '../libraries.ts';
import { javaReason, outOfScopeReason } from '../../out-of-scope.ts';
import type { Context } from '../scope.ts';

/** `(require '[name :as alias :refer [names]] …)`: a directive, checked here; its value is nil. */
export function requireForm(analyser: Analyser, node: ListNode, context: Context): Node {
  if (!context.topLevel) throw invalidForm(node, 'require is allowed only at the top level');
  for (const item of node.items.slice(1)) {
    const quoted = item.kind === 'list' && isSymbolNamed(item.items[0], 'quote') ? item.items[1] : undefined;
    if (quoted === undefined) {
      if (item.kind === 'keyword') continue;
      throw invalidForm(item, "require takes quoted names: (require '[clojure.string :as s])");
    }
    requireOne(analyser, quoted);
  }
  return NIL;
}

/**
 * `(import java.util.Date '(java.time LocalDate) …)`: classes of the Java surface have their short names already; the
 * last one.
 */
export function importForm(_analyser: Analyser, node: ListNode): Node {
  const classes = node.items.slice(1).flatMap((item) => importedClasses(item));
  const last = classes.at(-1);
  return last === undefined ? NIL : supportCall(node, 'classValue', [constant(last)]);
}

function importedClasses(item: Syntax): string[] {
  const bare = item.kind === 'list' && isSymbolNamed(item.items[0], 'quote') ? item.items[1] : item;
  if (bare?.kind === 'symbol') return [importedClass(bare, bare.name)];
  const [prefix, ...names] = bare?.kind === 'list' || bare?.kind === 'vector' ? bare.items : [];
  if (prefix?.kind !== 'symbol')
    throw invalidForm(item, "import takes classes: (import java.util.Date '(java.time LocalDate))");
  return names.map((name) => {
    if (name.kind !== 'symbol') throw invalidForm(name, 'import: the name of a class must be a symbol');
    return importedClass(name, `${prefix.name}.${name.name}`);
  });
}

function importedClass(place: Syntax, name: string): string {
  const known = listedClass(name);
  if (known !== null) return known;
  const shown = name.slice(0, 128);
  const reason = javaReason(name) ?? `there are ${classesBeside(name).slice(0, NAMED).join(', ')}`;
  throw new CompileFailure('unsupported_java_class', `Unsupported class: ${shown}; ${reason}`, place, { class: shown });
}

/** The clauses of `(ns name doc? attributes? (:require …)…)` after the name. */
export function analyseNamespaceClauses(analyser: Analyser, clauses: readonly Syntax[]): void {
  for (const clause of clauses) {
    if (clause.kind !== 'list') throw invalidForm(clause, 'ns: expected a clause such as (:require …)');
    const [head, ...items] = clause.items;
    if (isKeywordNamed(head, 'require')) for (const item of items) requireOne(analyser, item);
    else if (isKeywordNamed(head, 'refer-clojure')) continue;
    else if (isKeywordNamed(head, 'import')) for (const item of items) importRecords(analyser, item);
    else {
      throw invalidForm(clause, 'ns: only (:require …) is supported; use, import and refer are not');
    }
  }
}

/** `(ns name …)` in a program: its namespace from there on, and that of later programs (language.md §14). */
export function programNamespace(analyser: Analyser, node: ListNode, context: Context): Node {
  const [, name, ...rest] = node.items;
  if (!context.topLevel) throw invalidForm(node, 'ns is allowed only at the top level');
  if (name === undefined || name.kind !== 'symbol' || name.namespace !== null)
    throw invalidForm(node, 'ns needs a plain symbol');
  if (libraryNamed(name.name) !== null)
    throw new CompileFailure(
      'reserved_namespace',
      `The namespace ${name.name} is a library; name yours otherwise`,
      name,
    );
  analyser.names.switchTo(name.name);
  analyseNamespaceClauses(
    analyser,
    rest.filter((item) => item.kind === 'list'),
  );
  return NIL;
}

/**
 * `(package Name…)` or `package.Name`: the classes of records among them; what other classes there are needs no import.
 */
function importRecords(analyser: Analyser, item: Syntax): void {
  const [head, ...classes] = item.kind === 'list' || item.kind === 'vector' ? item.items : [];
  const written =
    item.kind === 'symbol'
      ? [item.name]
      : classes.map((name) => (name.kind === 'symbol' && head?.kind === 'symbol' ? `${head.name}.${name.name}` : ''));
  for (const name of written) {
    const record = analyser.names.recordNamed(name);
    if (record !== null) analyser.names.refer(record.name, record.namespace);
  }
}

function requireOne(analyser: Analyser, item: Syntax): void {
  const [name, ...options] = item.kind === 'vector' ? item.items : [item];
  if (name === undefined || name.kind !== 'symbol')
    throw invalidForm(item, 'require: expected a name or [name :as alias]');
  const namespace = analyser.names.namespaceNamed(name.name);
  if (namespace === null) throw unknownNamespace(analyser, name);
  for (let index = 0; index < options.length; index += 2) {
    const value = options[index + 1];
    if (isKeywordNamed(options[index], 'as') || isKeywordNamed(options[index], 'as-alias'))
      addAlias(analyser, value, namespace, item);
    else if (isKeywordNamed(options[index], 'refer')) referTo(analyser, value, namespace, item);
    else throw invalidForm(options[index] ?? item, 'require knows :as and :refer');
  }
}

function addAlias(analyser: Analyser, alias: Syntax | undefined, namespace: string, place: Syntax): void {
  if (alias === undefined || alias.kind !== 'symbol') throw invalidForm(alias ?? place, ':as takes a symbol');
  if (alias.name === 'data' || isToolPrefix(alias.name)) {
    throw new CompileFailure('reserved_namespace', `The alias ${alias.name} is reserved`, alias);
  }
  analyser.names.alias(alias.name, namespace);
}

function referTo(analyser: Analyser, names: Syntax | undefined, namespace: string, place: Syntax): void {
  if (isKeywordNamed(names, 'all')) throw invalidForm(place, ':refer :all is not supported; list the names');
  if (names === undefined || (names.kind !== 'vector' && names.kind !== 'list'))
    throw invalidForm(place, ':refer takes a vector of names');
  for (const name of names.items) {
    if (name.kind !== 'symbol') throw invalidForm(name, ':refer takes a vector of names');
    analyser.names.refer(name.name, namespace);
  }
}

/** Namespaces and classes that a message lists. */
const NAMED = 16;

function unknownNamespace(analyser: Analyser, name: SymbolNode): CompileFailure {
  const available = [...analyser.context.namespaces.keys(), ...LIBRARY_NAMES].toSorted();
  const reason = outOfScopeReason(`${name.name}/`) ?? `there are ${available.slice(0, NAMED).join(', ')}`;
  return new CompileFailure('unknown_namespace', `Unknown namespace: ${name.name.slice(0, 128)}; ${reason}`, name, {
    rejected_namespace: name.name,
    available_namespaces: available,
  });
}
