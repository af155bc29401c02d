/**
 * Holds the prose of README, pages, the specification and examples, the comments and the texts of the product, and
 * those of its libraries and of the example programs, to the words of docs/why/style.md: ends with 1, and lists file,
 * line and what to write, where one of the words to avoid is used.
 * `--report` prints the reading ease of each page that people read from top to bottom, and the words of each part: as
 * `wc -w` counts them, and those outside code.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  avoidedWords,
  findAvoided,
  findAvoidedInClojure,
  findAvoidedInComments,
  findAvoidedInTexts,
  proseOf,
  readWordCount,
  readingEase,
  wordCount,
} from './words/prose.ts';

const root = join(import.meta.dirname, '..');
const STYLE = 'docs/why/style.md';
const READ = [
  'README.md',
  'docs/start/*.md',
  'docs/guides/*.md',
  'docs/reference/*.md',
  'docs/why/*.md',
  'docs/spec/*.md',
  'examples/**/README.md',
];
/** Read from top to bottom, unlike tables that people look things up in. */
const READ_THROUGH = /^(?:README\.md|docs\/start\/|docs\/guides\/)/;
/** Of those who work on svc; what counts as documentation for its users is the rest. */
const FOR_MAINTAINERS = /^docs\/(?:spec\/|why\/(?:maintaining|design|trial-of-agents|style)\.md$)/;
const PRODUCT = ['contract', 'system', 'sandbox', 'adapters', 'supervisor', 'cli', 'viewer'].flatMap((folder) => [
  `${folder}/*.ts`,
  `${folder}/*.tsx`,
]);
/** Programs that people read, and libraries whose documentation people and models read. */
const PROGRAMS = ['examples/**/*.clj', 'sandbox/preludes/*.clj'];
/** Tests, and what only they use. */
const ASIDE = /\.(?:test|suite)\.ts$|^[^/]+\/test\//;
/** Kits of tests: only those who write tests see what these say. */
const KITS = /\/testing\//;
/** Fewer pages or sources, and the check reads something else than it should. */
const LEAST = { pages: 55, sources: 1000, programs: 50 };

const pages = filesOf(READ);
const sources = filesOf(PRODUCT).filter(({ file }) => !ASIDE.test(file));
const programs = filesOf(PROGRAMS);
const avoided = avoidedWords(readFileSync(join(root, STYLE), 'utf8'));

const found = [
  ...pages.filter(({ file }) => file !== STYLE).map(({ file, text }) => ({ file, uses: findAvoided(text, avoided) })),
  ...sources.map(({ file, text }) => ({ file, uses: findAvoidedInComments(text, avoided) })),
  ...sources
    .filter(({ file }) => !KITS.test(file))
    .map(({ file, text }) => ({ file, uses: findAvoidedInTexts(text, avoided) })),
  ...programs.map(({ file, text }) => ({ file, uses: findAvoidedInClojure(text, avoided) })),
].flatMap(({ file, uses }) => uses.map(({ line, word, instead }) => `${file}:${line}: "${word}"; write: ${instead}`));
for (const line of found) process.stderr.write(`${line}\n`);
const isWhole = pages.length >= LEAST.pages && sources.length >= LEAST.sources && programs.length >= LEAST.programs;
if (!isWhole)
  process.stderr.write(
    `only ${pages.length} pages, ${sources.length} sources and ${programs.length} programs were read\n`,
  );
if (process.argv.includes('--report')) report();
process.exitCode = found.length === 0 && isWhole ? 0 : 1;

function filesOf(patterns: readonly string[]): readonly { readonly file: string; readonly text: string }[] {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  return stdout
    .split('\0')
    .filter((file) => file !== '')
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
}

function report(): void {
  const eases = pages
    .filter(({ file }) => READ_THROUGH.test(file))
    .map(({ file, text }) => ({ file, ease: readingEase(proseOf(text)), words: wordCount(text) }));
  for (const { file, ease, words } of eases.toSorted((left, right) => left.ease - right.ease))
    process.stdout.write(`${ease.toFixed(0).padStart(4)}  ${String(words).padStart(6)} words  ${file}\n`);
  const average = eases.reduce((sum, { ease }) => sum + ease, 0) / eases.length;
  process.stdout.write(`average reading ease: ${average.toFixed(1)}\n`);
  const parts = Map.groupBy(
    pages.filter(({ file }) => !FOR_MAINTAINERS.test(file)),
    ({ file }) => /^docs\/\w+/.exec(file)?.[0] ?? file.split('/')[0] ?? '',
  );
  const line = (what: string, words: number, read: number): string =>
    `${String(words).padStart(7)} words, ${String(read).padStart(6)} outside code, in ${what}\n`;
  let [all, allRead] = [0, 0];
  for (const [part, members] of parts) {
    const words = members.reduce((sum, { text }) => sum + wordCount(text), 0);
    const read = members.reduce((sum, { text }) => sum + readWordCount(text), 0);
    [all, allRead] = [all + words, allRead + read];
    process.stdout.write(line(part, words, read));
  }
  process.stdout.write(line('all', all, allRead));
  process.stdout.write(`${String(found.length).padStart(7)} words to avoid\n`);
}
