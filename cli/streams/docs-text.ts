import type { DocsResult } from '../../contract/envelope/results.ts';
import type { IndexedPage } from '../documentation/pages.ts';
import type { DocsSearch } from '../documentation/search.ts';
import { PARTS } from '../documentation/tree.ts';
import { styled, wrapped, type Styling } from './styling.ts';

/** What stdout carries of an envelope of `svc docs` (cli.md §4); a page is what it is, byte by byte. */
export function docsText(result: DocsResult, { width }: Pick<Styling, 'width'>): string {
  if ('content' in result) return result.content;
  if ('pages' in result) return rowsOf(result.pages, { width });
  const { matches, omitted_matches: omittedMatches, omitted_pages: omittedPages } = result;
  return foundLines({ matches, omittedMatches, omittedPages });
}

/** The pages, part by part, and by what they are about. */
export function pageList(pages: readonly IndexedPage[], styling: Styling): string {
  return PARTS.map((part) => {
    const groups = Map.groupBy(
      pages.filter((page) => page.part === part),
      ({ group }) => group,
    );
    const shown = [...groups].map(
      ([group, below]) => `${group === '' ? '' : `\n  ${group}\n`}${rowsOf(below, styling, pages)}`,
    );
    return `${styled(part, 'bold', styling)}\n${shown.join('')}`;
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
