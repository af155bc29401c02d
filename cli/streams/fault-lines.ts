import {
  OWN_TEXT_LENGTH_MAX,
  type ExplainedFault,
  type ExplainedPlace,
  type FailureExplanation,
} from '../../contract/diagnostics/explanation.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { excerptLines } from './excerpt.ts';
import { quotedName } from './printable.ts';
import { PLAIN_STYLING, styled, type Styling } from './styling.ts';

/**
 * An explanation below the failure line: the first fault with all that is known of it, `  at FILE:LINE:COLUMN
 * (DEFINITION)` first, then a line for each other. Each place has the file as a person may open it
 * (first-day.md §3). In a pipe there is a line for each fact; at a terminal a place has its line of text too, with a
 * caret.
 */
export function faultLines(
  { faults, omitted }: FailureExplanation,
  styling: Styling = PLAIN_STYLING,
): readonly string[] {
  const [first, ...others] = faults;
  if (first === undefined) return [];
  const rest = omitted === 0 ? [] : [`also ${String(omitted)} more`];
  return [...firstLines(first, styling), ...others.flatMap((other) => otherLines(other, styling)), ...rest];
}

function firstLines(
  { place, callers, problem, data, remedy, candidates }: ExplainedFault,
  styling: Styling,
): readonly string[] {
  return [
    ...(place === null ? [] : placeLines('  at ', place, styling)),
    ...callers.map((caller) => `  called at ${placeText(caller)}`),
    ...(problem === null ? [] : [`  ${label('problem:', styling)} ${ownText(problem)}`]),
    ...(data === null ? [] : [`  ${label('data:', styling)} ${ownText(data)}`]),
    ...candidates.flatMap((candidate) => placeLines('  perhaps ', candidate, styling)),
    ...(remedy === null ? [] : [`  ${label('remedy:', styling)} ${visibleText(remedy)}`]),
  ];
}

function otherLines({ place, problem, remedy }: ExplainedFault, styling: Styling): readonly string[] {
  const words = [ownText(problem ?? 'a fault'), ...(remedy === null ? [] : [visibleText(remedy)])].join('; ');
  const also = label('also', styling);
  if (place === null) return [`${also}: ${words}`];
  return [`${also} ${placeText(place)}: ${words}`, ...linesOfText(place, styling)];
}

function placeLines(lead: string, place: ExplainedPlace, styling: Styling): readonly string[] {
  return [`${lead}${placeText(place)}`, ...linesOfText(place, styling)];
}

/** What an author wrote goes to a terminal, and not where a log may keep it. */
function linesOfText(place: ExplainedPlace, styling: Styling): readonly string[] {
  return styling.width === null ? [] : excerptLines(place, styling);
}

function label(word: string, styling: Styling): string {
  return styled(word, 'bold', styling);
}

/** `main.clj:21:13 (main/summarise)`. */
function placeText({ file, opens, line, column, within }: ExplainedPlace): string {
  const where = `${quotedName(opens ?? file)}:${String(line)}:${String(column)}`;
  return within === null ? where : `${where} (${visibleText(within)})`;
}

/** Text of a program, on one line and cut. */
function ownText(text: string): string {
  const characters = Array.from(visibleText(text));
  return characters.length <= OWN_TEXT_LENGTH_MAX
    ? characters.join('')
    : `${characters.slice(0, OWN_TEXT_LENGTH_MAX - 1).join('')}…`;
}
