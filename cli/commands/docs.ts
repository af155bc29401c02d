import { PROSE_PAGES, type ProsePage } from '../../contract/envelope/docs-pages.ts';
import { commandSuccess } from '../../contract/envelope/build.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { optionValue } from '../declaration/argument-values.ts';
import {
  CATALOGUE,
  findPage,
  isFurtherPage,
  PAGE_NAMES,
  type FurtherPage,
  type PageName,
} from '../documentation/catalogue.ts';
import { indexedPages, listedPages, pageContent } from '../documentation/pages.ts';
import { openQuestionSearch, weightOf } from '../documentation/question-search.ts';
import { lastSegment, searchPages, type DocsSearch, type SearchedPage } from '../documentation/search.ts';
import { reportEnvelope, type CommandEnd } from '../ending/command-end.ts';
import { failureEnvelope } from '../ending/failure-envelope.ts';
import { argumentDiagnostic } from '../parser/diagnose.ts';
import { foundLines, pageList } from '../streams/docs-text.ts';
import type { Command } from './command.ts';
import { serveDocumentation } from './docs/serve-documentation.ts';

/**
 * The documentation of this build: its pages, one of them, what a search finds, or all of it for a browser (cli.md §7).
 * Pages that interface.md does not have are shown to people only.
 */
export const docsCommand: Command = async (commandArguments, context) => {
  const { runRef, programDirectory, json } = context;
  if (commandArguments.options.has('--serve')) return serveDocumentation(commandArguments, context);
  const term = optionValue(commandArguments, '--search');
  if (term !== undefined) return json ? envelopeOfSearch(term, context) : textOfSearch(term, context);
  const [name] = commandArguments.positionals;
  const page = PAGE_NAMES.find((each) => each === name);
  if (page === undefined)
    return reportEnvelope(commandSuccess('docs', runRef, { pages: listedPages(programDirectory) }), {
      terminalText: (look) => pageList(indexedPages(programDirectory), look),
      format: 'text',
    });
  const content = pageContent(programDirectory, page);
  if (!isFurtherPage(page)) return reportEnvelope(commandSuccess('docs', runRef, { page, content }));
  return json ? refuseFurtherPage(page, runRef) : { kind: 'text', text: content, isPage: true };
};

interface DocsContext {
  readonly runRef: RunReference;
  readonly programDirectory: string;
}

/** Of several names of one page the one that it is found by. */
const DIFFERENT_PROSE_PAGES: readonly ProsePage[] = [...Map.groupBy(PROSE_PAGES, findPage)].flatMap(([page, names]) => {
  const first = names.find((name) => name === page) ?? names[0];
  return first === undefined ? [] : [first];
});

/** The envelope knows the prose pages of interface.md alone. */
function envelopeOfSearch(term: string, { runRef, programDirectory }: DocsContext): CommandEnd {
  const found = searchPages(term, searched(DIFFERENT_PROSE_PAGES, programDirectory));
  const matches = found.matches.map(({ page, line, text }) => ({ page, line, text }));
  const result = { term, matches, omitted_matches: found.omittedMatches, omitted_pages: found.omittedPages };
  return reportEnvelope(commandSuccess('docs', runRef, result), { notes: notesOf(term, found) });
}

function textOfSearch(term: string, { runRef, programDirectory }: DocsContext): CommandEnd {
  const prose = CATALOGUE.flatMap(({ name, file, part, group }) =>
    file === null ? [] : [{ name, content: pageContent(programDirectory, name), weight: weightOf(part, group) }],
  );
  const found = openQuestionSearch(prose)(term);
  const nothing = { term, matches: [], omitted_matches: 0, omitted_pages: 0 };
  return reportEnvelope(commandSuccess('docs', runRef, nothing), {
    terminalText: () => foundLines(found),
    format: 'text',
    notes: notesOf(term, found),
  });
}

function searched<Name extends PageName>(
  names: readonly Name[],
  programDirectory: string,
): readonly SearchedPage<Name>[] {
  return names.map((name) => ({ name, content: pageContent(programDirectory, name) }));
}

function refuseFurtherPage(page: FurtherPage, runRef: RunReference): CommandEnd {
  return {
    kind: 'rejected',
    envelope: failureEnvelope('docs', runRef, argumentDiagnostic({ kind: 'closed-name', code: 'docs_page_unknown' })),
    hint: `no envelope can hold this page; write svc docs ${page} without --json`,
  };
}

/** What people try next. */
function notesOf(term: string, { matches }: DocsSearch): readonly string[] {
  if (matches.length > 0) return [];
  return [
    lastSegment(term) === null
      ? 'nothing found; svc docs lists the pages'
      : 'nothing found; try the part behind the last dot or slash',
  ];
}
