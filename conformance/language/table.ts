/**
 * The table of programs that svc-lisp must run like Clojure.
 *
 * `expressions/<area>.clj`: one program a line. `programs/<area>.clj`: programs separated by lines of `;;;;`.
 * A line `;! ID EXPECTED` before a program marks an accepted difference (language.md §1): EXPECTED is our printed
 * result, or `error REASON`. Other comment lines before a program are notes.
 * `recorded/<folder>-<area>.jsonl`: what the reference gave, one line a program, in the same order.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface Row {
  readonly area: string;
  readonly source: string;
  readonly difference: { readonly id: string; readonly expected: string } | null;
}

/** Either a value with its captured output, or the class of the exception that ended the program. */
export type Recorded =
  | { readonly source: string; readonly value: string; readonly out: string }
  | { readonly source: string; readonly error: string; readonly message: string; readonly out: string };

const here = import.meta.dirname;

export function tableNames(): string[] {
  return ['expressions', 'programs'].flatMap((folder) =>
    readdirSync(join(here, folder))
      .filter((name) => name.endsWith('.clj'))
      .toSorted()
      .map((name) => `${folder}/${name.slice(0, -'.clj'.length)}`),
  );
}

function rowOf(area: string, lines: readonly string[]): Row | null {
  const mark = lines.find((line) => line.startsWith(';! '));
  const source = lines
    .filter((line) => !/^;[! ]/.test(line))
    .join('\n')
    .trim();
  if (source === '') return null;
  const [, id, expected] = /^;! (\S+) (.*)$/.exec(mark ?? '') ?? [];
  return { area, source, difference: id === undefined || expected === undefined ? null : { id, expected } };
}

function isComment(line: string): boolean {
  return /^;[! ]/.test(line) || line === ';';
}

/** The rows of one table file, in order. */
export function readTable(name: string): Row[] {
  const lines = readFileSync(join(here, `${name}.clj`), 'utf8').split('\n');
  const groups: string[][] = [[]];
  for (const line of lines) {
    if (name.startsWith('programs/')) {
      if (line === ';;;;') groups.push([]);
      else groups.at(-1)?.push(line);
    } else {
      groups.at(-1)?.push(line);
      if (line !== '' && !isComment(line)) groups.push([]);
    }
  }
  return groups.map((group) => rowOf(name, group)).filter((row) => row !== null);
}

export function recordingPath(name: string): string {
  return join(here, 'recorded', `${name.replace('/', '-')}.jsonl`);
}

export function isRecorded(value: unknown): value is Recorded {
  return typeof value === 'object' && value !== null && 'source' in value && ('value' in value || 'error' in value);
}

export function readRecording(name: string): Recorded[] {
  return readFileSync(recordingPath(name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const parsed: unknown = JSON.parse(line);
      if (!isRecorded(parsed)) throw new Error(`${name}: a line of the recording is not a recorded result`);
      return parsed;
    });
}
