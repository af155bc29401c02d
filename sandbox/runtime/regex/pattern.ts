import { Regex } from './regex.ts';
import { Matcher } from './matcher.ts';
import { parsePattern } from './parser.ts';
import { assemble } from './program.ts';
import { PatternFault } from './syntax.ts';

export type RegexResult =
  | { readonly ok: true; readonly value: Regex }
  | { readonly ok: false; readonly message: string };

/** Units of a pattern that a message shows. */
const SHOWN = 200;

/** The regular expression of a pattern in java.util.regex's language (functions.md §15), or what is wrong with it. */
export function regex(source: string): RegexResult {
  const parsed = parsePattern(source);
  if (parsed instanceof PatternFault) {
    const shown = source.length > SHOWN ? `${source.slice(0, SHOWN)}…` : source;
    return { ok: false, message: `${parsed.message} near index ${parsed.index}\n${shown}` };
  }
  return { ok: true, value: new Regex(source, assemble(parsed)) };
}

/** A matcher of a regular expression over a text; `previousEnd`: where the match before ended. */
export function matcherFor(pattern: Regex, text: string, previousEnd = 0): Matcher {
  return new Matcher(pattern.program, text, previousEnd);
}
