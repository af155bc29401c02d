import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Figure } from './figure.ts';

/**
 * How much of the tree a reader meets who follows a value: files of which a function is entered, and entries of
 * functions. V8 counts them in the process of the program itself, which runs from its sources here: what is bundled and
 * minified has no files to count. Hosts and threads are not counted.
 */
const ROOT = join(import.meta.dirname, '..');
const SOURCES = ['contract', 'system', 'sandbox', 'adapters', 'supervisor', 'cli', 'package.json'];
const CALLS = 10;

interface FunctionCoverage {
  readonly functionName: string;
  readonly ranges: readonly [{ readonly startOffset: number; readonly count: number }];
}

interface Coverage {
  readonly result: readonly { readonly url: string; readonly functions: readonly FunctionCoverage[] }[];
}

interface Entries {
  readonly files: number;
  readonly functions: number;
  readonly entries: number;
}

/** The sources, with what the build puts beside the program, in a folder of their own. */
function layOutSources(folder: string): string {
  for (const name of SOURCES) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  cpSync(join(ROOT, 'dist'), join(folder, 'cli'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, 'cli/main.ts');
}

/** Of the functions of one file, those that were entered; a module as a whole is none. */
function enteredFunctions(functions: readonly FunctionCoverage[]): readonly number[] {
  return functions
    .filter(({ functionName, ranges: [whole] }) => functionName !== '' || whole.startOffset > 0)
    .map(({ ranges: [whole] }) => whole.count)
    .filter((count) => count > 0);
}

async function countEntries(main: string, directory: string, argv: readonly string[]): Promise<Entries> {
  const coverage = mkdtempSync(join(directory, 'coverage-'));
  await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...argv], {
    cwd: directory,
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
  });
  const folder = join(main, '../..');
  const counts = readdirSync(coverage).flatMap((name) => {
    const { result }: Coverage = JSON.parse(readFileSync(join(coverage, name), 'utf8'));
    return result
      .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(folder))
      .map(({ functions }) => enteredFunctions(functions))
      .filter((entered) => entered.length > 0);
  });
  return {
    files: counts.length,
    functions: counts.flat().length,
    entries: counts.flat().reduce((sum, count) => sum + count, 0),
  };
}

/** An application that asks a model as often as its input says, and is answered from a recording. */
function layOutCalls(directory: string): void {
  cpSync(join(ROOT, 'examples/llm-replay'), directory, { recursive: true });
  const path = join(directory, 'workflow.clj');
  const source = readFileSync(path, 'utf8');
  const requested = source
    .replace('[{:keys [change]}]', '[{:keys [change calls]}]')
    .replace('(let [answer (llm/request!', '(let [answer (last (for [_ (range calls)] (llm/request!')
    .replace('change)}]})]', 'change)}]})))]');
  if (!requested.includes('(range calls)') || !requested.includes('})))]'))
    throw new Error('the example llm-replay is not as it was');
  writeFileSync(path, requested);
}

async function countCalls(main: string, directory: string, calls: number): Promise<Entries> {
  const input = { change: 'orders can be cancelled until they are packed', calls };
  writeFileSync(join(directory, 'input.json'), JSON.stringify(input));
  return countEntries(main, directory, ['run', '--input', 'input.json']);
}

/** Files and function entries of a run, and function entries of one replayed model call. */
export async function entryFigures(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-entries-'));
  try {
    const main = layOutSources(join(folder, 'tree'));
    const scaffold = join(folder, 'scaffold');
    await promisify(execFile)(join(ROOT, 'bin/svc'), ['init', scaffold]);
    const run = await countEntries(main, scaffold, ['run']);
    const asking = join(folder, 'asking');
    layOutCalls(asking);
    const one = await countCalls(main, asking, 1);
    const more = await countCalls(main, asking, 1 + CALLS);
    return [
      {
        name: 'files entered by svc run of the scaffold',
        value: run.files,
        unit: 'files',
        bound: { kind: 'most', value: 150 },
        detail: `${run.functions} functions, ${run.entries} entries, loading included`,
      },
      {
        name: 'function entries of one replayed model call',
        value: (more.entries - one.entries) / CALLS,
        unit: 'entries',
        bound: { kind: 'most', value: 1200 },
        detail: `of ${CALLS} calls; ${one.files} files are entered by a run with one`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
