/**
 * The program. Order of a start (design.md §1.9): run reference, arguments, first sandbox host if the command
 * evaluates anything, and only then everything else, which loads while that host boots.
 */
import { newRunReference, type RunReference } from '../contract/run-reference.ts';
import { COMMANDS } from './declaration/table.ts';
import { outputMode } from './output-mode.ts';
import type { DefaultDocumentFacts } from './parser/default-document.ts';
import { parseArguments, type Invocation } from './parser/parse.ts';
import { argumentsAreUtf8 } from './process/argument-encoding.ts';
import { fillAtRandom } from './process/entropy.ts';
import { NO_SANDBOX, startSandboxEarly } from './process/early-sandbox.ts';
import { watchStopSignals, type SignalSource } from './process/signals.ts';
import type { Variables } from './process/variables.ts';

/**
 * A directory that was removed under us still has a name, if only one that leads nowhere; relative paths alone fail
 * there (runtime.md §1 step 3).
 */
function workingDirectory(): string {
  try {
    return process.cwd();
  } catch {
    return '/proc/self/cwd';
  }
}

function documentsIn(directory: string): DefaultDocumentFacts {
  return {
    isThere: (name) => process.getBuiltinModule('node:fs').existsSync(`${directory}/${name}`),
    isTerminal: () => [0, 1].every((descriptor) => process.getBuiltinModule('node:tty').isatty(descriptor)),
  };
}

function evaluates(invocation: Invocation): boolean {
  return invocation.kind === 'command' && COMMANDS[invocation.name].evaluates?.(invocation.args) === true;
}

/** A gateway that was asked twice to stop has not stopped in order (gateway.md §1). */
const FORCED_STATUS = 70;

/** For a caller that keeps hosts from one invocation to the next. */
export { startSandboxEarly };

/** Who starts the program: a process of its own, or one that carries out several invocations, one after another. */
export interface Caller {
  /** What follows the name of the program. */
  readonly argv: readonly string[];
  readonly variables: Variables;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly signals: SignalSource;
  /** Ends the program at once, at a second stop signal. */
  readonly exit: (status: number) => void;
  readonly startSandbox: typeof startSandboxEarly;
}

/** Carries out one invocation, from its words to its exit status; rejects for a bug in the reporting of bugs. */
export async function invoke(caller: Caller, runRef = newRunReference(fillAtRandom)): Promise<number> {
  const { variables, workingDirectory } = caller;
  let isGateway = false;
  const stops = watchStopSignals(
    caller.signals,
    (status) => caller.exit(isGateway ? FORCED_STATUS : status),
    (signal) => isGateway && signal === 'SIGHUP',
  );
  const mode = outputMode(caller.argv, variables);
  const invocation: Invocation =
    mode.rejection === null
      ? parseArguments(mode.argv, {
          workingDirectory,
          isUtf8: argumentsAreUtf8(mode.argv),
          documents: documentsIn(workingDirectory),
        })
      : { kind: 'rejected', rejection: mode.rejection };
  isGateway = invocation.kind === 'command' && invocation.name === 'gateway';
  const programDirectory = import.meta.dirname;
  const early = evaluates(invocation) ? await caller.startSandbox(programDirectory, variables) : NO_SANDBOX;
  const { perform } = await import('./perform.ts');
  return perform({
    invocation,
    runRef,
    variables,
    workingDirectory,
    programDirectory,
    json: mode.json,
    stops,
    early,
  });
}

/**
 * Only a broken installation or a bug in the reporting of bugs gets here; what could render it may be what is missing.
 */
function lastWord(runRef: RunReference): number {
  process.stderr.write(`error: internal/internal_error: an internal error occurred (run_ref: ${runRef})\n`);
  return 70;
}

function startProgram(): void {
  const runRef = newRunReference(fillAtRandom);
  const caller: Caller = {
    argv: process.argv.slice(2),
    variables: process.env,
    workingDirectory: workingDirectory(),
    signals: process,
    exit: (status) => process.exit(status),
    startSandbox: startSandboxEarly,
  };
  void invoke(caller, runRef)
    .catch(() => lastWord(runRef))
    .then((status) => process.exit(status));
}

// Imported, it starts nothing.
if (import.meta.main) startProgram();
