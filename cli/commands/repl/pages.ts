import type { LineSource } from './lines.ts';

/** What a terminal shows at once; null: it is none, and everything is shown. */
export interface Screen {
  readonly rows: number;
  readonly columns: number;
}

const PROMPT = '-- Enter: more, q: enough -- ';

/** Shows a long text page by page, each when the one before was read. */
export async function showPages(
  text: string,
  screen: Screen | null,
  { print, lines }: { readonly print: (text: string) => Promise<void>; readonly lines: Pick<LineSource, 'next'> },
): Promise<void> {
  if (screen === null) {
    await print(`${text}\n`);
    return;
  }
  const rows = rowsOf(text, screen.columns);
  const most = Math.max(1, screen.rows - 1);
  for (let at = 0; at < rows.length; at += most) {
    await print(
      rows
        .slice(at, at + most)
        .map((row) => `${row}\n`)
        .join(''),
    );
    if (at + most >= rows.length) return;
    const event = await lines.next(PROMPT);
    if (event.kind !== 'line' || event.text.trim().toLowerCase().startsWith('q')) return;
  }
}

/** Lines, those that are too wide cut into several. */
function rowsOf(text: string, columns: number): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const units = Array.from(line);
    const pieces = Math.max(1, Math.ceil(units.length / columns));
    return Array.from({ length: pieces }, (_, nth) => units.slice(nth * columns, (nth + 1) * columns).join(''));
  });
}
