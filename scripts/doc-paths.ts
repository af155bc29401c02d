/** Ends with 1, and lists them, when a page names a file or a folder of the project that is not there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const FOLDERS = [
  'contract',
  'system',
  'sandbox',
  'adapters',
  'supervisor',
  'cli',
  'conformance',
  'examples',
  'bench',
  'docs',
  'scripts',
  'bin',
];
/** A path as prose and drawings have it: below a folder of the project, up to what no name of ours has. */
const PATH = new RegExp(String.raw`(?<![\w./-])((?:${FOLDERS.join('|')})/[\w./-]*\w/?)`, 'g');
const LINK = /\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g;
/** A page that names fewer has been written in words that this does not read. */
const LEAST = 50;

const pages = ['README.md', 'docs', 'bench', 'conformance'].flatMap((place) =>
  place.endsWith('.md')
    ? [place]
    : readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => join(place, name)),
);

let seen = 0;
const missing = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const named = [...text.matchAll(PATH)].map(([, path = '']) => path);
  const linked = [...text.matchAll(LINK)].map(([, path = '']) => join(dirname(page), path));
  const all = [...new Set([...named, ...linked])];
  seen += all.length;
  // Links between pages of the documentation are held where they are built.
  return all
    .filter((path) => !/^docs\/(?:start|guides|reference)\//.test(path) && !existsSync(join(root, path)))
    .map((path) => `${page}: ${path}`);
});

for (const line of missing) process.stderr.write(`${line} is not there\n`);
if (seen < LEAST) process.stderr.write(`only ${seen} paths were seen\n`);
process.exitCode = missing.length === 0 && seen >= LEAST ? 0 : 1;
