/** How tables of the program become tables of a page. */
import { fieldRows } from '../../supervisor/documents/fields/field-rows.ts';
import type { Shape } from '../../supervisor/documents/fields/shape.ts';

/** Within a cell a bar would end it, and so would a line. */
function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll(/\s+/g, ' ');
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((row, at) => (at === 1 ? `|${row.join('|')}|` : `| ${row.map(cell).join(' | ')} |`)).join('\n');
}

export const code = (text: string): string => `\`${text}\``;

/** Every field of a document, from the table that its loader reads; branches of a choice that share a field tell it once. */
export function fieldTable(shape: Shape): string {
  const rows = fieldRows(shape).map(({ field, type, required, standard }) => [code(field), type, required ? 'yes' : 'no', standard === null ? '-' : code(standard)]);
  const once = new Map(rows.map((row) => [row.join('\n'), row]));
  return table(['Field', 'Value', 'Required', 'Default'], [...once.values()]);
}

/** What the fields of all documents have in common. */
export const FIELD_NOTATION = '`a[]` are the items of a list, `a.*` the values of a map. Strings are counted in bytes of UTF-8. A member that is not listed is refused, as is a member that stands twice; a file is UTF-8 without a byte order mark.';

/** Paragraphs and blocks, one blank line between them. */
export function page(...parts: readonly string[]): string {
  return `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`;
}
