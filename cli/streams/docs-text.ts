import type { DocsResult } from '../../contract/envelope/results.ts';
import { wrapped, type Styling } from './styling.ts';

/** What stdout carries of `svc docs` (cli.md §4); a page is what it is, byte by byte. */
export function docsText(result: DocsResult, { width }: Pick<Styling, 'width'>): string {
  if ('content' in result) return result.content;
  if ('pages' in result) {
    const column = Math.max(...result.pages.map(({ name }) => name.length)) + 2;
    return result.pages.map(({ name, title }) => `${name.padEnd(column)}${wrapped(title, width, column)}\n`).join('');
  }
  const { matches, omitted_matches: lines, omitted_pages: pages } = result;
  const more =
    lines === 0 && pages === 0
      ? ''
      : `${lines} more lines${pages === 0 ? '' : `, on ${pages} more pages among others`}\n`;
  return matches.map(({ page, line, text }) => `${page}:${line}: ${text}\n`).join('') + more;
}
