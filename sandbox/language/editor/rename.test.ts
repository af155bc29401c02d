import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import type { Definition, ForeignNamespace } from '../analyser/surroundings.ts';
import { compileComponent } from '../components/compile-component.ts';
import { newSession } from '../link/new-session.ts';
import type { NodePlace } from './nodes.ts';
import { outlineOf } from './outline.ts';
import { renameAt, thingAt } from './rename.ts';
import { scopesOf } from './scopes.ts';
import { textTree } from './text-tree.ts';

const root = join(import.meta.dirname, '../../..');
const { builtins } = newSession();

const files = globSync(['examples/**/*.clj', 'sandbox/preludes/*.clj'], { cwd: root });
const known = new Map<string, Map<string, Definition>>();
for (const file of files) {
  const source = readFileSync(join(root, file), 'utf8');
  for (const { namespace, name, kind, isPrivate } of outlineOf(source, textTree(source)).entries) {
    if (kind === 'namespace' || kind === 'declared') continue;
    if (!known.has(namespace)) known.set(namespace, new Map());
    known.get(namespace)?.set(name, { name, kind: 'function', isPrivate, arities: null });
  }
}

function edited(source: string, places: readonly NodePlace[], name: string): string {
  return editedApart(
    source,
    places.map((place) => ({ ...place, name })),
  );
}

function editedApart(source: string, edits: readonly (NodePlace & { readonly name: string })[]): string {
  return edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, name }) => text.slice(0, start) + name + text.slice(end), source);
}

/** The text after a rename of what is at the first `|`; the reason where it is refused. */
function renamed(marked: string, name: string): string {
  const offset = marked.indexOf('|');
  const source = marked.replace('|', '');
  const renaming = renameAt(source, offset, name);
  return renaming.ok ? edited(source, renaming.places, name) : `refused: ${renaming.reason}`;
}

const RENAMES: readonly (readonly [title: string, before: string, after: string])[] = [
  ['a binding of let', '(let [|a 1 b a] (+ a b))', '(let [z 1 b z] (+ z b))'],
  ['from a use', '(let [a 1] (+ |a 1))', '(let [z 1] (+ z 1))'],
  ['no shadowed name', '(let [|a 1] (let [a 2] a) a)', '(let [z 1] (let [a 2] a) z)'],
  ['an inner name alone', '(let [a 1] (let [|a a] a) a)', '(let [a 1] (let [z a] z) a)'],
  ['a parameter', '(defn f [|a & more] [a more])', '(defn f [z & more] [z more])'],
  ['one of several arities', '(defn f ([|a] a) ([a b] [a b]))', '(defn f ([z] z) ([a b] [a b]))'],
  ['no else of if-let', '(defn f [a] (if-let [|a (g a)] a a))', '(defn f [a] (if-let [z (g a)] z a))'],
  ['names of for', '(for [|x xs :let [y x] :when x] [x y])', '(for [z xs :let [y z] :when z] [z y])'],
  ['a name of a pattern', '(let [{|a :a :or {a 1} :as m} x] [a m])', '(let [{z :a :or {z 1} :as m} x] [z m])'],
  ['the whole of a pattern', '(let [[a :as |all] x] all)', '(let [[a :as z] x] z)'],
  ['a name of as->', '(as-> x |v (f v) (g v))', '(as-> x z (f z) (g z))'],
  ['as-> in a thread', '(-> x (f) (as-> |v (g v 1)))', '(-> x (f) (as-> z (g z 1)))'],
  ['case in a thread', '(let [|a 1] (-> a (case a :x a)))', '(let [z 1] (-> z (case a :x z)))'],
  ['quoted names never', "(let [|a 1] ['a (quote a) a])", "(let [z 1] ['a (quote a) z])"],
  ['constants of case never', '(let [|a 1] (case a a 1 a))', '(let [z 1] (case z a 1 z))'],
  ['a caught exception', '(try 1 (catch Exception |e (str e)))', '(try 1 (catch Exception z (str z)))'],
  ['a local function', '(letfn [(|f [x] (f x))] (f 1))', '(letfn [(z [x] (z x))] (z 1))'],
  ['a form that is shadowed', '(let [|for 1] (for [x 1]))', '(let [z 1] (z [x 1]))'],
  ['a private definition', '(ns n) (defn- |f [x] (f x)) (def g (f 1))', '(ns n) (defn- z [x] (z x)) (def g (z 1))'],
  ['a name in a text in the making', '(defn f [|a]\n  (g a\n\n(defn g [a] a)', '(defn f [z]\n  (g z\n\n(defn g [a] a)'],
  ['nothing that would be captured', '(let [|a 1] (let [z 2] a))', 'refused: z means something else where a is used'],
  ['nothing that captures', '(fn [z] (let [|a 1] z))', 'refused: z means something else where a is used'],
  ['nothing behind another name', '(let [|a 1] (let [z 2] [z]))', '(let [z 1] (let [z 2] [z]))'],
  [
    'no name of a key',
    '(let [{:keys [|a]} m] a)',
    'refused: a names a key too; write {name :key} in the pattern first',
  ],
  [
    'no public definition',
    '(ns n) (defn |f [x] x)',
    'refused: only locals and private definitions can be renamed: other components may use this one',
  ],
  ['nothing where there is nothing', '(f |1)', 'refused: there is no local and no definition of this file here'],
];

describe('renaming', () => {
  for (const [title, before, after] of RENAMES) {
    it(`renames ${title}`, () => {
      expect(renamed(before, 'z')).to.equal(after);
    });
  }

  for (const name of ['', '1a', 'a b', 'a/b', ':a', 'nil', '&', '+1', 'a)', '%', 'let', 'x'.repeat(129), 'a;'])
    it(`refuses ${JSON.stringify(name.slice(0, 8))} as a name`, () => {
      expect(renamed('(let [|a 1] a)', name)).to.match(/^refused/);
    });

  it('takes a name of 128 characters', () => {
    expect(renamed('(let [|a 1] a)', 'x'.repeat(128))).to.not.match(/^refused/);
  });

  it('finds a definition with every use', () => {
    const source = '(ns n) (defn f [x] x) (def g (f 1)) (ns m) (def h (n/f 1))';
    const thing = thingAt(source, source.indexOf('f [x]'));
    expect(thing?.places.map(({ start }) => start)).to.deep.equal([13, 30, 53]);
  });

  // What the compiler makes of a component tells which symbols are one local.
  for (const file of files) {
    it(`changes nothing that the compiler makes of ${file}`, () => {
      const source = readFileSync(join(root, file), 'utf8');
      const id = basename(file, '.clj');
      const before = shapeOf(source, id);
      const { locals } = scopesOf(source, textTree(source));
      const named = locals.filter(({ isKey, name }) => !isKey && name !== '_');
      const edits = named.flatMap(({ place, uses }, index) =>
        [place, ...uses].map((at) => ({ ...at, name: `z${String(index)}` })),
      );
      expect(shapeOf(editedApart(source, edits), id)).to.equal(before);
      // One by one is slow: some of them.
      for (const { place, name } of named.filter((_, index) => index % 16 === 0)) {
        const renaming = renameAt(source, place.start, 'zzz');
        if (!renaming.ok) throw new Error(`${name} at ${String(place.start)}: ${renaming.reason}`);
        expect(shapeOf(edited(source, renaming.places, 'zzz'), id), `${name} at ${String(place.start)}`).to.equal(
          before,
        );
      }
    });
  }
});

/** The code of a component with the locals of each function called by the order in which they come. */
function shapeOf(source: string, id: string): string {
  const { code } = compileComponent({ id, source, dependencies: [] }, namespacesBut(source), builtins);
  const units = code
    .replaceAll(/@[0-9a-f]{16}/g, '')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""')
    .split(/^(?=const )/m);
  return units.map(withNumbers).join('');
}

function withNumbers(code: string): string {
  const numbers = new Map<string, number>();
  return code.replaceAll(/[A-Za-z_]\w*\$\d*/g, (name) => {
    if (!numbers.has(name)) numbers.set(name, numbers.size);
    return `$${String(numbers.get(name))}`;
  });
}

/** What all the files define, but for the namespaces of one of them. */
function namespacesBut(source: string): ReadonlyMap<string, ForeignNamespace> {
  const own = new Set(outlineOf(source, textTree(source)).sections.map(({ name }) => name));
  return new Map(
    [...known].flatMap(([name, definitions]) => (own.has(name) ? [] : [[name, { name, definitions }] as const])),
  );
}
