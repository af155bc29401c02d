/**
 * Runs suites in several processes beside each other, and reports each as it is done: `main.ts PART PATTERN... [PART...]`.
 *
 *   --matrix      then hold the matrix of faults against what passed
 *   --quick       unit tests, and of the other suites those that a change may affect, as far as there is time for them
 *   --remember    keep how long each suite took in seconds.json, by which the next run is planned
 *   --workers N   how many processes of tests run beside each other
 *
 * SVC_PROGRAM names the program that the conformance suites speak to; without it that is the one built here.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseWithin, findAffected } from './affected.ts';
import { findChangedFiles, readNames } from './changed-files.ts';
import { renderQuickChoice } from './lines.ts';
import { findSuites, parseWanted } from './parts.ts';
import type { Suite } from './parts.ts';
import { expectSeconds, updateMeasured } from './plan.ts';
import type { Measured } from './plan.ts';
import { TestRun } from './run.ts';

const root = join(import.meta.dirname, '../..');
const secondsPath = join(import.meta.dirname, 'seconds.json');
/** For all that `--quick` runs, on a machine with nothing else to do. */
const QUICK_SECONDS = 110;
/** One more than processors: each worker waits now and then for a program that it started. */
const WORKERS = availableParallelism() + 1;

const { values, positionals } = parseArgs({
  options: {
    matrix: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    remember: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(WORKERS) },
  },
  allowPositionals: true,
});

const workers = Number(values.workers);
if (!Number.isInteger(workers) || workers < 1) throw new Error(`not a number of workers: ${values.workers}`);
const measured: Measured = JSON.parse(readFileSync(secondsPath, 'utf8'));
const wanted = findWanted();
const suites = values.quick ? chooseQuickly(wanted) : wanted;
const program = resolve(root, process.env['SVC_PROGRAM'] || 'bin/svc');

if (suites.some(({ part }) => part === 'conformance')) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  print(`conformance: ${program}, version ${stdout?.trim() || 'unknown, as it does not start'}\n`);
}
print(`test: ${suites.length} suites, ${workers} beside each other\n`);
const run = new TestRun(suites, { root, workers, measured, program, environment: process.env, write: print });
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    run.close();
    process.exit(130);
  });
}
try {
  process.exitCode = (await run.execute(values.matrix)) ? 0 : 1;
  if (values.remember) {
    const list = updateMeasured(measured, run.seconds, (file) => existsSync(join(root, file)));
    writeFileSync(secondsPath, `${JSON.stringify(list, null, 2)}\n`);
  }
} finally {
  run.close();
}

function findWanted(): readonly Suite[] {
  try {
    return findSuites(root, parseWanted(positionals));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    process.stderr.write(`test: ${error.message}\n`);
    return process.exit(2);
  }
}

function print(text: string): void {
  process.stdout.write(text);
}

/** All unit tests, and of the others what a change affects. Builds what they are about. */
function chooseQuickly(all: readonly Suite[]): readonly Suite[] {
  const unit = all.filter(({ part }) => part === 'unit');
  const others = all.filter(({ part }) => part !== 'unit');
  const expected = expectSeconds(all, measured);
  const unitSeconds = unit.reduce((total, suite) => total + expected(suite), 0);
  const affected = findAffected(others, findChangedFiles(root), readNames(root));
  const choice = chooseWithin(affected, QUICK_SECONDS * workers - unitSeconds, expected);
  print(renderQuickChoice({ unit: unit.length, ...choice, unaffected: others.length - affected.length }));
  if (choice.chosen.length > 0)
    execFileSync('make', ['--no-print-directory', 'build'], { cwd: root, stdio: 'inherit' });
  return [...unit, ...choice.chosen];
}
