/** How tables of the program become tables of a page. */
/** Within a cell a bar would end it, and so would a line. */
function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll(/\s+/g, ' ');
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows]
    .map((row, at) => (at === 1 ? `|${row.join('|')}|` : `| ${row.map(cell).join(' | ')} |`))
    .join('\n');
}

export const code = (text: string): string => `\`${text}\``;

/** Paragraphs and blocks, one blank line between them. */
export function page(...parts: readonly string[]): string {
  return `${parts.map((part) => part.trimEnd()).join('\n\n')}\n`;
}
