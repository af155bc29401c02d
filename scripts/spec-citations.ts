/**
 * Ends with 1, and lists them, when a citation (`runtime.md §5`) does not open: no such file in docs/spec (or
 * docs/why/design.md), or no heading, nor item of a numbered list below a heading, of that number.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const SPECIFICATION = 'docs/spec';
const DESIGN = 'docs/why/design.md';
/** The table of contents: it has no sections of its own that are cited. */
const CONTENTS = `${SPECIFICATION}/README.md`;
/** What people write; all else is data or made by a program. */
const WRITTEN = /(?:\.(?:ts|tsx|md|json|clj|sh|js|cjs|mjs|css|html)|Makefile)$/;
const GENERATED = /(?:^|\/)package-lock\.json$/;
/** Characters before a `§` in which its file is named, the line breaks of a comment included. */
const LOOK_BACK = 80;
/** What may stand between two numbers of one file. */
const JOINED = /^(?:[,;]|,? ?(?:and|or|to)|[-–])? ?$/;
const NUMBER = /§+ ?(\d+(?:\.\d+)*)/y;
const NAMED = /(?<name>[\w-]+)\.md[`)\]]*,? ?$/;
const SECTION = /(?:(?<name>[\w-]+)\.md[`)\]]*,? )?\bsection (?<number>\d+(?:\.\d+)*)/g;
/** Fewer citations than this, and the check reads something else than it should. */
const LEAST = 1_500;

export interface Citation {
  /** Name of a file without `.md`; null where none is named. */
  readonly file: string | null;
  readonly number: string;
  readonly line: number;
}

function onOneLine(text: string): string {
  return text.replaceAll(/\n\s*(?:\*|\/\/|;+|#)?\s*/g, ' ');
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

/**
 * The citations of one text. A `§` without a file's name belongs to the file that was named last. Within the
 * specification (`own`: the file's own name) it belongs to the file itself, unless it stands in one row with a number
 * of another.
 */
export function citationsOf(text: string, own: string | null): readonly Citation[] {
  const found: Citation[] = [];
  let last: string | null = own;
  let end = -1;
  for (let at = text.indexOf('§'); at >= 0; at = text.indexOf('§', at + 1)) {
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text)?.[1];
    if (number === undefined) continue;
    const named = NAMED.exec(onOneLine(text.slice(Math.max(0, at - LOOK_BACK), at)))?.groups?.['name'];
    if (named !== undefined) last = named;
    else if (own !== null && !JOINED.test(onOneLine(text.slice(Math.max(0, end), at)))) last = own;
    found.push({ file: last, number, line: lineOf(text, at) });
    end = NUMBER.lastIndex;
  }
  if (own !== null) {
    for (const match of text.matchAll(SECTION))
      found.push({
        file: match.groups?.['name'] ?? own,
        number: match.groups?.['number'] ?? '',
        line: lineOf(text, match.index),
      });
  }
  return found;
}

/**
 * The numbers that can be cited of a page: of its headings, and of the items of lists below them (`15.1`: item 1 of
 * section 15).
 */
export function numbersOf(page: string): ReadonlySet<string> {
  const numbers = new Set<string>();
  let section: string | null = null;
  for (const line of page.split('\n')) {
    const heading = /^#+ (?:(\d+(?:\.\d+)*)\.? )?/.exec(line);
    if (heading !== null) {
      section = heading[1] ?? section;
      if (section !== null) numbers.add(section);
      continue;
    }
    const item = /^(\d+)\. /.exec(line)?.[1];
    if (item !== undefined && section !== null) numbers.add(`${section}.${item}`);
  }
  return numbers;
}

/** What is wrong with one citation; null: it opens. */
export function faultOf({ file, number }: Citation, pages: ReadonlyMap<string, ReadonlySet<string>>): string | null {
  if (file === null) return `§${number} names no file`;
  const numbers = pages.get(file);
  if (numbers === undefined) return `${file}.md §${number}: there is no ${file}.md`;
  return numbers.has(number) ? null : `${file}.md §${number}: there is no such section`;
}

function run(): void {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const specified = readdirSync(join(root, SPECIFICATION))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${SPECIFICATION}/${name}`);
  const pages = new Map([...specified, DESIGN].map((path) => [basename(path, '.md'), numbersOf(read(path))]));
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  const paths = stdout
    .split('\n')
    .filter((path) => WRITTEN.test(path) && !GENERATED.test(path) && path !== 'scripts/spec-citations.test.ts');
  let seen = 0;
  const faults = paths.flatMap((path) => {
    const text = read(path);
    const own =
      (path.startsWith(`${SPECIFICATION}/`) || path === DESIGN) && path !== CONTENTS ? basename(path, '.md') : null;
    const citations = citationsOf(text, own);
    seen += citations.length;
    return citations.flatMap((citation) => {
      const fault = faultOf(citation, pages);
      return fault === null ? [] : [`${path}:${citation.line}: ${fault}`];
    });
  });
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  if (seen < LEAST) process.stderr.write(`only ${seen} citations were seen\n`);
  process.exitCode = faults.length === 0 && seen >= LEAST ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) run();
