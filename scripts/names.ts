/**
 * Ends with 1, and lists them, when an exported name is declared in two files of a top folder. A name with several
 * meanings may stay only while `names.json` lists it with its files; that list fails when it is stale, and can only
 * shrink.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const LIST = 'scripts/names.json';
/** As many names as the list has: it is lowered with the list, and never raised. */
const MOST_LISTED = 1;
const FOLDERS = /^(?:contract|system|sandbox|adapters|supervisor|cli|viewer|bench|conformance)\/.+\.tsx?$/;
/** Tests, and what only they use. */
const ASIDE = /\.(?:test|suite)\.ts$|^[^/]+\/test\/|(?:^|\/)(?:testing\/|arbitrary-)/;
const DECLARED =
  /^export (?:declare |abstract |async )*(?:function\*?|class|interface|type|enum|const|let|namespace) ([\w$]+)/gm;
/** Fewer exported names than this, and the check reads something else than it should. */
const LEAST = 3_000;

/** By top folder and name, the files that declare the name, in order. */
type NamesByFolder = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** The names that a formatted source declares and exports, each once; what it only passes on is another file's. */
export function exportedNames(source: string): readonly string[] {
  return [...new Set(Array.from(source.matchAll(DECLARED), ([, name = '']) => name))];
}

/** The names that two or more files of one top folder declare; `files`: sources by path. */
export function severalMeanings(files: ReadonlyMap<string, string>): NamesByFolder {
  const declared = [...files].flatMap(([path, source]) =>
    exportedNames(source).map((name) => ({ path, name, folder: path.slice(0, path.indexOf('/')) })),
  );
  const folders = [...Map.groupBy(declared, ({ folder }) => folder)].flatMap(([folder, ofFolder]) => {
    const names = [...Map.groupBy(ofFolder, ({ name }) => name)]
      .filter(([, places]) => places.length > 1)
      .map(([name, places]) => [name, places.map(({ path }) => path).toSorted()] as const)
      .toSorted(([left], [right]) => (left < right ? -1 : 1));
    return names.length === 0 ? [] : [[folder, Object.fromEntries(names)] as const];
  });
  return Object.fromEntries(folders.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

function rowsOf(names: NamesByFolder): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(names).flatMap(([folder, ofFolder]) =>
      Object.entries(ofFolder).map(([name, files]) => [`${name} of ${folder}`, files.join(', ')] as const),
    ),
  );
}

/** How `found` differs from `listed`, and the length of the list from `most`, a line each; empty: not at all. */
export function faultsOfNames(found: NamesByFolder, listed: NamesByFolder, most: number): readonly string[] {
  const [rows, allowed] = [rowsOf(found), rowsOf(listed)];
  const stale = [...allowed].flatMap(([name, files]) => {
    const now = rows.get(name);
    if (now === files) return [];
    return [`${name} is listed with ${files}, and ${now === undefined ? 'has one meaning' : `is declared in ${now}`}`];
  });
  const further = [...rows].flatMap(([name, files]) => (allowed.has(name) ? [] : [`${name} is declared in ${files}`]));
  const size = allowed.size;
  const length =
    size > most
      ? [`${size} names are listed, and at most ${most} may be`]
      : size < most
        ? [`${size} names are listed: lower the bound of ${most}`]
        : [];
  return [...stale, ...further, ...length];
}

function isList(value: unknown): value is NamesByFolder {
  const isRecord = (one: unknown): one is object => typeof one === 'object' && one !== null && !Array.isArray(one);
  return (
    isRecord(value) &&
    Object.values(value).every(
      (ofFolder: unknown) =>
        isRecord(ofFolder) &&
        Object.values(ofFolder).every(
          (files: unknown) => Array.isArray(files) && files.every((file) => typeof file === 'string'),
        ),
    )
  );
}

function run(): void {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  const product = new Map(
    stdout
      .split('\n')
      .filter((path) => FOLDERS.test(path) && !ASIDE.test(path))
      .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
  );
  const listed: unknown = JSON.parse(readFileSync(join(root, LIST), 'utf8'));
  if (!isList(listed)) throw new Error(`${LIST}: not an object of folders, names and files`);
  const seen = [...product.values()].flatMap(exportedNames).length;
  const faults = [
    ...faultsOfNames(severalMeanings(product), listed, MOST_LISTED),
    ...(seen < LEAST ? [`only ${seen} exported names were seen`] : []),
  ];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) run();
