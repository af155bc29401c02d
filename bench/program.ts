/** The whole program against the bare start of its own Node: wall time and memory of `svc run` of the scaffold. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { against, type Figure, median } from './figure.ts';

const root = join(import.meta.dirname, '..');
const program = join(root, 'bin/svc');
/** Each as a ratio to `node -e 0`. */
const MOST = { run: 4, repl: 4, docs: 2.5, validate: null, version: null, memory: 3.5 } as const;
const rounds = 25;

function wallMs(command: string, args: readonly string[], cwd: string): number {
  const started = performance.now();
  const run = spawnSync(command, args, { cwd, stdio: 'ignore' });
  if (run.status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${run.status}`);
  return performance.now() - started;
}

/** Peak resident bytes (VmHWM) of every process of the tree, as often as it can be read while the program runs. */
async function peakTreeBytes(command: string, args: readonly string[], cwd: string): Promise<number> {
  const child = spawn(command, args, { cwd, stdio: 'ignore' });
  const peaks = new Map<number, number>();
  const parentOf = (pid: string): number =>
    Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  while (child.exitCode === null && child.signalCode === null) {
    const family = new Set<number>([child.pid ?? 0]);
    for (const pid of readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .toSorted((a, b) => Number(a) - Number(b))) {
      try {
        if (!family.has(Number(pid)) && !family.has(parentOf(pid))) continue;
        family.add(Number(pid));
        const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
        if (peak !== undefined) peaks.set(Number(pid), Number(peak) * 1024);
      } catch (error) {
        // A process may end between the listing and the reading.
        if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')))
          throw error;
      }
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
  return [...peaks.values()].reduce((sum, bytes) => sum + bytes, 0);
}

export async function programFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
  try {
    wallMs(program, ['init', 'app'], folder);
    const app = join(folder, 'app');
    const bare: number[] = [];
    const run: number[] = [];
    const version: number[] = [];
    const repl: number[] = [];
    const page: number[] = [];
    const search: number[] = [];
    const validate: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(wallMs(process.execPath, ['-e', '0'], app));
      run.push(wallMs(program, ['run', 'svc-project.json'], app));
      validate.push(wallMs(program, ['validate', 'svc-project.json'], app));
      version.push(wallMs(program, ['--version'], app));
      repl.push(wallMs(program, ['repl', '-e', '1'], app));
      page.push(wallMs(program, ['docs', 'cli'], app));
      search.push(wallMs(program, ['docs', '--search', 'limit'], app));
    }
    const peaks: number[] = [];
    const barePeaks: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      peaks.push(await peakTreeBytes(program, ['run', 'svc-project.json'], app));
      barePeaks.push(await peakTreeBytes(process.execPath, ['-e', '0'], app));
    }
    const start = { name: 'node -e 0', value: median(bare) };
    return [
      against(start, { name: 'svc run of the scaffold', value: median(run), unit: 'ms', most: MOST.run, detail: '' }),
      against(start, {
        name: 'svc validate of the scaffold',
        value: median(validate),
        unit: 'ms',
        most: MOST.validate,
        detail: '',
      }),
      against(start, { name: 'svc repl -e 1', value: median(repl), unit: 'ms', most: MOST.repl, detail: '' }),
      against(start, { name: 'svc docs cli', value: median(page), unit: 'ms', most: MOST.docs, detail: '' }),
      against(start, {
        name: 'svc docs --search limit',
        value: median(search),
        unit: 'ms',
        most: MOST.docs,
        detail: '',
      }),
      against(start, { name: 'svc --version', value: median(version), unit: 'ms', most: MOST.version, detail: '' }),
      against(
        { name: 'node -e 0', value: Math.max(...barePeaks) / 1e6 },
        {
          name: 'svc run of the scaffold, peak memory of the process tree',
          value: Math.max(...peaks) / 1e6,
          unit: 'MB',
          most: MOST.memory,
          detail: 'sums of the peak resident sets, shared pages counted in each',
        },
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
