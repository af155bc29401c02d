import { PROSE_PAGES, type ProsePage } from '../../contract/envelope/docs-pages.ts';

/** A line that was found, counting from 1. */
export interface DocsMatch {
  readonly page: ProsePage;
  readonly line: number;
  readonly text: string;
}

/** What a search shows, and how much more there is (cli.md §7). */
export interface DocsSearch {
  readonly matches: readonly DocsMatch[];
  readonly omittedMatches: number;
  readonly omittedPages: number;
}

const [PAGES_SHOWN, LINES_SHOWN, TEXT_LENGTH] = [10, 3, 160];
const HEADING = /^#{1,6} /;

interface Found {
  readonly page: ProsePage;
  readonly lines: readonly DocsMatch[];
  /** 2: in its title, 1: in another heading, 0: elsewhere. */
  readonly prominence: 0 | 1 | 2;
}

/**
 * Looks for a term, literally and whatever its case: pages that have it in their title first, then those that have it
 * in another heading, then by how many lines, then as they are listed.
 */
export function searchPages(term: string, contentOf: (page: ProsePage) => string | null): DocsSearch {
  const sought = folded(term);
  const found = PROSE_PAGES.map((page) => linesWith(sought, page, contentOf(page) ?? ''))
    .filter(({ lines }) => lines.length > 0)
    .toSorted((left, right) => right.prominence - left.prominence || right.lines.length - left.lines.length);
  const matches = found.slice(0, PAGES_SHOWN).flatMap(({ lines }) => lines.slice(0, LINES_SHOWN));
  return {
    matches,
    omittedMatches: found.reduce((sum, { lines }) => sum + lines.length, 0) - matches.length,
    omittedPages: Math.max(0, found.length - PAGES_SHOWN),
  };
}

function linesWith(sought: string, page: ProsePage, content: string): Found {
  const lines = content
    .split('\n')
    .map((text, index) => ({ page, line: index + 1, text }))
    .filter(({ text }) => folded(text).includes(sought));
  return {
    page,
    lines: lines.map((match) => ({ ...match, text: shown(match.text) })),
    prominence: lines.some(({ line }) => line === 1) ? 2 : lines.some(({ text }) => HEADING.test(text)) ? 1 : 0,
  };
}

/** Letters that differ only in case are the same, in any script. */
function folded(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase();
}

/** No part of a character. */
function shown(text: string): string {
  const cut = text.trim().slice(0, TEXT_LENGTH);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Shorter terms that may find more, of one that found nothing. */
export function lastSegment(term: string): string | null {
  const last = term.split(/[./]/).at(-1) ?? '';
  return last === '' || last === term ? null : last;
}
