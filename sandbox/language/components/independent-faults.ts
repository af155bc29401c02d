import type { ComponentSource } from '../../../contract/sandbox-protocol.ts';
import type { BuiltinTable } from '../../runtime/builtins/table.ts';
import { Analyser } from '../analyser/analyser.ts';
import { analyseNamespaceClauses } from '../analyser/forms/namespaces.ts';
import { Names } from '../analyser/names.ts';
import { rootContext } from '../analyser/scope.ts';
import type { ForeignNamespace, AnalysisContext } from '../analyser/surroundings.ts';
import { CompileFailure } from '../compile-failure.ts';
import { readApart } from '../reader/read-apart.ts';
import type { ListNode, Syntax } from '../syntax.ts';
import { definingForm, openSection } from './sections.ts';

/** Faults that are looked for; nobody mends more at once. */
const MOST = 32;

/**
 * Every fault of a refused component that can be known, in the order of their places: each form is read and analysed
 * whatever became of those before it, and each name that means nothing is one. `refusal` is among them: what the
 * component was refused for. Nothing of the component runs.
 */
export function independentFaults(
  source: ComponentSource,
  refusal: CompileFailure,
  dependencies: ReadonlyMap<string, ForeignNamespace>,
  builtins: BuiltinTable,
): CompileFailure[] {
  const analysisContext: AnalysisContext = {
    kind: 'component',
    builtins,
    namespaces: dependencies,
    tools: null,
    definitions: new Map(),
    current: '',
  };
  const { forms, faults: unreadable, unread } = readApart(source.source);
  const search = new Search(source.source, analysisContext);
  for (const form of forms) search.look(form);
  for (const text of unread) search.assumeDefined(nameIn(text));
  const found = [...unreadable, ...search.faults, ...search.names.unboundFaults(MOST)];
  const isKnown = found.some(({ place, reason }) => reason === refusal.reason && place?.start === refusal.place?.start);
  // What cannot be read whole is reported better by what cannot be read apart.
  const isSaid = isKnown || (refusal.reason === 'parse_error' && unreadable.length > 0);
  return [...(isSaid ? [] : [refusal]), ...found]
    .toSorted((one, other) => startOf(one) - startOf(other))
    .slice(0, MOST);
}

function startOf({ place }: CompileFailure): number {
  return place?.start ?? 0;
}

/** What a form that cannot be read may define. */
function nameIn(text: string): string | null {
  return /^\(def\S*\s+(?:\^\S+\s+)*([^\s()[\]{}"]+)/.exec(text)?.[1] ?? null;
}

class Search {
  readonly names: Names;
  readonly faults: CompileFailure[] = [];
  readonly #analyser: Analyser;
  readonly #defined = new Set<string>();
  /** Prefixes that a refused clause may have meant to bring. */
  readonly #doubtful = new Set<string>();

  constructor(source: string, analysisContext: AnalysisContext) {
    this.names = new Names(analysisContext);
    this.#analyser = new Analyser(source, analysisContext, this.names);
  }

  look(form: Syntax): void {
    this.#attempt(() => {
      const { node, name } = definingForm(form);
      if (name === 'ns') this.#enter(node);
      else this.#define(node, name);
    });
  }

  assumeDefined(name: string | null): void {
    if (name === null || this.names.ownDefinition(name) !== null) return;
    this.names.define({ name, kind: 'declared', isPrivate: false, arities: null });
  }

  #enter(node: ListNode): void {
    const section = openSection(node);
    this.names.enterNamespace(section.name);
    for (const clause of section.clauses) {
      const before = this.faults.length;
      this.#attempt(() => {
        analyseNamespaceClauses(this.#analyser, [clause]);
      });
      if (this.faults.length > before) for (const name of symbolsIn(clause)) this.#doubtful.add(name);
    }
  }

  #define(node: ListNode, form: string): void {
    const [, name] = node.items;
    this.#analyser.restart();
    this.#attempt(() => {
      this.#analyser.analyse(node, rootContext());
    });
    if (name?.kind !== 'symbol' || !form.startsWith('def') || form === 'defmethod') return;
    this.assumeDefined(name.name);
    const reference = `${this.names.current}/${name.name}`;
    if (this.#defined.has(reference))
      this.faults.push(new CompileFailure('duplicate_ref', `${reference} is defined twice`, node));
    this.#defined.add(reference);
  }

  /** A fault that follows from one that is reported already is none. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      if (!(thrown instanceof CompileFailure)) throw thrown;
      const prefix = thrown.details['rejected_namespace'];
      if (!(typeof prefix === 'string' && this.#doubtful.has(prefix) && thrown.reason === 'unknown_namespace'))
        this.faults.push(thrown);
    }
  }
}

function symbolsIn(node: Syntax): readonly string[] {
  if (node.kind === 'symbol') return [node.name];
  return node.kind === 'list' || node.kind === 'vector' ? node.items.flatMap(symbolsIn) : [];
}
