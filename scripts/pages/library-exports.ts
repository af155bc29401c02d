/** What a shipped library exports, as the compiler sees it. */
import { compileBundle } from '../../sandbox/language/components/compile-bundle.ts';
import type { ExportFact } from '../../contract/sandbox-protocol.ts';

export interface LibraryExport {
  readonly name: string;
  /** Lists of parameters as they stand; empty for a constant. */
  readonly shapes: readonly string[];
  readonly doc: string;
}

interface Source {
  readonly id: string;
  readonly dependencies: readonly string[];
  readonly source: string;
}

/** Exports of each library by its id, those that a program may call, in the order of their names. */
export function libraryExports(libraries: readonly Source[]): ReadonlyMap<string, readonly LibraryExport[]> {
  const compiled = compileBundle({ operation: 'compile', environment: 'workflow', components: [...libraries] });
  if (compiled.status !== 'compiled') throw new Error('the shipped libraries compile');
  return new Map(libraries.map(({ id, source }) => [id, compiled.exports.filter(({ ref }) => ref.startsWith(`${id}/`)).map((fact) => exported(fact, source)).toSorted((left, right) => (left.name < right.name ? -1 : 1))]));
}

function exported({ ref, kind, doc }: ExportFact, source: string): LibraryExport {
  const name = ref.slice(ref.indexOf('/') + 1);
  return { name: ref, shapes: kind === 'constant' ? [] : parametersOf(name, source), doc: doc ?? '' };
}

/** The vectors behind a name and its docstring, one for each arity. */
function parametersOf(name: string, source: string): readonly string[] {
  const at = source.search(new RegExp(String.raw`\(defn (?:\^\S+ )?${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}[\s]`));
  const rest = source.slice(at).replace(/^\(defn\s+(?:\^\S+\s+)?\S+\s+/, '').replace(/^"(?:[^"\\]|\\.)*"\s*/, '');
  const plain = rest.startsWith('{') ? rest.slice(closing(rest, '{', '}') + 1).trimStart() : rest;
  if (plain.startsWith('[')) return [inside(plain)];
  return [...plain.matchAll(/^\s*\(\[/gm)].slice(0, 4).map(({ index }) => inside(plain.slice(plain.indexOf('[', index))));
}

const inside = (text: string): string => text.slice(1, closing(text, '[', ']')).replaceAll(/\s+/g, ' ').trim();

function closing(text: string, open: string, close: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === open) depth += 1;
    else if (text[at] === close) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}
