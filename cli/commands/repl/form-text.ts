import type { FormEnd, FormError } from '../../../supervisor/api/repl.ts';

/** What a form printed, then its value: the part that goes to stdout. */
export function resultText(end: FormEnd): string {
  return [...end.prints, ...(end.kind === 'value' ? [end.text] : [])].map((line) => `${line}\n`).join('');
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

export const LOST_DEFINITIONS = 'The definitions of this session are lost; it goes on with a fresh isolate.\n';
