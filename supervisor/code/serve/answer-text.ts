import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { visibleLines } from '../../../contract/visible-text.ts';
import type { ProgramEnd, ProgramError, ToolCalls } from '../session/program-end.ts';

/** Characters of what was printed, and of the line at fault. */
const PRINTED = 4096;
const LINE = 160;

/** `structuredContent` of a program that came to a value (code-mode.md §5). */
export function valueAnswer(end: Extract<ProgramEnd, { readonly kind: 'value' }>): JsonObject {
  const { value, text, cut, how, prints, calls, runRef, hasEvidence } = end;
  const printed = printedText(prints);
  return new Map<string, JsonValue>([
    ['status', 'ok'],
    ['value', value ?? null],
    ['text', visibleLines(text)],
    ...(cut === null
      ? []
      : [['cut', new Map(Object.entries(cut).map(([unit, [shown, all]]) => [unit, [shown, all]]))] as const]),
    ...(how === null ? [] : [['how', how] as const]),
    ...(printed === '' ? [] : [['printed', printed] as const]),
    ['calls', calls.map(callFacts)],
    ['run_ref', runRef],
    ...(hasEvidence ? [] : [['evidence', 'not_written'] as const]),
  ]);
}

function callFacts({ name, n, errors }: ToolCalls): JsonObject {
  return new Map<string, JsonValue>([
    ['name', name],
    ['n', n],
    ['errors', errors],
  ]);
}

/** Head and tail. */
export function printedText(prints: readonly string[]): string {
  const whole = visibleLines(prints.join('\n'));
  if (whole.length <= PRINTED) return whole;
  const notice = `\n;; cut: ${whole.length - PRINTED} of ${whole.length} characters\n`;
  const half = Math.floor((PRINTED - notice.length) / 2);
  return `${whole.slice(0, half).toWellFormed()}${notice}${whole.slice(-half).toWellFormed()}`;
}

/** What the author of a program that came to no value is shown. */
export function failureText(end: Exclude<ProgramEnd, { readonly kind: 'value' }>, program: string): string {
  const lines = end.kind === 'failed' ? [`failed: ${visibleLines(end.text)}`] : errorLines(end.error, program);
  const printed = printedText(end.prints);
  return [
    ...lines,
    ...(printed === '' ? [] : ['it printed:', printed]),
    `${callsText(end.calls)}; definitions are unchanged`,
    `run_ref: ${end.runRef}`,
  ].join('\n');
}

function errorLines({ kind, message, place, remedy }: ProgramError, program: string): readonly string[] {
  const said = `${kind}: ${visibleLines(message)}`;
  return [
    ...(place === null ? [said] : [`${said} (${place.line}:${place.column})`, ...markedLine(program, place)]),
    ...(remedy === null ? [] : [`remedy: ${remedy}`]),
  ];
}

/** The line at fault with a mark below the place; of a long one what is around it. */
export function markedLine(
  program: string,
  { line, column }: { readonly line: number; readonly column: number },
): readonly string[] {
  const text = Array.from((program.split('\n')[line - 1] ?? '').replace(/\r$/, ''));
  const from = column <= LINE ? 0 : column - Math.floor(LINE / 2);
  const shown = text.slice(from, from + LINE);
  // A tab keeps its width, so that the mark is below the place.
  const before = shown.slice(0, column - 1 - from).map((character) => (character === '\t' ? '\t' : ' '));
  return [visibleLines(shown.join('')), `${before.join('')}^`];
}

function callsText(calls: readonly ToolCalls[]): string {
  const made = calls.reduce((sum, { n }) => sum + n, 0);
  if (made === 0) return 'no call was made';
  const names = calls.map(({ name, n, errors }) => `${name} ${n}${errors === 0 ? '' : `, ${errors} failed`}`);
  return `${made} ${made === 1 ? 'call was' : 'calls were'} made before it (${names.join('; ')})`;
}

/** One result of a tool, canonical JSON: an object, and the same as text. */
export function objectResult(content: JsonObject): JsonObject {
  return new Map<string, JsonValue>([
    ['content', [textBlock(canonicalJson(content))]],
    ['structuredContent', content],
  ]);
}

export function errorResult(text: string): JsonObject {
  return new Map<string, JsonValue>([
    ['content', [textBlock(text.toWellFormed())]],
    ['isError', true],
  ]);
}

function textBlock(text: string): JsonObject {
  return new Map([
    ['type', 'text'],
    ['text', text],
  ]);
}
