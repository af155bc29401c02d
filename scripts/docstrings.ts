/**
 * Ends with 1, and lists them, when exported functions, classes and types have no docstring in the folders that others
 * read first: the words that all parts share, and the one entry point for programs, with what it names of other rooms.
 * Tests and what only they use may do without.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const root = join(import.meta.dirname, '..');
const FOLDERS = ['contract', 'supervisor/api'];
/** A check that looked at fewer has lost them out of sight. */
const LEAST = 300;

const OUTSIDE = /\.test\.ts$|(?:^|\/)(?:testing\/|arbitrary-)/;
/** Functions are written as constants too. */
const EXPORTED =
  /^export (?:async |abstract |declare )*(?:(?:function\*?|class|interface|type) (\w+)|const (\w+)(?:: [^=]+)? = (?:async )?(?:<[^>]*>)?\([^)]*\)(?:: [^=]+)? =>)/;
/** What a file names of another. */
const NAMED = /^export (?:type )?\{([^}]*)\} from '(\.[^']+)';/gm;

interface Export {
  readonly place: string;
  readonly name: string;
  readonly isDocumented: boolean;
}

function exportsOf(file: string): readonly Export[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const documented = new Set<string>();
  return lines.flatMap((line, index) => {
    const [found, declared, constant] = EXPORTED.exec(line) ?? [];
    const name = declared ?? constant;
    if (found === undefined || name === undefined) return [];
    // The forms of an overloaded function share the docstring of the first.
    if (/\*\/\s*$/.test(lines[index - 1] ?? '')) documented.add(name);
    return [{ place: `${relative(root, file)}:${index + 1}`, name, isDocumented: documented.has(name) }];
  });
}

/** Of what a file names of others, what is declared in them or in those that they name. */
function namedBy(file: string): readonly Export[] {
  return Array.from(readFileSync(file, 'utf8').matchAll(NAMED)).flatMap(([, words = '', from = '']) => {
    const target = resolve(file, '..', from);
    const names = new Set(
      words.split(',').map((word) =>
        word
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*$/, ''),
      ),
    );
    return [...exportsOf(target), ...namedBy(target)].filter(({ name }) => names.has(name));
  });
}

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !OUTSIDE.test(name))
    .map((name) => join(root, folder, name)),
);
const all = files.flatMap((file) => [...exportsOf(file), ...namedBy(file)]);
const bare = all.filter(({ isDocumented }) => !isDocumented);
const lines = new Set(bare.map(({ place, name }) => `${place} ${name} has no docstring\n`));
for (const line of lines) process.stderr.write(line);
if (all.length < LEAST) process.stderr.write(`only ${all.length} exports were seen\n`);
process.exitCode = bare.length === 0 && all.length >= LEAST ? 0 : 1;
