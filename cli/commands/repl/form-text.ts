import type { FormEnd, FormError } from '../../../supervisor/api/repl.ts';
import { coloured } from './coloured.ts';

/** What a form printed, then its value: the part that goes to stdout. */
export function resultText(end: FormEnd, hasColour = false): string {
  const value = end.kind === 'value' ? [hasColour ? coloured(end.text) : end.text] : [];
  return [...end.prints, ...value].map((line) => `${line}\n`).join('');
}

/** What a form printed, for input whose value nobody asked for. */
export function printsText(end: FormEnd): string {
  return end.prints.map((line) => `${line}\n`).join('');
}

/** `Error (KIND): MESSAGE` (cli.md §11); `source` names the file of a script, whose place is then told as well. */
export function errorText({ kind, message, place }: FormError, source: string | null): string {
  const where = source === null || place === null ? '' : `  at ${source}:${place.line}:${place.column}\n`;
  return `Error (${kind}): ${message}\n${where}`;
}

/** What the session still has after its isolate was given up. */
export function recoveryText(recovered: 'all' | 'part'): string {
  return recovered === 'all'
    ? 'The session goes on in a fresh isolate, with the definitions so far.\n'
    : 'The session goes on in a fresh isolate, without what was too large or of a kind that cannot be written down.\n';
}
