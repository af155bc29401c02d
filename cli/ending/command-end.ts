import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { FailureExplanation } from '../../contract/diagnostics/explanation.ts';
import type { Envelope } from '../../contract/envelope/types.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import type { ProviderWords } from '../../contract/provider-protocol/provider-words.ts';
import type { CommandOutcome } from '../../contract/exit-status.ts';
import type { TargetDocument } from '../../supervisor/api/history.ts';

/**
 * How a command ended: one variant for each way. What is reported about it and its exit status follow from it alone.
 */
export type CommandEnd =
  /** Reported by its envelope, which is published where that was asked for. */
  | { readonly kind: 'told'; readonly envelope: Envelope; readonly beside: Beside }
  /** A wrong form of the command: the same, but no file is published (cli.md §3, "No envelope possible"). */
  | { readonly kind: 'rejected'; readonly envelope: Envelope; readonly hint: string | null }
  /** An envelope that was asked for could not be published: all other output is dropped (cli.md §3, "When"). */
  | { readonly kind: 'envelope_lost' }
  /** A failure of a command that has no envelope; `faults` as beside one. */
  | {
      readonly kind: 'failed';
      readonly diagnostic: Diagnostic;
      readonly hint: string | null;
      readonly faults?: FailureExplanation | null;
    }
  /**
   * The result of a command without envelope: JSON, in place of which `text` is shown where there is one, and
   * `terminalText` at a terminal. Under `--json` it is in an object of the envelope's shape (cli.md §12.1).
   */
  | {
      readonly kind: 'result';
      readonly value: JsonValue;
      readonly text: ((styling: TerminalLook) => string) | null;
      readonly terminalText?: (styling: TerminalLook) => string;
    }
  /** Text for people and nothing else; `isPage`: a terminal shows it in its pager. */
  | { readonly kind: 'text'; readonly text: string; readonly isPage?: true }
  /** A conversation: it wrote its streams itself. */
  | { readonly kind: 'conversed'; readonly outcome: CommandOutcome };

/** As in `Styling`: colours or none, and columns to wrap to. */
interface TerminalLook {
  readonly colour: boolean;
  readonly width: number | null;
}

/** What people are shown beside an envelope, and never in it. */
export interface Beside {
  /** A remedy, behind the failure line. */
  readonly hint: string | null;
  /** Which document could not be read; null where none was sought in vain. */
  readonly target: TargetDocument | null;
  /**
   * What is known of faults in documents and programs, for terminal and pipe (documents.md §14, cli.md §4); null
   * without.
   */
  readonly faults: FailureExplanation | null;
  /** What the provider said whose failure it is (world.md §1.5); null without. */
  readonly provider: ProviderWords | null;
  /** The same of several, one after the other. */
  readonly providers: readonly ProviderWords[];
  /** Name of the input at fault; null: the published one. */
  readonly inputName: string | null;
  /** Reported on stderr whatever the end, a line each. */
  readonly notes: readonly string[];
  /** Lines for a terminal only, behind everything else on stderr. */
  readonly terminalNotes: readonly string[];
  /** What a terminal shows on stdout in place of the result's JSON; null: that. */
  readonly terminalText: ((styling: TerminalLook) => string) | null;
  /** Which of the two is printed; null: the text at a terminal, else JSON. */
  readonly format: 'text' | 'json' | null;
}

export const NOTHING_BESIDE: Beside = {
  hint: null,
  target: null,
  faults: null,
  provider: null,
  providers: [],
  inputName: null,
  notes: [],
  terminalNotes: [],
  terminalText: null,
  format: null,
};

export function reportEnvelope(envelope: Envelope, beside: Partial<Beside> = {}): CommandEnd {
  return { kind: 'told', envelope, beside: { ...NOTHING_BESIDE, ...beside } };
}
