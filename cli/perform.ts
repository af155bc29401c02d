import type { RunReference } from '../contract/run-reference.ts';
import { loadConfiguration } from '../supervisor/config/configuration.ts';
import type { BundleStore } from '../supervisor/preflight/bundle-store.ts';
import { loadCommand } from './commands/load.ts';
import type { Invocation } from './parser/parse.ts';
import type { EarlySandbox } from './process/early-sandbox.ts';
import { writeStream } from './process/output.ts';
import type { StopWatch } from './process/signals.ts';
import { runProgram } from './program.ts';
import { openStandardError } from './progress/standard-error.ts';
import { stylingOf } from './streams/styling.ts';
import type { Environment, Styling } from './streams/styling.ts';

export interface Performance {
  readonly invocation: Invocation;
  readonly runRef: RunReference;
  readonly environment: Environment;
  readonly workingDirectory: string;
  readonly programDirectory: string;
  readonly json: boolean;
  readonly stops: StopWatch;
  readonly early: EarlySandbox;
}

/** Carries out an invocation with the services of this machine, and gives the exit status. */
export async function perform(performance: Performance): Promise<number> {
  const { invocation, runRef, environment, json, stops, early } = performance;
  return runProgram(invocation, {
    context: {
      runRef,
      environment,
      workingDirectory: performance.workingDirectory,
      signal: stops.signal,
      sandbox: early.sandbox,
      bundles: async () => bundleStore(early, environment),
      releaseSandbox: () => { void early.close(); },
      programDirectory: performance.programDirectory,
      progressStream: openStandardError,
      reportBug: async (error) => reportBug(error, environment),
    },
    loadCommand,
    envelopeFiles: async () => (await import('./envelope-file/published-files.ts')).publishedFiles(),
    write: writeStream,
    styling: { stdout: streamStyling(1, environment), stderr: streamStyling(2, environment) },
    json,
    stopSignal: () => stops.received(),
    cleanUp: early.close,
  });
}

async function bundleStore(early: EarlySandbox, environment: Environment): Promise<BundleStore> {
  const { machineBundleStore } = await import('../supervisor/api/bundle-store.ts');
  const { image, configuration } = await early.origin();
  return machineBundleStore(image, configuration, environment);
}

/** Terminals are character devices: only for those is the terminal module loaded, which costs a pipe 3 ms (measured). */
function isTerminal(descriptor: 1 | 2): boolean {
  return process.getBuiltinModule('node:fs').fstatSync(descriptor).isCharacterDevice()
    && process.getBuiltinModule('node:tty').isatty(descriptor);
}

/** The stream object of a terminal is asked for its width only when there is a terminal. */
function streamStyling(descriptor: 1 | 2, environment: Environment): Styling {
  if (!isTerminal(descriptor)) return stylingOf({ isTerminal: false, columns: undefined }, environment);
  const { columns } = descriptor === 1 ? process.stdout : process.stderr;
  return stylingOf({ isTerminal: true, columns }, environment);
}

/** A stack is of use to who develops this program, and names files: it is printed only when asked for. */
async function reportBug(error: unknown, environment: Environment): Promise<void> {
  const loaded = await loadConfiguration(environment);
  if (!loaded.ok || loaded.configuration.logLevel !== 'debug') return;
  await writeStream(2, `debug: ${error instanceof Error ? error.stack ?? error.message : String(error)}\n`);
}
