import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Ended } from '../cli/program.ts';
import { runResident } from '../cli/resident/resident.ts';
import { makeWorkDirectory } from '../cli/work-directory.ts';

/** Stands in what the earlier run was given and made; no public answer may hold it. */
export const SNAPSHOT_SECRET = 'planted-4711-secret';

const TARGET = {
  'target/main.clj':
    '(ns main) (defn run [input] (println "working") (let [record (kernel/eval-source "room" (:source input))] (if (= "returned" (:outcome record)) (:value record) (fail record))))',
  'target/prices.clj': '(ns prices) (defn twice "Doubles." {:signature "(n :int) -> :int" :effect :read} [n] (* 2 n))',
  'target/svc.json': {
    version: 1,
    workflow: {
      components: [{ library: 'kernel' }, { id: 'main', path: 'main.clj', dependencies: ['kernel'] }],
      entry: 'main/run',
    },
    missions: { room: { components: [{ id: 'prices', path: 'prices.clj' }] } },
    labels: { name: 'target' },
    input: { value: { source: `(return {:sum (prices/twice 21) :of "${SNAPSHOT_SECRET}"})` } },
  },
  'target/project.json': {
    kind: 'svc-project',
    version: 1,
    application: { path: 'svc.json' },
    artifacts: { root: '.svc', trace: true, inspection: true },
  },
};

const READER = '(ns reader) (defn run [input] (kernel/eval-source "history" (:source input)))';

type Members = Readonly<Record<string, unknown>>;

export interface Reading {
  readonly install: Members;
  /** Selections of the manifest; absent: `past` alone, without a config. */
  readonly select?: readonly Members[];
  /** The mission's program; the workflow answers the record of its evaluation. */
  readonly program: string;
  /** Whether the run is private, and its result in `reader/value.json`. */
  readonly isPrivate?: boolean;
}

export interface Read extends Ended {
  /** What the program returned; undefined where it did not come to that. */
  readonly value: unknown;
}

/** A directory with an application that leaves evidence, and one whose mission reads it. */
export function makeRoom(): string {
  return makeWorkDirectory(TARGET);
}

/** Runs the application that is read about; `source` is what its mission evaluates. */
export async function leaveEvidence(
  directory: string,
  source?: string,
  options: readonly string[] = [],
): Promise<Ended> {
  const input = source === undefined ? [] : ['--input', 'other-input.json'];
  if (source !== undefined) writeFileSync(join(directory, 'other-input.json'), JSON.stringify({ source }));
  return runResident({ argv: ['run', 'target/project.json', ...input, ...options], directory });
}

export function evidenceDirectory(directory: string, kind: 'traces' | 'inspection'): string {
  return join(directory, 'target/.svc', kind);
}

let readings = 0;

/** Runs the application that reads, with these installations. */
export async function read(
  directory: string,
  { install, select = [{ name: 'past' }], program, isPrivate = false }: Reading,
): Promise<Read> {
  readings += 1;
  const own = `reader-${readings}`;
  mkdirSync(join(directory, own), { mode: 0o700 });
  mkdirSync(join(directory, own, 'traces'), { mode: 0o700 });
  const manifest = {
    version: 1,
    workflow: {
      components: [{ library: 'kernel' }, { id: 'reader', path: 'reader.clj', dependencies: ['kernel'] }],
      entry: 'reader/run',
    },
    missions: { history: { providers: select.map(({ name }) => name) } },
    providers: { mission: select },
    input: { value: { source: program } },
  };
  writeFileSync(join(directory, own, 'reader.clj'), READER);
  writeFileSync(join(directory, own, 'svc.json'), JSON.stringify(manifest));
  writeFileSync(join(directory, own, 'host.json'), JSON.stringify({ install }));
  const output = isPrivate ? ['--private-output', `${own}/value.json`] : [];
  const ended = await runResident({
    argv: ['run', `${own}/svc.json`, '--host-config', `${own}/host.json`, '--trace-dir', `${own}/traces`, ...output],
    directory,
  });
  if (ended.status !== 0) return { ...ended, value: undefined };
  const record: unknown = JSON.parse(
    isPrivate ? readFileSync(join(directory, own, 'value.json'), 'utf8') : ended.stdout,
  );
  const { value } = Object(record);
  return { ...ended, value: value ?? record };
}

/** First event of the reader's last run. */
export function lastTrace(directory: string): Members {
  const traces = join(directory, `reader-${readings}`, 'traces');
  const [name = ''] = readdirSync(traces);
  return Object(JSON.parse(readFileSync(join(traces, name), 'utf8').split('\n')[0] ?? ''));
}

export function traceSnapshot(more: Members = {}): Members {
  return { source: 'svc_trace_snapshot', installation_revision: 'r1', directory: '../target/.svc/traces', ...more };
}

export const PRIVATE_PAIR: Members = {
  past: { source: 'svc_private_trace_snapshot', installation_revision: 'r1', directory: '../target/.svc/traces' },
  evidence: { source: 'svc_inspection_snapshot', installation_revision: 'r1', directory: '../target/.svc/inspection' },
};
