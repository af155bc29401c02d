/** Documents: an application as large as one may be, from outside, and one large document through its checks. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadManifest } from '../supervisor/documents/manifest/load.ts';
import { against, type Figure, median } from './figure.ts';

const program = join(import.meta.dirname, '..', 'bin/svc');
const rounds = 9;
const documentRounds = 25;
/** The most that a manifest may list (documents.md §3). */
const components = 128;
/** Ratios to `node -e 0`; of the manifest, to `JSON.parse`. */
const MOST = { first: 30, again: 6, manifest: 6 } as const;
const targetBytes = 1_000_000;

/** Twenty functions, of which the last calls into the component before. */
function source(index: number): string {
  const id = `part${String(index)}`;
  const functions = Array.from(
    { length: 20 },
    (_, at) =>
      `(defn f${String(at)}\n  "Adds to x."\n  [x]\n  (let [y (+ x ${String(at)})]\n    (if (> y 10) (map inc [x y]) {:x x :y y})))`,
  );
  const link = index === 0 ? '' : `(defn link [x] (part${String(index - 1)}/f0 x))`;
  return `(ns ${id})\n${functions.join('\n')}\n${link}\n(defn run [input] (f1 1))\n`;
}

function writeApplication(directory: string): void {
  const listed = Array.from({ length: components }, (_, index) => ({
    id: `part${String(index)}`,
    path: `parts/part${String(index)}.clj`,
    dependencies: index === 0 ? [] : [`part${String(index - 1)}`],
  }));
  mkdirSync(join(directory, 'parts'));
  for (const [index, { path }] of listed.entries()) writeFileSync(join(directory, path), source(index));
  const workflow = { components: listed, entry: `part${String(components - 1)}/run` };
  writeFileSync(join(directory, 'svc.json'), JSON.stringify({ version: 1, workflow, input: { value: {} } }));
}

function bareMs(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}

function validateMs(directory: string): number {
  const started = performance.now();
  // Bundles of earlier commands are kept below the home directory: each application has one of its own.
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: directory };
  const ended = spawnSync(program, ['validate', 'svc.json'], { cwd: directory, encoding: 'utf8', env });
  if (ended.status !== 0) throw new Error(`validate ended with ${String(ended.status)}: ${ended.stderr}`);
  return performance.now() - started;
}

/** Validation of one application again and again: the first time, and the times after it. */
function validation(): { readonly bare: number; readonly first: number; readonly again: number } {
  const bare: number[] = [];
  const first: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const directory = mkdtempSync(join(tmpdir(), 'svc-bench-'));
    try {
      writeApplication(directory);
      bare.push(bareMs());
      first.push(validateMs(directory));
      again.push(validateMs(directory));
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  }
  return { bare: median(bare), first: median(first), again: median(again) };
}

/** A manifest of one megabyte, most of it the data of a mission. */
function largeManifest(): Uint8Array {
  const rows: object[] = [];
  for (let size = 0, index = 0; size < targetBytes - 1000; index += 1) {
    const row = {
      id: `order-${String(index)}`,
      total: index * 1.25,
      note: 'left at the door, with the neighbour or behind the bins '.repeat(4),
    };
    rows.push(row);
    size += JSON.stringify(row).length + 1;
  }
  return new TextEncoder().encode(
    JSON.stringify({
      version: 1,
      workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
      missions: { reader: { data: { rows } } },
      input: { value: {} },
    }),
  );
}

function timed(work: () => void): number {
  const samples: number[] = [];
  for (let round = 0; round < documentRounds; round += 1) {
    const started = performance.now();
    work();
    samples.push(performance.now() - started);
  }
  return median(samples.slice(documentRounds / 3));
}

export async function documentFigures(): Promise<Figure[]> {
  const { bare, first, again } = validation();
  const floor = { name: 'node -e 0', value: bare };
  const bytes = largeManifest();
  const file = { path: '/app/svc.json', directory: '/app', bytes };
  const engine = timed(() => {
    JSON.parse(new TextDecoder().decode(bytes));
  });
  const checked = timed(() => {
    const loaded = loadManifest({ ok: true, file }, 'named', () => performance.now());
    if (!loaded.ok) throw new Error(loaded.diagnostic.message);
  });
  return [
    against(floor, {
      name: `svc validate of ${String(components)} components, first time`,
      value: first,
      unit: 'ms',
      most: MOST.first,
      detail: 'wall time from outside, median',
    }),
    against(floor, {
      name: `svc validate of ${String(components)} components, unchanged`,
      value: again,
      unit: 'ms',
      most: MOST.again,
      detail: 'its bundle is kept from the first time: nothing is compiled',
    }),
    {
      name: `manifest of ${(bytes.length / 1e6).toFixed(1)} MB parsed and checked / JSON.parse`,
      value: checked / engine,
      unit: 'x',
      bound: { kind: 'most', value: MOST.manifest },
      detail: `${checked.toFixed(1)} ms against ${engine.toFixed(1)} ms`,
    },
  ];
}
