import { commandSuccess } from '../../contract/envelope/build.ts';
import { DOCS_PAGES } from '../../contract/envelope/docs-pages.ts';
import type { DocsResult } from '../../contract/envelope/results.ts';
import { optionValue } from '../declaration/given.ts';
import { listedPages, pageContent } from '../documentation/pages.ts';
import { lastSegment, searchPages } from '../documentation/search.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import type { Command } from './command.ts';

/** The documentation of this build: its pages, one of them, or what a search finds (cli.md §7). */
export const docsCommand: Command = async (given, { runRef, programDirectory }) => {
  const term = optionValue(given, '--search');
  const [name] = given.positionals;
  const page = DOCS_PAGES.find((each) => each === name);
  if (term !== undefined) {
    const result = found(term, programDirectory);
    return reportEnvelope(commandSuccess('docs', runRef, result), { notes: notesOf(result) });
  }
  const result: DocsResult =
    page === undefined
      ? { pages: listedPages(programDirectory) }
      : { page, content: pageContent(programDirectory, page) };
  return reportEnvelope(commandSuccess('docs', runRef, result));
};

type Found = Extract<DocsResult, { readonly term: string }>;

function found(term: string, programDirectory: string): Found {
  const listed = new Set(listedPages(programDirectory).map(({ name }) => name));
  const { matches, omittedMatches, omittedPages } = searchPages(term, (prose) =>
    listed.has(prose) ? pageContent(programDirectory, prose) : null,
  );
  return { term, matches, omitted_matches: omittedMatches, omitted_pages: omittedPages };
}

/** What people try next. */
function notesOf({ term, matches }: Found): readonly string[] {
  if (matches.length > 0) return [];
  return [
    lastSegment(term) === null
      ? 'nothing found; svc docs lists the pages'
      : 'nothing found; try the part behind the last dot or slash',
  ];
}
