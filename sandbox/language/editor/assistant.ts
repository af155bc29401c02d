import { callAround, nodesAround, type NodePlace } from './nodes.ts';
import { outlineOf, type OutlineEntry } from './outline.ts';
import { scopesOf } from './scopes.ts';
import { textTree } from './text-tree.ts';
import { callShape, type Vocabulary } from './vocabulary.ts';

/** What a text may name in addition to its own: of components that it depends on, and of what it is granted. */
export interface Neighbours {
  /** Definitions of the namespaces that the text may name. */
  readonly entries: readonly OutlineEntry[];
  /** Names behind `tool/` and `data/`. */
  readonly tools: readonly string[];
  readonly data: readonly string[];
}

export type CompletionKind =
  | 'local'
  | 'function'
  | 'form'
  | 'constant'
  | 'namespace'
  | 'tool'
  | 'data'
  | 'keyword'
  | 'record'
  | 'protocol';

/** What may be written at a place. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** How it is called, where that is known. */
  readonly detail: string | null;
  readonly doc: string | null;
}

export interface Completions {
  /** What a completion replaces. */
  readonly place: NodePlace;
  readonly items: readonly Completion[];
}

/** What is known of a name. */
export interface Description {
  readonly place: NodePlace;
  /** `namespace/name`, or the name of a local. */
  readonly title: string;
  /** How it is called: one line each. */
  readonly shapes: readonly string[];
  readonly doc: string | null;
  readonly signature: string | null;
}

/** What may be written in a call, and where in it a place is. */
export interface CallHelp {
  /** Parameter vectors with their names as calls. */
  readonly shapes: readonly { readonly text: string; readonly parameters: readonly string[] }[];
  readonly doc: string | null;
  /** From 0. */
  readonly argument: number;
}

/** Where something is defined: in the text itself, or in a namespace of another one. */
export type DefinitionPlace = { readonly place: NodePlace } | { readonly entry: OutlineEntry };

/** A label that may be offered; how it reads in full is made of those that are. */
interface Candidate {
  readonly label: string;
  readonly complete: () => Completion;
}

const NO_NEIGHBOURS: Neighbours = { entries: [], tools: [], data: [] };

/** Completions of one answer: an editor asks again at the next key, by which there are fewer. */
const MOST_COMPLETIONS = 250;

/** Answers questions about one text of svc-lisp, which may be in the making; never throws for what it is. */
export class Assistant {
  readonly #source: string;
  readonly #vocabulary: Vocabulary;
  readonly #neighbours: Neighbours;
  readonly #nodes;
  readonly #scopes;
  readonly #outline;

  constructor(source: string, vocabulary: Vocabulary, neighbours: Neighbours = NO_NEIGHBOURS) {
    this.#source = source;
    this.#vocabulary = vocabulary;
    this.#neighbours = neighbours;
    this.#nodes = textTree(source);
    this.#scopes = scopesOf(source, this.#nodes);
    this.#outline = outlineOf(source, this.#nodes);
  }

  /** Everything that could be written at an offset in place of the token there. */
  completions(offset: number): Completions {
    const node = nodesAround(this.#nodes, offset).at(-1);
    if (node?.kind === 'comment' || ((node?.kind === 'string' || node?.kind === 'regex') && offset < node.end))
      return { place: { start: offset, end: offset }, items: [] };
    const isToken = node?.kind === 'symbol' || node?.kind === 'keyword' || node?.kind === 'number';
    const place = isToken ? { start: node.start, end: node.end } : { start: offset, end: offset };
    const typed = this.#source.slice(place.start, offset);
    const items = typed.startsWith(':') ? this.#keywords(place) : this.#names(typed, offset);
    const offered = narrowed(items, typed).slice(0, MOST_COMPLETIONS);
    return { place, items: offered.map(({ complete }) => complete()) };
  }

  #names(typed: string, offset: number): readonly Candidate[] {
    const slash = typed.indexOf('/');
    if (slash > 0) return this.#members(typed.slice(0, slash), offset);
    if (this.#isInRequire(offset)) return this.#namespaceNames().map((label) => plain(label, 'namespace'));
    const visible = this.#scopes.locals.filter(
      ({ reach, place }) => reach.start <= offset && offset <= reach.end && place.start > this.#formStart(offset),
    );
    const section = this.#sectionAt(offset);
    const own = this.#outline.entries.filter(
      ({ namespace, kind }) => kind !== 'namespace' && namespace === section?.name,
    );
    const prefixes = new Set([
      ...(section?.aliases.keys() ?? []),
      ...this.#namespaceNames(),
      ...this.#vocabulary.prefixes,
      'tool',
      'data',
    ]);
    return [
      ...unique(visible.map(({ name }) => name)).map((label) => plain(label, 'local')),
      ...own.map((entry) => entryCandidate(entry, entry.name)),
      ...[...(section?.referred ?? [])].flatMap(([name, namespace]) => {
        const entry = this.#entry(namespace, name);
        return entry === null ? [plain(name, 'function')] : [entryCandidate(entry, name)];
      }),
      ...this.#vocabulary.plainNames.map((name) => this.#builtin(null, name, name)),
      ...[...prefixes].map((prefix) => plain(`${prefix}/`, 'namespace')),
    ];
  }

  #members(prefix: string, offset: number): readonly Candidate[] {
    if (prefix === 'tool' || prefix === 'tool!')
      return unique([...this.#neighbours.tools, ...this.#named(prefix)]).map((name) =>
        plain(`${prefix}/${name}`, 'tool'),
      );
    if (prefix === 'data')
      return unique([...this.#neighbours.data, ...this.#named('data')]).map((name) => plain(`data/${name}`, 'data'));
    const namespace = this.#sectionAt(offset)?.aliases.get(prefix) ?? prefix;
    const members = [...this.#neighbours.entries, ...this.#outline.entries].filter(
      (entry) => entry.namespace === namespace && entry.kind !== 'namespace' && !entry.isPrivate,
    );
    return [
      ...members.map((entry) => entryCandidate(entry, `${prefix}/${entry.name}`)),
      ...unique(this.#vocabulary.membersOf(namespace)).map((name) =>
        this.#builtin(namespace, name, `${prefix}/${name}`),
      ),
    ];
  }

  /** Names that the text itself has behind a prefix. */
  #named(prefix: string): readonly string[] {
    return this.#scopes.free.filter((use) => use.prefix === prefix).map(({ name }) => name);
  }

  #keywords(without: NodePlace): readonly Candidate[] {
    const found = new Set<string>();
    const tokens = /::?[^\s()[\]{}",;@^`~\\]+/gu;
    for (const { index, 0: text } of this.#source.matchAll(tokens)) if (index !== without.start) found.add(text);
    return [...found].map((label) => plain(label, 'keyword'));
  }

  #builtin(prefix: string | null, name: string, label: string): Candidate {
    const complete = (): Completion => {
      const entry = this.#vocabulary.entry(prefix, name);
      const kind = entry?.kind ?? 'function';
      return { label, kind, detail: entry?.shapes.join(' ') ?? null, doc: entry?.doc ?? null };
    };
    return { label, complete };
  }

  #isInRequire(offset: number): boolean {
    return nodesAround(this.#nodes, offset).some(
      (node) => node.kind === 'list' && this.#source.startsWith('(:require', node.start),
    );
  }

  #namespaceNames(): readonly string[] {
    return unique(this.#neighbours.entries.map(({ namespace }) => namespace));
  }

  #formStart(offset: number): number {
    return this.#nodes.findLast(({ start }) => start < offset)?.start ?? 0;
  }

  #sectionAt(offset: number) {
    return this.#outline.sections.find(({ start, end }) => start <= offset && offset <= end);
  }

  #entry(namespace: string, name: string): OutlineEntry | null {
    const all = [...this.#outline.entries, ...this.#neighbours.entries];
    const named = all.filter((entry) => entry.namespace === namespace && entry.name === name);
    return named.find(({ kind }) => kind !== 'declared') ?? named[0] ?? null;
  }

  /** What a symbol written at a place means, where it is no local. */
  #resolveName(symbol: { readonly prefix: string | null; readonly name: string; readonly start: number }): {
    readonly entry: OutlineEntry | null;
    readonly namespace: string | null;
  } {
    const section = this.#sectionAt(symbol.start);
    const { prefix, name } = symbol;
    if (prefix !== null) {
      const namespace = section?.aliases.get(prefix) ?? prefix;
      return { namespace, entry: this.#entry(namespace, name) };
    }
    const own = section === undefined ? null : this.#entry(section.name, name);
    const referred = section?.referred.get(name);
    if (own !== null || referred === undefined) return { namespace: null, entry: own };
    return { namespace: referred, entry: this.#entry(referred, name) };
  }

  /** What is known of the name at an offset; null where nothing is. */
  describe(offset: number): Description | null {
    const touches = ({ start, end }: NodePlace): boolean => start <= offset && offset <= end;
    const local = this.#scopes.locals.find(({ place, uses }) => touches(place) || uses.some(touches));
    if (local !== undefined) {
      const place = [local.place, ...local.uses].find(touches) ?? local.place;
      return { place, title: local.name, shapes: [], doc: 'A local.', signature: null };
    }
    const symbol = this.#scopes.free.find(touches);
    if (symbol === undefined) return null;
    const { entry, namespace } = this.#resolveName(symbol);
    if (entry !== null) {
      const title = entry.kind === 'namespace' ? entry.name : `${entry.namespace}/${entry.name}`;
      const shapes = entry.parameters.map((vector) => callShape(entry.name, vector));
      return { place: symbol, title, shapes, doc: entry.doc, signature: entry.signature };
    }
    const known = this.#vocabulary.entry(namespace, symbol.name);
    if (known !== null)
      return { place: symbol, title: known.name, shapes: known.shapes, doc: known.doc, signature: null };
    if (symbol.prefix === 'tool' || symbol.prefix === 'tool!')
      return { ...titled(symbol), doc: 'A tool, which the manifest has to grant.' };
    return symbol.prefix === 'data' ? { ...titled(symbol), doc: 'A value that the manifest grants.' } : null;
  }

  /** How the call around an offset is written; null outside of one that is known. */
  callHelp(offset: number): CallHelp | null {
    const call = callAround(this.#nodes, offset);
    const [head] = call?.forms ?? [];
    if (call === null || head?.kind !== 'symbol' || offset <= head.end) return null;
    const symbol = this.#scopes.free.find(({ start }) => start === head.start);
    if (symbol === undefined) return null;
    const { entry, namespace } = this.#resolveName(symbol);
    const known = entry === null ? this.#vocabulary.entry(namespace, symbol.name) : null;
    const vectors = entry?.parameters ?? known?.parameters ?? [];
    const name = this.#source.slice(head.start, head.end);
    const shapes =
      known?.kind === 'form'
        ? known.shapes.map((text) => ({ text, parameters: [] }))
        : vectors.map((vector) => ({ text: callShape(name, vector), parameters: parametersOf(vector) }));
    const doc = entry?.doc ?? known?.doc ?? null;
    return shapes.length === 0 ? null : { shapes, doc, argument: Math.max(0, call.index - 1) };
  }

  /** Where the name at an offset is bound or defined; null where that is not known. */
  definition(offset: number): DefinitionPlace | null {
    const touches = ({ start, end }: NodePlace): boolean => start <= offset && offset <= end;
    const local = this.#scopes.locals.find(({ place, uses }) => touches(place) || uses.some(touches));
    if (local !== undefined) return { place: local.place };
    const symbol = this.#scopes.free.find(touches);
    if (symbol === undefined) return null;
    const entry = this.#resolveName(symbol).entry ?? this.#namespaceEntry(symbol.name);
    if (entry === null) return null;
    return this.#outline.entries.includes(entry) ? { place: entry.place } : { entry };
  }

  #namespaceEntry(name: string): OutlineEntry | null {
    return this.#neighbours.entries.find((entry) => entry.kind === 'namespace' && entry.name === name) ?? null;
  }

  /** Where the text names a definition, whether it is its own or another's. */
  referencesTo(namespace: string, name: string): readonly NodePlace[] {
    return this.#scopes.free.filter((symbol) => {
      if (symbol.name !== name) return false;
      const { entry } = this.#resolveName(symbol);
      return entry?.namespace === namespace;
    });
  }

  get outline(): readonly OutlineEntry[] {
    return this.#outline.entries;
  }
}

function titled(
  symbol: { readonly prefix: string | null; readonly name: string } & NodePlace,
): Omit<Description, 'doc'> {
  return { place: symbol, title: `${symbol.prefix ?? ''}/${symbol.name}`, shapes: [], signature: null };
}

function plain(label: string, kind: CompletionKind): Candidate {
  return { label, complete: () => ({ label, kind, detail: null, doc: null }) };
}

function entryCandidate(entry: OutlineEntry, label: string): Candidate {
  return { label, complete: () => entryCompletion(entry, label) };
}

function entryCompletion(entry: OutlineEntry, label: string): Completion {
  const { kind } = entry;
  const shown: CompletionKind =
    kind === 'constant' || kind === 'record' || kind === 'protocol' || kind === 'namespace' ? kind : 'function';
  const shapes = entry.parameters.map((vector) => callShape(entry.name, vector)).join(' ');
  return { label, kind: shown, detail: shapes === '' ? entry.signature : shapes, doc: entry.doc };
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

/** Those that begin as what is typed; where none does, those that have its letters in their order. */
function narrowed(items: readonly Candidate[], typed: string): readonly Candidate[] {
  const candidates = items.filter(({ label }) => label.startsWith(typed));
  if (candidates.length > 0) return candidates;
  return items.filter(({ label }) => {
    let at = 0;
    for (const unit of label) if (unit === typed[at]) at += 1;
    return at === typed.length;
  });
}

/** The parts of a parameter vector. */
function parametersOf(vector: string): readonly string[] {
  const [node] = textTree(vector);
  if (node === undefined || !('children' in node)) return [];
  return node.children.map(({ start, end }) => vector.slice(start, end)).filter((text) => text !== '&');
}
