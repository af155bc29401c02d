/**
 * Programs as models write them for ordinary tasks: half of them decide what is warm in a mission (scripts/warm-up.ts),
 * by the other half it is measured (bench/models.ts). No program stands in both, nor one like it.
 *
 * `<half>/<theme>.clj`: each program begins with a line `;;;; NAME`. Lines `;data NAME JSON` below it are data of its
 * run; `;keys keyword` says that it looks into them by keywords. `;own VALUE` is the printed value of a program that is
 * no plain Clojure; of the others real Clojure gave it (`recorded/`, by `record.ts`).
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EvaluateRequest } from '../../contract/sandbox-protocol.ts';

export type Half = 'warm' | 'measure';

export interface Program {
  /** Half, theme and its own. */
  readonly name: string;
  readonly source: string;
  /** JSON texts by name. */
  readonly data: Readonly<Record<string, string>>;
  readonly keywords: boolean;
  /** Null: it is plain Clojure. */
  readonly own: string | null;
}

export interface Recorded {
  readonly name: string;
  /** As printed. */
  readonly value: string;
  /** What it wrote. */
  readonly out: string;
}

const here = import.meta.dirname;

function programOf(half: Half, theme: string, text: string): Program {
  const lines = text.split('\n');
  const written = (directive: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`;${directive} `)).map((line) => line.slice(directive.length + 2));
  return {
    name: `${half}/${theme}/${lines[0] ?? ''}`,
    source: lines
      .slice(1)
      .filter((line) => !/^;(data|keys|own) /.test(line))
      .join('\n')
      .trim(),
    data: Object.fromEntries(
      written('data').map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
    ),
    keywords: written('keys').length > 0,
    own: written('own')[0] ?? null,
  };
}

/** The programs of one half, in the order of their files. */
export function programs(half: Half): readonly Program[] {
  const files = readdirSync(join(here, half))
    .filter((file) => file.endsWith('.clj'))
    .toSorted();
  return files.flatMap((file) =>
    readFileSync(join(here, half, file), 'utf8')
      .split(/^;;;; /m)
      .slice(1)
      .map((text) => programOf(half, file.replace('.clj', ''), text)),
  );
}

/** Its evaluation in a mission, without what becomes of its definitions. */
export function evaluationOf({ source, data }: Program): EvaluateRequest {
  return {
    operation: 'evaluate',
    environment: 'mission',
    source,
    data,
    tools: [],
    loop_iterations: null,
    projection: 'printed',
  };
}

export function recordingPath(half: Half): string {
  return join(here, 'recorded', `${half}.jsonl`);
}
