import type { Builtin } from '../../runtime/builtins/table.ts';
import { displayString } from '../../runtime/print.ts';
import { matcherFor } from '../../runtime/regex/pattern.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { mapFromEntries } from '../../runtime/values/map-builder.ts';
import { Regex } from '../../runtime/regex/regex.ts';
import type { Var } from '../../runtime/values/var.ts';
import { vector } from '../../runtime/values/vector.ts';
import { compareUtf8 } from '../../runtime/json/write.ts';
import { libraryMembers, libraryNamed, qualifiedBuiltins } from '../analyser/libraries.ts';
import type { BundleDefinition } from '../bundle.ts';
import { type Entry, formEntries, formEntry } from './form-docs.ts';
import { isPrivateVariable, variableDoc, variableParameters } from './metadata.ts';
import { ownVariables } from './own-variables.ts';
import { sha256Hex } from './sha256.ts';
import { variableNamed, type LoadedNamespace, type Session } from './session.ts';

interface FoundExport {
  readonly namespace: LoadedNamespace;
  readonly definition: BundleDefinition;
}

/**
 * `doc`, `source`, `dir`, `apropos`, `export-meta` (functions.md §17), `components`, `component` (cli.md §11, the
 * catalog of sources).
 */
export function introspect(session: Session, question: string, argument: unknown): unknown {
  const text = argument === null ? '' : displayString(argument);
  switch (question) {
    case 'doc':
      return print(session, docText(session, text));
    case 'source':
      return print(session, sourceText(session, text));
    case 'dir':
      return vector(argument === null ? visibleNamespaces(session) : membersOf(session, text));
    case 'export-meta':
      return exportMeta(session, text);
    case 'components':
      return vector([...session.components.keys()].toSorted(compareUtf8));
    case 'component':
      return componentFacts(session, text);
    default:
      return vector(apropos(session, argument instanceof Regex ? argument : text));
  }
}

function print(session: Session, text: string): null {
  session.prints.write(`${text}\n`);
  return null;
}

function exportsOf(namespace: LoadedNamespace): BundleDefinition[] {
  return [...namespace.definitions.values()].filter((definition) => !definition.isPrivate);
}

function findExport(session: Session, name: string): FoundExport | null {
  const slash = name.indexOf('/');
  if (slash <= 0) return null;
  const namespace = session.namespaces.get(name.slice(0, slash));
  const definition = namespace?.definitions.get(name.slice(slash + 1));
  return namespace === undefined || definition === undefined ? null : { namespace, definition };
}

function shapesOf(name: string, parameters: readonly string[]): string[] {
  if (parameters.length === 0) return [name];
  return parameters.map((vectorText) => {
    const inside = vectorText.slice(1, -1).trim();
    return inside === '' ? `(${name})` : `(${name} ${inside})`;
  });
}

function builtinEntry(session: Session, name: string): Entry | null {
  const slash = name.indexOf('/');
  const library = slash > 0 ? libraryNamed(name.slice(0, slash)) : null;
  const keys = library === null ? qualifiedBuiltins(name) : libraryMembers(library, name.slice(slash + 1));
  const key = keys.find((candidate) => session.builtins.has(candidate));
  const found = key === undefined ? undefined : session.builtins.get(key);
  if (key === undefined || found === undefined) return null;
  return documentedBuiltin(key.replace(/^svc\.core\//, ''), found);
}

function documentedBuiltin(name: string, { parameters, doc }: Builtin): Entry {
  if (parameters === null) return { name, shapes: [], doc };
  return {
    name,
    shapes: [
      parameters.startsWith('(')
        ? parameters
        : `(${parameters
            .split('|')
            .map((names) => `[${names}]`)
            .join(' ')})`,
    ],
    doc,
  };
}

function variableEntry(name: string, variable: Var): Entry {
  const parameters = variableParameters(variable);
  return { name, shapes: parameters.length === 0 ? [] : [`(${parameters.join(' ')})`], doc: variableDoc(variable) };
}

/** A definition of the program, that of the running text included. */
function ownVariable(session: Session, name: string): Var | null {
  const slash = name.length > 1 ? name.indexOf('/') : -1;
  const [namespace, local] = slash > 0 ? [name.slice(0, slash), name.slice(slash + 1)] : [null, name];
  return (
    ownVariables(session).find(
      (variable) => variable.name === local && (namespace === null || variable.namespace === namespace),
    ) ?? null
  );
}

function entryOf(session: Session, name: string): Entry | null {
  const own = ownVariable(session, name);
  if (own !== null) return variableEntry(`${own.namespace}/${own.name}`, own);
  const found = findExport(session, name);
  if (found !== null && !found.definition.isPrivate) return variableEntry(name, variableNamed(session, name));
  return formEntry(name.replace(/^(?:clojure\.)?core\/(?=.)/, '')) ?? builtinEntry(session, name);
}

/** As the reference lays it out: the name, the lists of parameters, the text. */
function docText(session: Session, name: string): string {
  const entry = entryOf(session, name);
  if (entry === null) return `No documentation for ${name.slice(0, 128)}`;
  return [entry.name, ...entry.shapes, ...(entry.doc === null ? [] : [`  ${entry.doc}`])].join('\n');
}

function sourceText(session: Session, name: string): string {
  const own = session.definitionSources.get(name.indexOf('/') > 0 ? name : `${session.current}/${name}`);
  if (own !== undefined) return own;
  const found = findExport(session, name);
  return found === null ? `No source for ${name.slice(0, 128)}` : found.definition.source;
}

function visibleNamespaces(session: Session): string[] {
  return [...session.namespaces.values()]
    .filter((namespace) => exportsOf(namespace).length > 0)
    .map((namespace) => namespace.name)
    .toSorted(compareUtf8);
}

function membersOf(session: Session, name: string): string[] {
  const namespace = session.namespaces.get(name);
  if (namespace !== undefined)
    return exportsOf(namespace)
      .map((definition) => `${name}/${definition.name}`)
      .toSorted(compareUtf8);
  const library = libraryNamed(name);
  if (library === null) return ownMembersOf(session, name);
  return [...session.builtins.keys()].filter((key) => key.startsWith(`${library}/`)).toSorted(compareUtf8);
}

function ownMembersOf(session: Session, namespace: string): string[] {
  return ownVariables(session)
    .filter((variable) => variable.namespace === namespace && !isPrivateVariable(variable))
    .map(({ name }) => `${namespace}/${name}`)
    .toSorted(compareUtf8);
}

/** Names whose name, shape or text contains what is looked for. */
function apropos(session: Session, wanted: string | Regex): string[] {
  const holds = (text: string): boolean =>
    typeof wanted === 'string' ? text.includes(wanted) : matcherFor(wanted, text).find(0);
  const exported = [...session.namespaces.values()].flatMap((namespace) =>
    exportsOf(namespace).map((definition) => entryOf(session, `${namespace.name}/${definition.name}`)),
  );
  const builtin = session.builtins
    .values()
    .map((found) => documentedBuiltin(found.name.replace(/^(?:clojure|svc)\.core\//, ''), found));
  const own = ownVariables(session).map((variable) => variableEntry(variable.name, variable));
  return [...exported, ...formEntries(), ...builtin, ...own]
    .filter((entry) => entry !== null)
    .filter((entry) => [entry.name, ...entry.shapes, entry.doc ?? ''].some(holds))
    .map((entry) => entry.name)
    .toSorted(compareUtf8);
}

function exportMeta(session: Session, name: string): unknown {
  const found = findExport(session, name);
  const fact = session.exports.find((candidate) => candidate.ref === name);
  if (found === null || fact === undefined) return null;
  const { definition } = found;
  const variable = variableNamed(session, name);
  const parameters = variableParameters(variable);
  const key = (word: string): unknown => keyword(null, word);
  const flat: unknown[] = [
    key('ref'),
    fact.ref,
    key('namespace'),
    found.namespace.name,
    key('symbol'),
    definition.name,
  ];
  flat.push(key('kind'), key(fact.kind), key('call'), shapesOf(name, parameters)[0] ?? name);
  flat.push(key('doc'), variableDoc(variable), key('visibility'), key(fact.visibility));
  flat.push(key('effect'), key(fact.effect === 'read' && fact.requirements.length > 0 ? 'unknown' : fact.effect));
  if (fact.kind === 'function') {
    flat.push(key('arity'), vector([...fact.arities]), key('params'), vector([...parameters]));
  }
  if (definition.signature !== null) flat.push(key('signature'), definition.signature);
  if (definition.type !== null) flat.push(key('type'), definition.type);
  return mapFromEntries(flat);
}

/**
 * A component as it was compiled: its id, namespaces, exact text, and the text's size and SHA-256; nil for an id that
 * is not attached.
 */
function componentFacts(session: Session, id: string): unknown {
  const found = session.components.get(id);
  if (found === undefined) return null;
  const { hex, length } = sha256Hex(found.source);
  const key = (word: string): unknown => keyword(null, word);
  return mapFromEntries([
    key('id'),
    found.id,
    key('namespaces'),
    vector([...found.namespaces]),
    key('source'),
    found.source,
    key('bytes'),
    length,
    key('sha256'),
    hex,
  ]);
}
