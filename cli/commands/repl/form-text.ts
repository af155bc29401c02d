import { visibleLines } from '../../../contract/visible-text.ts';
import type { FormEnd, FormError } from '../../../supervisor/api/sessions.ts';
import { coloured } from './coloured.ts';

/** How what programs wrote is shown: `raw` as it is, for who asked for that. */
export interface Showing {
  readonly hasColour: boolean;
  readonly isRaw: boolean;
}

export const PLAIN_SHOWING: Showing = { hasColour: false, isRaw: false };

/** Text of a program as a person may see it. */
function shown(text: string, { isRaw }: Pick<Showing, 'isRaw'>): string {
  return isRaw ? text : visibleLines(text);
}

/** What a form printed, then its value: the part that goes to stdout. */
export function renderFormResult(end: FormEnd, showing: Showing = PLAIN_SHOWING): string {
  const value = end.kind === 'value' ? shown(end.text, showing) : null;
  return `${printsText(end, showing)}${value === null ? '' : `${showing.hasColour ? coloured(value) : value}\n`}`;
}

/** What a form printed, for input whose value nobody asked for. */
export function printsText(end: FormEnd, showing: Showing = PLAIN_SHOWING): string {
  return end.prints.map((line) => `${shown(line, showing)}\n`).join('');
}

/**
 * `Error (KIND): MESSAGE` (cli.md §11), its place in `source` (the file of a script, or how else the form was given;
 * null: it has none), and the data of an exception.
 */
export function errorText(
  { kind, message, place, data }: FormError,
  source: string | null,
  showing: Showing = PLAIN_SHOWING,
): string {
  const where = source === null || place === null ? '' : `  at ${source}:${place.line}:${place.column}\n`;
  const details = data === undefined ? '' : `  data: ${shown(data, showing)}\n`;
  return `Error (${kind}): ${shown(message, showing)}\n${where}${details}`;
}

/** What the session still has after its isolate was given up. */
export function recoveryText(recovered: 'all' | 'part'): string {
  return recovered === 'all'
    ? 'The session goes on in a fresh isolate, with the definitions so far.\n'
    : 'The session goes on in a fresh isolate, without what was too large or of a kind that cannot be written down.\n';
}
