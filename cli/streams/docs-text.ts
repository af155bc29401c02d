import type { DocsResult } from '../../contract/envelope/results.ts';
import { HEADINGS } from '../documentation/catalogue.ts';
import type { IndexedPage } from '../documentation/pages.ts';
import type { DocsSearch } from '../documentation/search.ts';
import { styled, wrapped, type Styling } from './styling.ts';

/** What stdout carries of an envelope of `svc docs` (cli.md §4); a page is what it is, byte by byte. */
export function docsText(result: DocsResult, { width }: Pick<Styling, 'width'>): string {
  if ('content' in result) return result.content;
  if ('pages' in result) return rowsOf(result.pages, { width });
  const { matches, omitted_matches: omittedMatches, omitted_pages: omittedPages } = result;
  return foundLines({ matches, omittedMatches, omittedPages });
}

/** The pages under their headings. */
export function pageList(pages: readonly IndexedPage[], styling: Styling): string {
  return HEADINGS.map((heading) => {
    const below = pages.filter((page) => page.heading === heading);
    return `${styled(heading, 'bold', styling)}\n${rowsOf(below, styling, pages)}`;
  }).join('\n');
}

type Titled = Pick<IndexedPage, 'title'> & { readonly name: string };

function rowsOf(
  pages: readonly Titled[],
  { width }: Pick<Styling, 'width'>,
  aligned: readonly Titled[] = pages,
): string {
  const column = Math.max(...aligned.map(({ name }) => name.length)) + 4;
  return pages.map(({ name, title }) => `${`  ${name}`.padEnd(column)}${wrapped(title, width, column)}\n`).join('');
}

/** Lines that a search found, each with its page. */
export function foundLines({
  matches,
  omittedMatches: lines,
  omittedPages: pages,
}: {
  readonly matches: readonly Pick<DocsSearch['matches'][number], 'page' | 'line' | 'text'>[];
  readonly omittedMatches: number;
  readonly omittedPages: number;
}): string {
  const more =
    lines === 0 && pages === 0
      ? ''
      : `${lines} more lines${pages === 0 ? '' : `, on ${pages} more pages among others`}\n`;
  return matches.map(({ page, line, text }) => `${page}:${line}: ${text}\n`).join('') + more;
}
