/**
 * What a person waits for every day: 200 replayed cases of an example against one run of it, and the list of the runs
 * of a large artifact root.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { against, type Figure, median } from './figure.ts';
import { manyRuns } from './viewer-root.ts';

const program = join(import.meta.dirname, '../bin/svc');
const CASES = 200;
const RUNS = 20_000;
/** first-day.md §2 and what `svc runs` promises. */
const MOST = { cases: 10, runsMs: 150 } as const;
const ROUNDS = 7;

function wallMs(cwd: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): number {
  const started = performance.now();
  const run = spawnSync(program, args, { cwd, stdio: 'ignore', env: { ...process.env, ...variables } });
  if (run.status !== 0) throw new Error(`svc ${args.join(' ')} ended with ${String(run.status)}`);
  return performance.now() - started;
}

function caseFigure(directory: string): Figure {
  wallMs(directory, ['init', 'app', '--example', 'llm-replay']);
  const app = join(directory, 'app');
  mkdirSync(join(app, 'tests'), { recursive: true });
  const cases = Array.from({ length: CASES }, (_, index) => ({
    name: `case ${index}`,
    expect: { matches: { model: 'frozen-model' } },
  }));
  writeFileSync(join(app, 'tests/cases.json'), JSON.stringify(cases));
  const run: number[] = [];
  const test: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    run.push(wallMs(app, ['run', 'svc-project.json']));
    test.push(wallMs(app, ['test']));
  }
  return against(
    { name: 'one svc run', value: median(run) },
    {
      name: `svc test of ${CASES} replayed cases`,
      value: median(test),
      unit: 'ms',
      most: MOST.cases,
      detail: `${(median(test) / CASES).toFixed(1)} ms for each case, ${ROUNDS} rounds in turn`,
    },
  );
}

async function listFigures(directory: string): Promise<readonly Figure[]> {
  await manyRuns(directory, RUNS);
  const list = (): number => wallMs(directory, ['runs', 'project.json'], { XDG_CACHE_HOME: directory });
  const first = list();
  const again = Array.from({ length: ROUNDS }, list);
  return [
    { name: `svc runs of ${RUNS} runs, first`, value: first, unit: 'ms', bound: null, detail: '' },
    {
      name: `svc runs of ${RUNS} runs, again`,
      value: median(again),
      unit: 'ms',
      bound: { kind: 'most', value: MOST.runsMs },
      detail: `longest of ${ROUNDS} ${Math.max(...again).toFixed(0)} ms`,
    },
  ];
}

export async function trialFigures(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'svc-bench-trials-'));
  try {
    const root = join(directory, 'root');
    mkdirSync(root);
    return [caseFigure(directory), ...(await listFigures(root))];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
