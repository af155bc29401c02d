/**
 * An artifact root of many runs and a viewer over it: how long until its list is there, first without an index and then
 * with the one that it kept, and how long a search over all runs takes.
 */
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type ServedViewer } from '../supervisor/test/viewer/viewer.ts';
import { median, type Figure } from './figure.ts';
import { svc } from './viewer-evidence.ts';

/** first-day.md §7. */
const RUNS = 20_000;
const OPEN_MS = 2000;
const SEARCH_MS = 300;
const ROUNDS = 5;
/** Calls of the run that is copied, so that 20,000 of it are some gigabyte. */
const CALLS = 105;

const PROGRAM = `(ns main)
(defn run [input] (dotimes [_ ${CALLS}] (tool/runtime-usage {})) (get input "n"))
`;

/** One real run, and copies of its trace under other names, times and reasons. Gives the bytes of all traces. */
export async function manyRuns(directory: string, runs: number): Promise<number> {
  const files = {
    'main.clj': PROGRAM,
    'svc.json': {
      version: 1,
      workflow: { entry: 'main/run', components: [{ id: 'main', path: 'main.clj' }] },
      limits: { workflow_capability_calls: 2048, workflow_capability_calls_per_name: 2048 },
      input: { value: { n: 1 } },
      labels: { tags: { suite: 'unit' } },
    },
    'project.json': {
      kind: 'svc-project',
      version: 1,
      application: { path: 'svc.json' },
      artifacts: { root: '.svc', trace: true },
    },
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  await svc(directory, 'run', 'project.json');
  const folder = join(directory, '.svc/traces');
  await mkdir(folder, { recursive: true });
  const [first = ''] = await readdir(folder);
  const id = first.replace('.jsonl', '');
  const text = await readFile(join(folder, first), 'utf8');
  const [day = ''] = /\d{4}-\d\d-\d\dT\d\d:\d\d/.exec(text) ?? [];
  for (let n = 1; n < runs; n += 1) {
    const other = `${id.slice(0, -5)}${n.toString().padStart(5, '0')}`;
    const minute = new Date(Date.parse(`${day}:00Z`) - n * 60_000).toISOString().slice(0, 16);
    const copy = text.replaceAll(id, other).replaceAll(day, minute);
    await writeFile(join(folder, `${other}.jsonl`), n % 10 === 0 ? failing(copy) : copy, { mode: 0o600 });
  }
  return (await stat(join(folder, first))).size * runs;
}

/** The same run as it would have ended with an error; a trace in which that cannot be said is no measure. */
function failing(trace: string): string {
  const failed = trace.replace(
    /"outcome":"ok","reason":null,"result_hash":"[^"]*"/,
    '"diagnostic":{"code":"evaluation_failed","phase":"execution"},"outcome":"error","reason":"evaluation_failed"',
  );
  if (failed === trace) throw new Error('the trace has no end that could fail');
  return failed;
}

interface List {
  readonly items: readonly unknown[];
  readonly omitted_count: number;
  readonly unread_trace_files?: number;
}

async function ask(viewer: ServedViewer, query: string): Promise<List> {
  const list: List = JSON.parse(await (await fetch(`${viewer.url}api/kernel/runs?limit=100${query}`)).text());
  return list;
}

/** Milliseconds from the start of the program to its first list, and the viewer. */
async function opened(directory: string): Promise<{ readonly ms: number; readonly viewer: ServedViewer }> {
  const started = performance.now();
  const viewer = await serve(directory, ['project.json'], { XDG_CACHE_HOME: directory });
  await ask(viewer, '');
  return { ms: performance.now() - started, viewer };
}

export async function rootFigures(): Promise<Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-bench-root-'));
  try {
    const bytes = await manyRuns(directory, RUNS);
    const cold = await opened(directory);
    const started = performance.now();
    for (;;) {
      await fetch(`${cold.viewer.url}api/kernel/refresh`, {
        method: 'POST',
        headers: { origin: new URL(cold.viewer.url).origin },
      });
      const { items, omitted_count: omitted, unread_trace_files: unread } = await ask(cold.viewer, '');
      if (unread === undefined && items.length + omitted === RUNS) break;
      await new Promise((resolve) => {
        setTimeout(resolve, 500);
      });
    }
    const indexed = performance.now() - started;
    await cold.viewer.stop();
    const warm: number[] = [];
    for (let round = 1; round < ROUNDS; round += 1) {
      const { ms, viewer } = await opened(directory);
      warm.push(ms);
      await viewer.stop();
    }
    const { ms, viewer } = await opened(directory);
    warm.push(ms);
    const searches: number[] = [];
    for (const query of ['&search=failed', '&status=error', '&search=00017', '&search=nothing-of-it', '&search=unit']) {
      const requested = performance.now();
      await ask(viewer, query);
      searches.push(performance.now() - requested);
    }
    await viewer.stop();
    const detail = `${RUNS} runs, ${(bytes / 1e6).toFixed(0)} MB of traces`;
    return [
      {
        name: 'root: first list without an index',
        value: cold.ms,
        unit: 'ms',
        bound: { kind: 'most', value: OPEN_MS },
        detail: `${detail}; every run is listed ${(indexed / 1000).toFixed(1)} s later`,
      },
      {
        name: 'root: first list with the index',
        value: median(warm),
        unit: 'ms',
        bound: { kind: 'most', value: OPEN_MS },
        detail: `${detail}; longest of ${ROUNDS} ${Math.max(...warm).toFixed(0)} ms`,
      },
      {
        name: 'root: search over all runs',
        value: median(searches),
        unit: 'ms',
        bound: { kind: 'most', value: SEARCH_MS },
        detail: `longest of ${searches.length} ${Math.max(...searches).toFixed(0)} ms`,
      },
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
