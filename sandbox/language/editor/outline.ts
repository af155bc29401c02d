import { libraryNamed } from '../analyser/libraries.ts';
import { formsOf, isBranch, type Branch, type TextNode } from './text-tree.ts';
import { unwrapped, type NodePlace } from './nodes.ts';
import { readStringLiteral } from '../reader/strings.ts';

export type DefinitionKind =
  | 'namespace'
  | 'function'
  | 'constant'
  | 'multimethod'
  | 'record'
  | 'protocol'
  | 'method'
  | 'declared';

/** What a form at the top of a text defines. */
export interface OutlineEntry {
  readonly namespace: string;
  readonly name: string;
  readonly kind: DefinitionKind;
  readonly isPrivate: boolean;
  /** Of the whole form, and of the name in it. */
  readonly form: NodePlace;
  readonly place: NodePlace;
  readonly doc: string | null;
  /** Parameter vectors, as written; empty where it is no function. */
  readonly parameters: readonly string[];
  /** The text of `:signature` or `:type`. */
  readonly signature: string | null;
}

/** A namespace of a text and what it requires. */
export interface OutlineSection {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** Namespaces by alias. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Namespaces by the name that is referred to. */
  readonly referred: ReadonlyMap<string, string>;
}

export interface Outline {
  readonly sections: readonly OutlineSection[];
  readonly entries: readonly OutlineEntry[];
}

const KINDS: ReadonlyMap<string, DefinitionKind> = new Map([
  ['def', 'constant'],
  ['defonce', 'constant'],
  ['defn', 'function'],
  ['defn-', 'function'],
  ['defmulti', 'multimethod'],
  ['defrecord', 'record'],
  ['defprotocol', 'protocol'],
]);

/** The namespaces of a text and all that it defines, whatever is wrong with it. */
export function outlineOf(source: string, nodes: readonly TextNode[]): Outline {
  const sections: { -readonly [K in keyof OutlineSection]: OutlineSection[K] }[] = [];
  const entries: OutlineEntry[] = [];
  const text = (node: NodePlace): string => source.slice(node.start, node.end);
  for (const node of formsOf(nodes)) {
    const [head, named, ...rest] = node.kind === 'list' ? formsOf(node.children) : [];
    if (node.kind !== 'list' || head?.kind !== 'symbol') continue;
    const word = text(head);
    const target = named === undefined ? undefined : unwrapped(named);
    if (word === 'ns' && target?.kind === 'symbol') {
      const before = sections.at(-1);
      if (before !== undefined) before.end = node.start;
      sections.push({ name: text(target), start: node.start, end: source.length, ...requirements(source, rest) });
      entries.push({
        namespace: text(target),
        name: text(target),
        kind: 'namespace',
        isPrivate: false,
        form: placeOf(node),
        place: placeOf(target),
        doc: stringValue(source, rest[0]),
        parameters: [],
        signature: null,
      });
      continue;
    }
    const namespace = sections.at(-1)?.name ?? '';
    if (word === 'declare') {
      for (const item of formsOf(node.children).slice(1).map(unwrapped))
        if (item.kind === 'symbol')
          entries.push(
            entryOf({ source, namespace, form: node, target: item, kind: 'declared', named: item, rest: [] }),
          );
      continue;
    }
    const kind = KINDS.get(word);
    if (kind === undefined || target?.kind !== 'symbol' || named === undefined) continue;
    const entry = entryOf({ source, namespace, form: node, target, kind, named, rest });
    entries.push(word === 'defn-' ? { ...entry, isPrivate: true } : entry);
    if (kind === 'protocol') entries.push(...methodsOf(source, namespace, rest));
    if (kind === 'record') entries.push(...factoriesOf(source, entry, rest));
  }
  return { sections, entries };
}

function placeOf({ start, end }: NodePlace): NodePlace {
  return { start, end };
}

interface DefiningForm {
  readonly source: string;
  readonly namespace: string;
  readonly form: TextNode;
  readonly target: TextNode;
  readonly kind: DefinitionKind;
  /** The name with its metadata. */
  readonly named: TextNode;
  readonly rest: readonly TextNode[];
}

function entryOf({ source, namespace, form, target, kind, named, rest }: DefiningForm): OutlineEntry {
  const metadata = source.slice(named.start, target.start);
  const [first, second] = rest;
  const doc = rest.length > 1 || kind === 'protocol' ? stringValue(source, first) : null;
  const attributes = doc === null ? first : second;
  const attributeText =
    kind !== 'constant' && attributes?.kind === 'map' ? source.slice(attributes.start, attributes.end) : '';
  const said = metadata + attributeText;
  return {
    namespace,
    name: source.slice(target.start, target.end),
    kind: kind === 'constant' && isFunctionForm(source, rest.at(-1)) ? 'function' : kind,
    isPrivate: /:private(?:\s+true|(?=\s))/.test(said) && !/:private\s+(?:false|nil)/.test(said),
    form: placeOf(form),
    place: placeOf(target),
    doc: doc ?? stringAfter(source, said, ':doc'),
    parameters: parametersOf(source, kind, rest),
    signature: stringAfter(source, said, ':signature') ?? stringAfter(source, said, ':type'),
  };
}

function isFunctionForm(source: string, node: TextNode | undefined): boolean {
  if (node?.kind === 'short-function') return true;
  const head = node?.kind === 'list' ? formsOf(node.children)[0] : undefined;
  return head !== undefined && source.slice(head.start, head.end) === 'fn';
}

function parametersOf(source: string, kind: DefinitionKind, rest: readonly TextNode[]): readonly string[] {
  const text = (node: NodePlace): string => source.slice(node.start, node.end);
  if (kind === 'constant') {
    const value = rest.at(-1);
    const parts = value?.kind === 'list' && isFunctionForm(source, value) ? formsOf(value.children).slice(1) : [];
    return clauseVectors(parts).map(text);
  }
  return kind === 'function' || kind === 'method' ? clauseVectors(rest).map(text) : [];
}

/** The parameter vectors of a function's parts. */
function clauseVectors(parts: readonly TextNode[]): readonly Branch[] {
  for (const part of parts) {
    if (part.kind === 'vector') return [part];
    if (part.kind !== 'list') continue;
    return parts.flatMap((clause) => {
      const vector = clause.kind === 'list' ? formsOf(clause.children)[0] : undefined;
      return isBranch(vector) && vector.kind === 'vector' ? [vector] : [];
    });
  }
  return [];
}

function methodsOf(source: string, namespace: string, parts: readonly TextNode[]): readonly OutlineEntry[] {
  return parts.flatMap((part) => {
    const [name, ...rest] = part.kind === 'list' ? formsOf(part.children) : [];
    if (name?.kind !== 'symbol') return [];
    const vectors = rest.filter((item) => item.kind === 'vector');
    return [
      {
        namespace,
        name: source.slice(name.start, name.end),
        kind: 'method' as const,
        isPrivate: false,
        form: placeOf(part),
        place: placeOf(name),
        doc: stringValue(source, rest.at(-1)),
        parameters: vectors.map(({ start, end }) => source.slice(start, end)),
        signature: null,
      },
    ];
  });
}

function factoriesOf(source: string, record: OutlineEntry, [fields]: readonly TextNode[]): readonly OutlineEntry[] {
  const vector = fields?.kind === 'vector' ? source.slice(fields.start, fields.end) : '[]';
  const factory = (name: string, parameters: string): OutlineEntry => ({
    ...record,
    name,
    kind: 'function',
    parameters: [parameters],
  });
  return [factory(`->${record.name}`, vector), factory(`map->${record.name}`, '[m]')];
}

/** The value of a string; null for anything else, and for one that cannot be read. */
function stringValue(source: string, node: TextNode | undefined): string | null {
  if (node?.kind !== 'string') return null;
  try {
    return readStringLiteral(source, node.start).value;
  } catch {
    return null;
  }
}

/** The string behind a key in a text of metadata. */
function stringAfter(source: string, metadata: string, key: string): string | null {
  const found = new RegExp(String.raw`${key}\s+("(?:[^"\\]|\\.)*")`, 'su').exec(metadata)?.[1];
  if (found === undefined) return null;
  const at = source.indexOf(found);
  return stringValue(source, { kind: 'string', start: at, end: at + found.length });
}

function requirements(source: string, parts: readonly TextNode[]): Pick<OutlineSection, 'aliases' | 'referred'> {
  const aliases = new Map<string, string>();
  const referred = new Map<string, string>();
  const text = (node: NodePlace): string => source.slice(node.start, node.end);
  for (const clause of parts) {
    const [head, ...items] = clause.kind === 'list' ? formsOf(clause.children) : [];
    if (head === undefined || text(head) !== ':require') continue;
    for (const item of items) {
      const [name, ...options] = item.kind === 'vector' ? formsOf(item.children) : [];
      if (name === undefined) continue;
      const namespace = libraryNamed(text(name)) ?? text(name);
      for (let index = 0; index + 1 < options.length; index += 2) {
        const [key, value] = [options[index], options[index + 1]];
        if (key === undefined || value === undefined) continue;
        if (text(key) === ':as' || text(key) === ':as-alias') aliases.set(text(value), namespace);
        if (text(key) === ':refer' && isBranch(value))
          for (const found of formsOf(value.children)) referred.set(text(found), namespace);
      }
    }
  }
  return { aliases, referred };
}
