import MiniSearch from 'minisearch';
import { pageHeadings } from './headings.ts';

/** A page that is searched. */
export interface SearchedPage<Name extends string = string> {
  readonly name: Name;
  readonly content: string;
}

/** A line that was found, counting from 1. */
export interface DocsMatch<Name extends string = string> {
  readonly page: Name;
  readonly line: number;
  readonly text: string;
  /** Of the heading above it; null: there is none. */
  readonly anchor: string | null;
}

/** What a search shows, and how much more there is (cli.md §7). */
export interface DocsSearch<Name extends string = string> {
  readonly matches: readonly DocsMatch<Name>[];
  readonly omittedMatches: number;
  readonly omittedPages: number;
}

const PAGES_SHOWN = 10;
/** Of each page. */
export const LINES_SHOWN = 3;
const TEXT_LENGTH = 160;
/** How much more a word of the title, and of another heading, says than one of the text. */
const BOOST = { title: 12, headings: 4, text: 1 };
/** What a page is worth that has the term literally, and not only its words: in its title, in a heading, in a line. */
const LITERALLY = { title: 8, heading: 3, line: 1.5 };

/** A page that is ready to be searched. */
export interface PreparedPage<Name extends string> {
  readonly name: Name;
  readonly order: number;
  readonly lines: readonly string[];
  /** The same in one case. */
  readonly folded: readonly string[];
  /** Anchors of headings by their line. */
  readonly anchors: ReadonlyMap<number, string>;
}

/** Makes pages ready to be searched for words, any number of times. */
export function openSearch<Name extends string>(
  pages: readonly SearchedPage<Name>[],
): (term: string) => DocsSearch<Name> {
  const prepared = pages.map(preparePage);
  const ranks = new MiniSearch({
    idField: 'order',
    fields: ['title', 'headings', 'text'],
    tokenize: wordsOf,
    processTerm: (word) => word,
  });
  ranks.addAll(
    prepared.map(({ order, folded, anchors }) => ({
      order,
      title: folded[0] ?? '',
      headings: [...anchors.keys()].map((line) => folded[line - 1] ?? '').join('\n'),
      text: folded.join('\n'),
    })),
  );
  return (term) => {
    const scores = new Map(
      ranks
        .search(fold(term), { boost: BOOST, prefix: true, combineWith: 'OR' })
        .map((hit): [unknown, number] => [hit.id, hit.score]),
    );
    return shownOf(prepared.flatMap((page) => findInPage(page, term, scores.get(page.order) ?? 0)));
  };
}

/** Looks for a term once. */
export function searchPages<Name extends string>(term: string, pages: readonly SearchedPage<Name>[]): DocsSearch<Name> {
  return openSearch(pages)(term);
}

/** A page that was found. */
export interface PageHit<Name extends string> {
  readonly order: number;
  readonly score: number;
  /** The lines that say most, the best first, and how many there are. */
  readonly lines: readonly DocsMatch<Name>[];
  readonly count: number;
}

/** What is shown of the pages that were found. */
export function shownOf<Name extends string>(hits: readonly PageHit<Name>[]): DocsSearch<Name> {
  const found = hits.toSorted((left, right) => right.score - left.score || left.order - right.order);
  const matches = found.slice(0, PAGES_SHOWN).flatMap(({ lines }) => lines);
  return {
    matches,
    omittedMatches: found.reduce((sum, { count }) => sum + count, 0) - matches.length,
    omittedPages: Math.max(0, found.length - PAGES_SHOWN),
  };
}

/** Makes one ready. */
export function preparePage<Name extends string>(
  { name, content }: SearchedPage<Name>,
  order: number,
): PreparedPage<Name> {
  const lines = content.split('\n');
  const anchors = new Map(pageHeadings(content).map(({ line, anchor }) => [line, anchor]));
  return { name, order, lines, folded: lines.map(fold), anchors };
}

/** A page has to hold every word, in any order; then come the lines that hold most of them. */
function findInPage<Name extends string>(
  page: PreparedPage<Name>,
  term: string,
  rank: number,
): readonly PageHit<Name>[] {
  const literal = fold(term);
  const words = [...new Set(literal.split(/\s+/).filter((word) => word !== ''))];
  const matched = page.folded.map((line) => words.filter((word) => line.includes(word)).length);
  const most = Math.max(0, ...matched);
  const hasAll = words.every((word) => page.folded.some((line) => line.includes(word)));
  const isLiteral = (index: number): boolean => page.folded[index]?.includes(literal) === true;
  const indexes = matched.flatMap((count, index) =>
    words.length === 0 ? (isLiteral(index) ? [index] : []) : count === most ? [index] : [],
  );
  if (!hasAll || indexes.length === 0) return [];
  // Of long lines the beginning is shown, which a reader wants the term in.
  const isVisible = (index: number): boolean => fold(shown(page.lines[index] ?? '')).includes(literal);
  const weight = (index: number): number =>
    (isLiteral(index) ? 2 : 0) + (isVisible(index) ? 2 : 0) + (page.anchors.has(index + 1) ? 1 : 0);
  const best = indexes
    .toSorted((left, right) => weight(right) - weight(left) || left - right)
    .slice(0, LINES_SHOWN)
    .toSorted((left, right) => left - right);
  const literals = indexes.filter(isLiteral);
  const factor = literals.includes(0)
    ? LITERALLY.title
    : literals.some((index) => page.anchors.has(index + 1))
      ? LITERALLY.heading
      : literals.length > 0
        ? LITERALLY.line
        : 1;
  return [
    {
      order: page.order,
      // A part of a word is found too, and counts less than any whole one. The more often a page has the term itself,
      // the more it is about it, however long it is.
      score: Math.max(rank, Number.EPSILON) * factor * (1 + Math.log1p(literals.length)),
      lines: best.map((index) => ({
        page: page.name,
        line: index + 1,
        text: shown(page.lines[index] ?? ''),
        anchor: anchorAbove(page, index + 1),
      })),
      count: indexes.length,
    },
  ];
}

/** The heading that a line is below. */
export function anchorAbove<Name extends string>({ anchors }: PreparedPage<Name>, line: number): string | null {
  return [...anchors].findLast(([at]) => at <= line)?.[1] ?? null;
}

/** Words, and the parts of those that are written with dots, dashes or slashes. */
export function wordsOf(text: string): string[] {
  return [...text.matchAll(/[\p{L}\p{N}_]+(?:[-./:][\p{L}\p{N}_]+)*/gu)].flatMap(([word]) => {
    const parts = word.split(/[-./:]/);
    return parts.length === 1 ? [word] : [word, ...parts];
  });
}

/** Letters that differ only in case are the same, in any script. */
export function fold(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase();
}

/** No part of a character. */
export function shown(text: string): string {
  const cut = text.trim().slice(0, TEXT_LENGTH);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Shorter terms that may find more, of one that found nothing. */
export function lastSegment(term: string): string | null {
  const last = term.split(/[./]/).at(-1) ?? '';
  return last === '' || last === term ? null : last;
}
