import type { Readable } from 'node:stream';
import type { RunReference } from '../../contract/run-reference.ts';
import type { BundleStore } from '../../supervisor/api/machine.ts';
import type { Sandbox } from '../../supervisor/platform/start-sandbox.ts';
import type { CommandArguments } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import type { OpenProgressStream } from '../progress/stream.ts';
import type { Variables } from '../process/variables.ts';

/** What every command is given in addition to its arguments. */
export interface CommandContext {
  readonly runRef: RunReference;
  readonly variables: Variables;
  /** Absolute. */
  readonly workingDirectory: string;
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal;
  /** The sandbox whose first host was started as soon as the arguments were right. */
  readonly sandbox: () => Promise<Sandbox>;
  /** Compiled bundles of earlier commands. */
  readonly bundles: () => Promise<BundleStore>;
  /** Lets the sandbox end while the command finishes its work: nothing further is evaluated. */
  readonly releaseSandbox: () => void;
  /** Folder of the running program, with its build facts. */
  readonly programDirectory: string;
  /** Opened only by a command that reads it. */
  readonly standardInput: () => Readable;
  /** Whether stdout is for programs (cli.md §12.1). */
  readonly json: boolean;
  /** stderr while the command is at work: for progress and warnings, whose loss is no failure. */
  readonly progressStream: OpenProgressStream;
  /** Called with every exception that a command turned into an `internal_error`. */
  readonly reportBug: (error: unknown) => Promise<void>;
}

/** The work of one command. Expected failures are ends; a throw is a bug and becomes `internal_error`. */
export type Command = (commandArguments: CommandArguments, context: CommandContext) => Promise<CommandEnd>;
