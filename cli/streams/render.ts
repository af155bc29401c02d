import { providerLines } from './provider-words.ts';
import { remedyFor } from '../../contract/diagnostics/remedies/failures.ts';
import { envelopeText } from '../../contract/envelope/text.ts';
import type { Envelope } from '../../contract/envelope/types.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { visibleText } from '../../contract/visible-text.ts';
import type { CommandName } from '../declaration/table.ts';
import { NOTHING_BESIDE, type Beside, type CommandEnd } from '../ending/command-end.ts';
import { failureEnvelope } from '../ending/failure-envelope.ts';
import { faultLines } from './fault-lines.ts';
import { evaluationLine, failureLine, unpublishedEnvelopeLine, warningLine } from './failure-line.ts';
import { NO_NAMED_FILES, renderDocumentHint, sourceName, type NamedFiles } from './named-files.ts';
import { ownResultLine } from './own-result.ts';
import { jsonFor, renderResult } from './result-text.ts';
import { styledLine, type Styling } from './styling.ts';

/** What the two streams get, each whole. */
export interface Rendering {
  readonly stdout: string;
  readonly stderr: string;
}

export interface RenderRequest {
  readonly end: CommandEnd;
  readonly runRef: RunReference;
  /** The command, once the arguments were right. */
  readonly name: CommandName | null;
  readonly styling: { readonly stdout: Styling; readonly stderr: Styling };
  readonly json: boolean;
  /** Files that its command line names; absent: none. */
  readonly named?: NamedFiles;
}

/** Characters of the message of a command without envelope (cli.md §4). */
const PLAIN_MESSAGE_LENGTH_MAX = 512;

/** What is still to be written of one ended command (cli.md §4). */
export function render(request: RenderRequest): Rendering {
  const { end, runRef } = request;
  switch (end.kind) {
    case 'told':
      return rendered(request, end.envelope, envelopeLines(request, end.envelope, end.beside), end.beside);
    case 'rejected':
      return rendered(
        request,
        end.envelope,
        envelopeLines(request, end.envelope, { ...NOTHING_BESIDE, hint: end.hint }),
      );
    case 'failed':
      return rendered(request, failureEnvelope('unknown', runRef, end.diagnostic), [
        plainLine(request, end),
        ...plainFaults(request, end),
      ]);
    case 'envelope_lost':
      return { stdout: '', stderr: `${unpublishedEnvelopeLine(runRef)}\n` };
    case 'text':
      return { stdout: end.text, stderr: '' };
    case 'result':
      return { stdout: ownResult(request, end), stderr: '' };
    case 'conversed':
      return { stdout: '', stderr: '' };
  }
}

function rendered(
  { styling, json }: RenderRequest,
  envelope: Envelope,
  lines: readonly string[],
  { terminalText, format }: Pick<Beside, 'terminalText' | 'format'> = NOTHING_BESIDE,
): Rendering {
  const stderr = lines.map((line) => `${styledLine(line, styling.stderr)}\n`).join('');
  if (json) return { stdout: `${jsonFor(styling.stdout, envelopeText(envelope))}\n`, stderr };
  if (!('result' in envelope)) return { stdout: '', stderr };
  const isText = format === null ? styling.stdout.width !== null : format === 'text';
  return {
    stdout: isText && terminalText !== null ? terminalText(styling.stdout) : renderResult(envelope, styling.stdout),
    stderr,
  };
}

/** What a command without envelope came to. */
function ownResult(
  { name, runRef, styling, json }: RenderRequest,
  { value, text, terminalText }: Extract<CommandEnd, { kind: 'result' }>,
): string {
  if (json && name !== null) return jsonFor(styling.stdout, ownResultLine(name, runRef, value));
  const shown = text ?? (styling.stdout.width === null ? undefined : terminalText);
  return shown === undefined ? jsonFor(styling.stdout, `${canonicalJson(value)}\n`) : shown(styling.stdout);
}

function plainLine(
  { name, runRef }: RenderRequest,
  { diagnostic: { code, message }, hint }: Extract<CommandEnd, { kind: 'failed' }>,
): string {
  const text = visibleText(message).slice(0, PLAIN_MESSAGE_LENGTH_MAX);
  return `error: ${name ?? 'internal'}/${code}: ${text} (run_ref: ${runRef})${hint === null ? '' : `; ${visibleText(hint)}`}`;
}

function plainFaults(
  { styling }: RenderRequest,
  { faults = null }: Extract<CommandEnd, { kind: 'failed' }>,
): readonly string[] {
  return faults === null ? [] : faultLines(faults, styling.stderr);
}

function envelopeLines(
  { runRef, styling, named = NO_NAMED_FILES }: RenderRequest,
  envelope: Envelope,
  beside: Beside,
): readonly string[] {
  const { faults, target, inputName } = beside;
  const said = [...(beside.provider === null ? [] : [beside.provider]), ...beside.providers].flatMap(providerLines);
  const lines = [...beside.notes.map(visibleText), ...envelope.warnings.map(warningLine)];
  if (envelope.status === 'ok')
    return styling.stderr.width === null ? lines : [...lines, ...beside.terminalNotes.map(visibleText)];
  // A report says what failed, and is on stdout (cli.md §4).
  if ('result' in envelope) return [...lines, ...said, ...(faults === null ? [] : faultLines(faults, styling.stderr))];
  // What is reported about the first fault has its own remedy.
  const remedy = faults?.faults[0]?.remedy ?? null;
  const known = target === null ? remedyFor(envelope.error) : renderDocumentHint(target, named);
  const hint = beside.hint ?? (remedy === null ? known : null);
  return [
    ...lines,
    failureLine({
      diagnostic: envelope.error,
      runRef,
      hint,
      sourceName:
        sourceName(envelope.error, faults, named) ??
        (envelope.error.source?.kind === 'external_input' ? inputName : null),
    }),
    ...said,
    ...evaluationLines(envelope),
    ...(faults === null ? [] : faultLines(faults, styling.stderr)),
  ];
}

function evaluationLines(envelope: Envelope): readonly string[] {
  if (envelope.command !== 'run' || !('last_evaluation_error' in envelope.execution)) return [];
  const { last_evaluation_error: error } = envelope.execution;
  return error === null ? [] : [evaluationLine(error)];
}
