import MiniSearch from 'minisearch';
import {
  anchorAbove,
  fold,
  LINES_SHOWN,
  openSearch,
  preparePage,
  shown,
  shownOf,
  wordsOf,
  type DocsSearch,
  type PageHit,
  type PreparedPage,
  type SearchedPage,
} from './search.ts';
import type { Part } from './tree.ts';

/** A page, and how much more or less than others it is worth to a person who asks a question; 1: as much. */
export interface WeightedPage<Name extends string> extends SearchedPage<Name> {
  readonly weight: number;
}

/** What a page is worth to a person who asks a question; people who work on svc look for theirs by name. */
export function weightOf(part: Part, group: string): number {
  if (part === 'why') return group === '' ? 1 : 0.3;
  return { start: 1.5, guides: 1.5, reference: 1 }[part];
}

/** How much more a word of a heading says than one of the text below it. */
const BOOST = { title: 5, heading: 4, text: 1 };

/** Words that questions are made of, whatever they are about. */
const SMALL_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be before but by can could do does each for from get gets go goes has have how ' +
    'i if in into is it its let made make many me my of on one or our own run should so some svc that the their them ' +
    'there they this to use used want was what when where which who why will with without would you your'
  ).split(' '),
);

/**
 * Makes pages ready for people: a term with words that only questions have ("How do I limit what a run costs?") is
 * answered section by section. Small words and endings do not count there, nor must a page have every word. Any other
 * term is looked for as it is.
 */
export function openQuestionSearch<Name extends string>(
  pages: readonly WeightedPage<Name>[],
): (term: string) => DocsSearch<Name> {
  const search = openSearch(pages);
  const prepared = pages.map(preparePage);
  const sections = pages.flatMap((page, order) => sectionsOf(page, order));
  const ranks = new MiniSearch({
    fields: ['title', 'heading', 'text'],
    tokenize: wordsOf,
    processTerm: (word) => stemOf(fold(word)),
  });
  ranks.addAll(sections.map(({ title, heading, text }, id) => ({ id, title, heading, text })));
  return (term) => {
    const words = questionWords(term);
    if (words === null) return search(term);
    const best = new Map<number, number>();
    for (const { id, score, queryTerms } of ranks.search(words.join(' '), { boost: BOOST, combineWith: 'OR' })) {
      const section = sections[Number(id)];
      if (section === undefined) continue;
      const share = new Set(queryTerms).size / words.length;
      const value = score * share * (pages[section.order]?.weight ?? 1);
      best.set(section.order, Math.max(best.get(section.order) ?? 0, value));
    }
    return shownOf([...best].flatMap(([order, score]) => linesWith(prepared[order], words, score)));
  };
}

interface Section {
  readonly order: number;
  readonly title: string;
  readonly heading: string;
  readonly text: string;
}

/** What is below each heading of a page. */
function sectionsOf({ content }: SearchedPage, order: number): readonly Section[] {
  const title = content.split('\n', 1)[0] ?? '';
  return content.split(/^(?=#{2,3} )/m).map((text) => ({ order, title, heading: text.split('\n', 1)[0] ?? '', text }));
}

/** The words that a question is about; null: it is none. */
function questionWords(term: string): readonly string[] | null {
  const words = wordsOf(fold(term)).filter((word) => !/[-./:]/.test(word));
  const about = words.filter((word) => !SMALL_WORDS.has(word));
  const isQuestion = words.length > about.length && words.length > 2 && about.length > 0;
  return isQuestion ? [...new Set(about)] : null;
}

/** A word without its commonest endings, so that "limits" finds "limit" and "approving" "approve". */
function stemOf(word: string): string {
  return word.length < 5 ? word.replace(/s$/, '') : word.replace(/(?:ations?|als?|ing|ies|ied|es|ed|e|s|y)$/, '');
}

/** The first lines of a page that have most of some words. */
function linesWith<Name extends string>(
  page: PreparedPage<Name> | undefined,
  words: readonly string[],
  score: number,
): readonly PageHit<Name>[] {
  if (page === undefined) return [];
  const stems = words.map(stemOf);
  const matched = page.folded.map((line) => stems.filter((stem) => line.includes(stem)).length);
  const most = Math.max(...matched);
  const indexes = matched.flatMap((count, index) => (count === most ? [index] : []));
  const lines = indexes.slice(0, LINES_SHOWN).map((index) => ({
    page: page.name,
    line: index + 1,
    text: shown(page.lines[index] ?? ''),
    anchor: anchorAbove(page, index + 1),
  }));
  return [{ order: page.order, score, lines, count: indexes.length }];
}
