import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Envelope } from '../../contract/envelope/types.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { BundleStore } from '../../supervisor/preflight/bundle-store.ts';
import type { Explanation } from '../../supervisor/documents/explain/explanation.ts';
import type { GivenArguments } from '../declaration/types.ts';
import type { OpenProgressStream } from '../progress/stream.ts';
import type { Environment } from '../streams/styling.ts';

/** What every command is given besides its arguments. */
export interface CommandContext {
  readonly runRef: RunReference;
  readonly environment: Environment;
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
  /** stderr while the command is at work: for progress, whose loss is no failure. */
  readonly progressStream: OpenProgressStream;
  /** Told of every exception that a command turned into an `internal_error`. */
  readonly reportBug: (error: unknown) => Promise<void>;
}

/**
 * How a command ended. `envelope` is the one object that tells it; `hint` is a remedy for people, printed behind the
 * failure line and never part of the envelope. Commands without envelope fail with a bare diagnostic.
 */
export type CommandOutcome =
  | {
      readonly kind: 'envelope';
      readonly envelope: Envelope;
      readonly hint: string | null;
      /** Where the fault stands in its file, for a terminal (documents.md §14). */
      readonly explanation?: Explanation | null;
      /** Told on stderr whatever the outcome, a line each. */
      readonly notes?: readonly string[];
      /** Lines for a terminal only, behind everything else on stderr. */
      readonly terminalNotes?: readonly string[];
      /** A wrong form of the command: no file is published (cli.md §3, "No envelope possible"). */
      readonly isRejection?: true;
      /** Where more than the diagnostic decides the exit status. */
      readonly status?: number;
    }
  | { readonly kind: 'failure'; readonly diagnostic: Diagnostic; readonly hint: string | null }
  /** A conversation: it wrote its streams itself. */
  | { readonly kind: 'session'; readonly status: number };

/** An outcome that is still to be told on the streams. */
export type ToldOutcome = Exclude<CommandOutcome, { kind: 'session' }>;

/** The work of one command. Expected failures are outcomes; a throw is a bug and becomes `internal_error`. */
export type Command = (given: GivenArguments, context: CommandContext) => Promise<CommandOutcome>;
