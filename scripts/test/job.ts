/** Runs the suites of one job in a mocha process of their own, and reports each as it is done. */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MOCHA_CONFIG } from './parts.ts';
import type { Job } from './plan.ts';
import { openProcessorGroup } from './processor-group.ts';
import { advance, findFault, parseEvents, startProgress, type ProcessEnd, type SuiteResult } from './results.ts';

export interface JobRunner {
  /** The root of the project. */
  readonly root: string;
  /** For what a process writes; the caller removes it. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Processes that run. */
  readonly children: Set<ChildProcess>;
  readonly onDone: (result: SuiteResult) => void;
}

/** How often events are read, milliseconds. */
const READ_EVERY_MS = 200;
const LAST_LINES = 40;

/** What is wrong with the process, beside what failed in its suites; null when nothing is. */
export async function runJob({ part, files }: Job, runner: JobRunner): Promise<string | null> {
  const folder = mkdtempSync(join(runner.folder, `${part}-`));
  const [events, output] = [join(folder, 'events'), join(folder, 'output')];
  writeFileSync(events, '');
  let progress = startProgress(files, Date.now());
  let seen = 0;
  let failed = 0;
  function readProgress(): void {
    const all = parseEvents(readFileSync(events, 'utf8'));
    for (const event of all.slice(seen)) {
      const { progress: next, done } = advance(progress, event);
      progress = next;
      for (const result of done) {
        failed += result.failures.length;
        runner.onDone(result);
      }
    }
    seen = all.length;
  }
  const reading = setInterval(readProgress, READ_EVERY_MS);
  const mocha = [
    '--config',
    MOCHA_CONFIG[part],
    '--reporter',
    './scripts/test/reporter.ts',
    '--reporter-option',
    `events=${events}`,
  ];
  const end = await runMocha([...mocha, ...files], output, runner);
  clearInterval(reading);
  readProgress();
  return findFault(progress, end, failed > 0);
}

async function runMocha(words: readonly string[], output: string, runner: JobRunner): Promise<ProcessEnd> {
  const { root, environment, children } = runner;
  const into = openSync(output, 'a');
  const group = openProcessorGroup();
  const child = spawn(process.execPath, [join(root, 'node_modules/mocha/bin/mocha.js'), ...words], {
    cwd: root,
    // Half of what a process needs to load the product is making JavaScript of its types.
    env: {
      ...environment,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'),
      SVC_TEST_PROCESSOR_STAT: group?.statPath,
    },
    stdio: ['ignore', into, into],
  });
  closeSync(into);
  if (child.pid !== undefined) group?.add(child.pid);
  children.add(child);
  const how = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (status, signal) => resolve(signal ?? `status ${status}`));
  });
  children.delete(child);
  group?.close();
  const lastWords = readFileSync(output, 'utf8').trimEnd().split('\n').slice(-LAST_LINES).join('\n');
  return { how, isWell: how === 'status 0', lastWords };
}
