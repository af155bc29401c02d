/**
 * Runs suites in several processes beside each other, and reports each as it is done:
 * `main.ts PART PATTERN... [PART PATTERN...]`.
 *
 *   --matrix      then hold the matrix of faults against what passed
 *   --quick       suites that a change may affect, then the other unit tests, as far as two minutes have room for them
 *   --remember    keep how long each suite took in seconds.json, by which the next run is planned
 *   --workers N   how many processes of tests run beside each other; without it more where the processors are idle
 *
 * SVC_PROGRAM names the program that the conformance suites speak to; without it that is the one built here.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseWithin, findAffected } from './affected.ts';
import { findChangedFiles, readNames } from './changed-files.ts';
import { defaultWorkers, watchIdle, type Workers } from './idle.ts';
import { renderQuickChoice } from './lines.ts';
import { findSuites, parseWanted, type Suite } from './parts.ts';
import { expectSeconds, updateMeasured, type Measured } from './plan.ts';
import { TestRun } from './run.ts';

const root = join(import.meta.dirname, '../..');
const secondsPath = join(import.meta.dirname, 'seconds.json');
/** For all that `--quick` runs, on a machine with nothing else to do. */
const QUICK_SECONDS = 110;

const { values, positionals } = parseArgs({
  options: {
    matrix: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    remember: { type: 'boolean', default: false },
    workers: { type: 'string' },
  },
  allowPositionals: true,
});

const workers = values.workers === undefined ? defaultWorkers() : parseWorkers(values.workers);
const measured: Measured = JSON.parse(readFileSync(secondsPath, 'utf8'));
const wanted = findWanted();
const suites = values.quick ? chooseQuickly(wanted) : wanted;
const program = resolve(root, process.env['SVC_PROGRAM'] || 'bin/svc');

if (suites.some(({ part }) => part === 'conformance')) {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  print(`conformance: ${program}, version ${stdout?.trim() || 'unknown, as it does not start'}\n`);
}
print(`test: ${suites.length} suites, ${renderWorkers(workers)} beside each other\n`);
const run = new TestRun(suites, {
  root,
  workers,
  readIdle: watchIdle(),
  measured,
  program,
  environment: process.env,
  write: print,
});
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

function parseWorkers(word: string): Workers {
  const count = Number(word);
  if (!Number.isInteger(count) || count < 1) throw new Error(`not a number of workers: ${word}`);
  return { least: count, most: count };
}

function renderWorkers({ least, most }: Workers): string {
  return least === most ? String(least) : `${least} to ${most}`;
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

/** What a change affects, the nearest first, then the other unit tests, the quick ones first. Builds for suites. */
function chooseQuickly(all: readonly Suite[]): readonly Suite[] {
  const affected = findAffected(all, findChangedFiles(root), readNames(root));
  const named = new Set(affected.map(({ suite }) => suite));
  const others = all.filter((suite) => !named.has(suite));
  const unit = others.filter(({ part }) => part === 'unit').map((suite) => ({ suite, steps: Infinity }));
  const choice = chooseWithin([...affected, ...unit], QUICK_SECONDS * workers.least, expectSeconds(all, measured));
  const left = choice.left.filter((suite) => named.has(suite));
  const unitLeft = choice.left.length - left.length;
  print(renderQuickChoice({ chosen: choice.chosen, left, unitLeft, unaffected: others.length - unit.length }));
  if (choice.chosen.some(({ part }) => part !== 'unit')) {
    execFileSync('make', ['--no-print-directory', 'build'], { cwd: root, stdio: 'inherit' });
  }
  return choice.chosen;
}
