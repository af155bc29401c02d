/**
 * Ends with 1, and lists them, when a line of a source is over 120 characters and could be shorter. The formatter
 * breaks code, and leaves texts and comments alone: break a line of a comment or of a text of several lines by hand. A
 * message, a title of a test or a regular expression stays on one line, so that a search finds it.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const LONGEST = 120;
/** A shorter text is no reason for a long line. */
const LEAST_TEXT = 40;
const SOURCE = /\.(?:ts|tsx|cts|cjs|mjs|css|clj|sh)$/;
/** Tables: one program, expression or signature a line, as their readers take them. */
const TABLE = /^(?:conformance\/language|sandbox\/test\/clojure-suite|bench\/programs)\//;
const COMMENT = /^\s*(?:\*|\/\/|\/\*|;)/;
/** Texts in quotes, regular expressions, and a text that begins on the line and ends on a later one. */
const TEXT =
  /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*(?:"|$)|`(?:\\.|\$\{[^}]*\}|[^`\\])*(?:`|$)|(?<=[(=:,?!&|]\s?|^\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\])+\/[a-z]*/gu;
/** Fewer sources than this, and the check reads something else than it should. */
const LEAST_SOURCES = 2_000;

/** Numbers, from 1, of the lines that are too long and no longer than they are for the sake of one text. */
export function longLines(source: string): readonly number[] {
  return source.split('\n').flatMap((line, index) => {
    const length = Array.from(line).length;
    if (length <= LONGEST) return [];
    if (COMMENT.test(line)) return [index + 1];
    const longest = Math.max(0, ...Array.from(line.matchAll(TEXT), ([text]) => Array.from(text).length));
    return longest >= LEAST_TEXT ? [] : [index + 1];
  });
}

function run(): void {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64e6,
  });
  const paths = stdout.split('\n').filter((path) => SOURCE.test(path) && !TABLE.test(path));
  const faults = [
    ...paths.flatMap((path) =>
      longLines(readFileSync(join(root, path), 'utf8')).map((line) => `${path}:${line}: over ${LONGEST} characters`),
    ),
    ...(paths.length < LEAST_SOURCES ? [`only ${paths.length} sources were seen`] : []),
  ];
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) run();
