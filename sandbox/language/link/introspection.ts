import { displayString } from '../../runtime/print.ts';
import { matcherFor } from '../../runtime/regex/pattern.ts';
import { keyword } from '../../runtime/values/keyword.ts';
import { mapFromEntries } from '../../runtime/values/map-builder.ts';
import { Regex } from '../../runtime/values/regex.ts';
import { vector } from '../../runtime/values/vector.ts';
import { compareUtf8 } from '../../runtime/json/write.ts';
import { CONTROL_NAMES, MACRO_NAMES } from '../analyser/forms/names.ts';
import { libraryMembers, libraryNamed, qualifiedBuiltins } from '../analyser/libraries.ts';
import { describeArities } from '../analyser/faults.ts';
import type { BundleDefinition } from '../components/bundle.ts';
import { variableDoc, variableParameters } from './metadata.ts';
import { sha256Hex } from './sha256.ts';
import { variableNamed, type LoadedNamespace, type Session } from './session.ts';

/** What the introspection functions say of one name. */
interface Entry {
  readonly name: string;
  /** Call shapes, one a line. */
  readonly shapes: readonly string[];
  readonly doc: string | null;
}

interface FoundExport {
  readonly namespace: LoadedNamespace;
  readonly definition: BundleDefinition;
}

/** `doc`, `source`, `dir`, `apropos`, `export-meta` (functions.md §17), `components`, `component` (cli.md §11, the catalog of sources). */
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
  const shown = key.replace(/^(?:clojure|svc)\.core\//, '');
  return { name: shown, shapes: [`${shown}: ${describeArities(found.arities)} arguments`], doc: found.doc };
}

function entryOf(session: Session, name: string): Entry | null {
  const own = session.definitions.get(name.replace(/^user\//, ''));
  if (own !== undefined) {
    const shapes = own.arities === null ? [own.name] : [`${own.name}: ${describeArities(own.arities)} arguments`];
    return { name: own.name, shapes, doc: null };
  }
  const found = findExport(session, name);
  if (found !== null && !found.definition.isPrivate) {
    const variable = variableNamed(session, name);
    return { name, shapes: shapesOf(name, variableParameters(variable)), doc: variableDoc(variable) };
  }
  if (MACRO_NAMES.has(name) || CONTROL_NAMES.has(name)) return { name, shapes: [`(${name} …)`], doc: 'A special form or macro; see the language page.' };
  return builtinEntry(session, name);
}

function docText(session: Session, name: string): string {
  const entry = entryOf(session, name);
  if (entry === null) return `No documentation for ${name.slice(0, 128)}`;
  return [...entry.shapes, ...(entry.doc === null ? [] : [entry.doc])].join('\n');
}

function sourceText(session: Session, name: string): string {
  const own = session.definitionSources.get(name.replace(/^user\//, ''));
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
  if (namespace !== undefined) return exportsOf(namespace).map((definition) => `${name}/${definition.name}`).toSorted(compareUtf8);
  const library = libraryNamed(name);
  if (library === null) return [];
  return [...session.builtins.keys()].filter((key) => key.startsWith(`${library}/`)).toSorted(compareUtf8);
}

/** Names whose name, shape or text contains what is looked for. */
function apropos(session: Session, wanted: string | Regex): string[] {
  const holds = (text: string): boolean => (typeof wanted === 'string' ? text.includes(wanted) : matcherFor(wanted, text).find(0));
  const exported = [...session.namespaces.values()].flatMap((namespace) =>
    exportsOf(namespace).map((definition) => entryOf(session, `${namespace.name}/${definition.name}`)),
  );
  const builtin = [...session.builtins.values()].map((found) => ({
    name: found.name.replace(/^(?:clojure|svc)\.core\//, ''),
    shapes: [],
    doc: found.doc,
  }));
  const own = [...session.definitions.keys()].map((name) => entryOf(session, name));
  return [...exported, ...builtin, ...own]
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
  const flat: unknown[] = [key('ref'), fact.ref, key('namespace'), found.namespace.name, key('symbol'), definition.name];
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

/** A component as it was compiled: its id, namespaces, exact text, and the text's size and SHA-256; nil for an id that is not attached. */
function componentFacts(session: Session, id: string): unknown {
  const found = session.components.get(id);
  if (found === undefined) return null;
  const { hex, length } = sha256Hex(found.source);
  const key = (word: string): unknown => keyword(null, word);
  return mapFromEntries([
    key('id'), found.id, key('namespaces'), vector([...found.namespaces]),
    key('source'), found.source, key('bytes'), length, key('sha256'), hex,
  ]);
}
