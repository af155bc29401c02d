/**
 * Holds the prose of README, pages and examples to the words of docs/why/style.md: ends with 1, and lists file, line
 * and what to write, where one of the words to avoid is used. `--report` prints the reading ease of each page that
 * people read from top to bottom, and the words of each part: as `wc -w` counts them, and those outside code.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { avoidedWords, findAvoided, proseOf, readWordCount, readingEase, wordCount } from './words/prose.ts';

const root = join(import.meta.dirname, '..');
const STYLE = 'docs/why/style.md';
const READ = [
  'README.md',
  'docs/start/*.md',
  'docs/guides/*.md',
  'docs/reference/*.md',
  'docs/why/*.md',
  'examples/**/README.md',
];
/** Read from top to bottom, unlike tables that people look things up in. */
const READ_THROUGH = /^(?:README\.md|docs\/start\/|docs\/guides\/)/;
/** Of those who work on svc; what counts as documentation for its users is the rest. */
const FOR_MAINTAINERS = /^docs\/why\/(?:maintaining|design|trial-of-agents|style)\.md$/;
/** Fewer pages, and the check reads something else than it should. */
const LEAST = 40;

const files = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...READ], {
  cwd: root,
  encoding: 'utf8',
})
  .stdout.split('\0')
  .filter((file) => file !== '');
const pages = files.map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));
const avoided = avoidedWords(readFileSync(join(root, STYLE), 'utf8'));

const found = pages
  .filter(({ file }) => file !== STYLE)
  .flatMap(({ file, text }) =>
    findAvoided(text, avoided).map(({ line, word, instead }) => `${file}:${line}: "${word}"; write: ${instead}`),
  );
for (const line of found) process.stderr.write(`${line}\n`);
if (pages.length < LEAST) process.stderr.write(`only ${pages.length} pages were read\n`);
if (process.argv.includes('--report')) report();
process.exitCode = found.length === 0 && pages.length >= LEAST ? 0 : 1;

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
