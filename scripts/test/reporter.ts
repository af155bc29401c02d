/**
 * A reporter of mocha for a program that runs several of them: adds one JSON line for each event to the file that the
 * option `events` names.
 */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { readProcessorMs } from './processor-time.ts';
import type { TestEvent } from './results.ts';

export default class EventReporter extends Mocha.reporters.Base {
  readonly #path: string;

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    this.#path = String(Object(options.reporterOptions).events);
    const last = findLastOfFiles(runner.suite);
    const reportDone = (item: Mocha.Suite | Mocha.Test): void => {
      const file = last.get(item);
      if (file !== undefined) this.#add({ event: 'done', ...readTimes(), file });
    };
    runner.once('start', () => this.#add({ event: 'loaded', ...readTimes() }));
    runner.on('pass', (test) => this.#add({ event: 'passed', file: nameFile(test) }));
    runner.on('fail', (failed: Mocha.Runnable, error: unknown) => {
      this.#add({ event: 'failed', file: nameFile(failed), account: describeFailure(failed, error) });
    });
    runner.on('suite end', reportDone);
    runner.on('test end', reportDone);
    runner.once('end', () => this.#add({ event: 'ended', ...readTimes() }));
  }

  #add(event: TestEvent): void {
    appendFileSync(this.#path, `${JSON.stringify(event)}\n`);
  }
}

function readTimes(): { readonly at: number; readonly processorMs: number } {
  return { at: Date.now(), processorMs: readProcessorMs() };
}

/** With which block or test a file is done. Mocha runs tests outside of any block before every block. */
function findLastOfFiles(root: Mocha.Suite): ReadonlyMap<Mocha.Suite | Mocha.Test, string> {
  const last = new Map<string, Mocha.Suite | Mocha.Test>();
  for (const item of [...root.tests, ...root.suites]) {
    if (item.file !== undefined) last.set(relative(process.cwd(), item.file), item);
  }
  return new Map([...last].map(([file, item]) => [item, file]));
}

/** Null for a hook of no file. */
function nameFile(runnable: Mocha.Runnable): string | null {
  const file = runnable.file ?? runnable.parent?.file;
  return file === undefined ? null : relative(process.cwd(), file);
}

/** What mocha says of a failure: title, message, difference, stack. A test may fail more than once. */
function describeFailure(failed: Mocha.Runnable, err: unknown): string {
  const { Base } = Mocha.reporters;
  const lines: string[] = [];
  const log = Base.consoleLog;
  Base.consoleLog = (...words: unknown[]) => void lines.push(format(...words));
  try {
    Base.list([Object.assign(Object.create(failed), { err })]);
  } finally {
    Base.consoleLog = log;
  }
  return lines
    .join('\n')
    .trim()
    .replace(/^1\) /, '')
    .replaceAll(/^ {1,3}/gm, '');
}
