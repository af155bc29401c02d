import { envelopeText } from '../../contract/envelope/text.ts';
import type { Envelope } from '../../contract/envelope/types.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import type { ToldOutcome } from '../commands/command.ts';
import { failureEnvelope } from '../commands/failure.ts';
import type { CommandName } from '../declaration/types.ts';
import { explanationLines, suggestionOf } from './explanation.ts';
import { evaluationLine, failureLine, warningLine } from './failure-line.ts';
import { onOneLine } from './printable.ts';
import { resultText } from './result-text.ts';
import { styledLine } from './styling.ts';
import type { Styling } from './styling.ts';

/** What the two streams get, each whole. */
export interface Rendering {
  readonly stdout: string;
  readonly stderr: string;
}

export interface RenderRequest {
  readonly outcome: ToldOutcome;
  readonly runRef: RunReference;
  /** The command, once the arguments were right. */
  readonly name: CommandName | null;
  readonly styling: { readonly stdout: Styling; readonly stderr: Styling };
  readonly json: boolean;
}

/** Characters of the message of a command without envelope (cli.md §4). */
const PLAIN_MESSAGE_LENGTH_MAX = 512;

/** The two streams of one ended command (cli.md §4). */
export function render(request: RenderRequest): Rendering {
  const { outcome, runRef, styling, json } = request;
  const stderr = stderrLines(request).map((line) => `${styledLine(line, styling.stderr)}\n`).join('');
  if (json) {
    const envelope = outcome.kind === 'envelope' ? outcome.envelope : failureEnvelope('unknown', runRef, outcome.diagnostic);
    return { stdout: `${envelopeText(envelope)}\n`, stderr };
  }
  const isTold = outcome.kind === 'envelope' && 'result' in outcome.envelope;
  return { stdout: isTold ? resultText(outcome.envelope, styling.stdout) : '', stderr };
}

function stderrLines({ outcome, runRef, name, styling }: RenderRequest): readonly string[] {
  if (outcome.kind === 'failure') {
    const { code, message } = outcome.diagnostic;
    const text = onOneLine(message).slice(0, PLAIN_MESSAGE_LENGTH_MAX);
    const hint = outcome.hint === null ? '' : `; ${outcome.hint}`;
    return [`error: ${name ?? 'internal'}/${code}: ${text} (run_ref: ${runRef})${hint}`];
  }
  const { envelope } = outcome;
  const lines = [...(outcome.notes ?? []), ...envelope.warnings.map(warningLine)];
  // A pipe gets the one line alone: neither keys of the author nor positions go where a log may keep them.
  const isTerminal = styling.stderr.width !== null;
  if (envelope.status === 'ok') return isTerminal ? [...lines, ...(outcome.terminalNotes ?? [])] : lines;
  const explanation = outcome.explanation ?? null;
  const suggestion = isTerminal || explanation === null ? null : suggestionOf(explanation);
  const hint = outcome.hint ?? remedyOf(envelope) ?? suggestion;
  return [
    ...lines,
    failureLine({ diagnostic: envelope.error, runRef, hint }),
    ...(isTerminal && explanation !== null ? explanationLines(explanation) : []),
    ...evaluationLines(envelope),
  ];
}

/** Remedies that follow from the code alone (cli.md §4). */
function remedyOf(envelope: Envelope & { readonly status: 'error' }): string | null {
  const { code, subject } = envelope.error;
  if (code !== 'credential_unavailable' || subject?.operation !== 'credentials') return null;
  return 'export the variable, name a file with --env-file, or install a file credential';
}

function evaluationLines(envelope: Envelope): readonly string[] {
  if (envelope.command !== 'run' || !('last_evaluation_error' in envelope.execution)) return [];
  const { last_evaluation_error: error } = envelope.execution;
  return error === null ? [] : [evaluationLine(error)];
}
