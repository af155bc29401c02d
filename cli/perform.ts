import type { RunReference } from '../contract/run-reference.ts';
import type { BundleStore } from '../supervisor/api/machine.ts';
import { loadConfiguration } from '../system/configuration/configuration.ts';
import { loadCommand } from './commands/load.ts';
import type { Invocation } from './parser/parse.ts';
import type { EarlySandbox } from './process/early-sandbox.ts';
import { writeStream, type WriteOutcome } from './process/output.ts';
import type { StopWatch } from './process/signals.ts';
import { runProgram } from './program.ts';
import { openStandardError } from './progress/standard-error.ts';
import { stylingOf, type Styling } from './streams/styling.ts';
import type { Variables } from './process/variables.ts';

export interface Performance {
  readonly invocation: Invocation;
  readonly runRef: RunReference;
  readonly variables: Variables;
  readonly workingDirectory: string;
  readonly programDirectory: string;
  readonly json: boolean;
  readonly stops: StopWatch;
  readonly early: EarlySandbox;
}

/** Carries out an invocation with the services of this machine, and gives the exit status. */
export async function perform(performance: Performance): Promise<number> {
  const { invocation, runRef, variables, json, stops, early } = performance;
  return runProgram(invocation, {
    context: {
      runRef,
      variables,
      workingDirectory: performance.workingDirectory,
      signal: stops.signal,
      sandbox: early.sandbox,
      bundles: async () => openBundleStore(early, variables),
      releaseSandbox: () => {
        void early.close();
      },
      programDirectory: performance.programDirectory,
      standardInput: () => process.stdin,
      json,
      progressStream: openStandardError,
      reportBug: async (error) => reportBug(error, variables),
    },
    loadCommand,
    envelopeFiles: async () => (await import('../supervisor/api/machine.ts')).publishedFiles(),
    write: writeStream,
    writePage: async (text) => writePage(text, variables),
    styling: { stdout: streamStyling(1, variables), stderr: streamStyling(2, variables) },
    json,
    stopSignal: () => stops.received(),
    cleanUp: early.close,
  });
}

async function writePage(text: string, variables: Variables): Promise<WriteOutcome> {
  const { pagerOf, showInPager } = await import('./process/pager.ts');
  const pager = pagerOf(variables);
  return pager !== null && (await showInPager(pager, text, variables)) ? 'written' : writeStream(1, text);
}

async function openBundleStore(early: EarlySandbox, variables: Variables): Promise<BundleStore> {
  const { machineBundleStore } = await import('../supervisor/api/machine.ts');
  const { image, configuration } = await early.origin();
  return machineBundleStore(image, configuration, variables);
}

/**
 * Terminals are character devices: only for those is the terminal module loaded, which costs a pipe 3 ms (measured).
 */
function isTerminal(descriptor: 1 | 2): boolean {
  return (
    process.getBuiltinModule('node:fs').fstatSync(descriptor).isCharacterDevice() &&
    process.getBuiltinModule('node:tty').isatty(descriptor)
  );
}

/** The stream object of a terminal is asked for its width only when there is a terminal. */
function streamStyling(descriptor: 1 | 2, variables: Variables): Styling {
  if (!isTerminal(descriptor)) return stylingOf({ isTerminal: false, columns: undefined }, variables);
  const { columns } = descriptor === 1 ? process.stdout : process.stderr;
  return stylingOf({ isTerminal: true, columns }, variables);
}

/** A stack is of use to who develops this program, and names files: it is printed only when asked for. */
async function reportBug(error: unknown, variables: Variables): Promise<void> {
  const loaded = await loadConfiguration(variables);
  if (!loaded.ok || loaded.configuration.logLevel !== 'debug') return;
  await writeStream(2, `debug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
