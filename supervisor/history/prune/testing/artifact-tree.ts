import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newRunReference, type RunReference } from '../../../../contract/run-reference.ts';

export const NOW = Date.UTC(2026, 10, 22);
const DAY_MS = 86_400_000;

/** A run reference of its own for each number up to 255, in the numbers' order. */
export function run(nth: number): RunReference {
  return newRunReference((bytes) => {
    bytes.fill(0).set([nth], 15);
  });
}

/** Writes a file of so many bytes below an artifact root, last changed so many days before `NOW`. */
export function write(root: string, path: string, bytes: number, daysAgo: number): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { mode: 0o700, recursive: true });
  writeFileSync(file, 'x'.repeat(bytes), { mode: 0o600 });
  const at = (NOW - daysAgo * DAY_MS) / 1000;
  utimesSync(file, at, at);
}

export function emptyTree(root: string): void {
  for (const name of ['', 'traces', 'inspection', 'results', 'envelopes'])
    mkdirSync(join(root, name), { mode: 0o700, recursive: true });
}

/** A run with all four files, 100 bytes together. */
export function writeRun(root: string, nth: number, daysAgo: number): void {
  const ref = run(nth);
  write(root, `traces/${ref}.jsonl`, 40, daysAgo);
  write(root, `inspection/${ref}.svcins`, 30, daysAgo);
  write(root, `results/${ref}.json`, 10, daysAgo);
  write(root, `envelopes/${ref}.json`, 20, daysAgo);
}
