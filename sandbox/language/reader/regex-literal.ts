import { Regex } from '../../runtime/values/regex.ts';

export type RegexReading = { readonly ok: true; readonly value: Regex } | { readonly ok: false; readonly message: string };

/** The value of a regex literal; a pattern that does not compile is refused before anything runs. */
export function regexLiteral(pattern: string): RegexReading {
  return { ok: true, value: new Regex(pattern, null) };
}
