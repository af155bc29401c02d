/** An escape of a surrogate, whether or not it has a partner: a text without any needs no change. */
const SURROGATE = /\\u[dD][89a-fA-F]/;
/** Escapes from left to right: a pair, one surrogate, or any other escape. */
const ESCAPES = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g;
/** Characters of an escape of one code unit; a pair has twice as many. */
const ONE = 6;

/**
 * A JSON text in which every escape of a lone surrogate is one of U+FFFD: models write half a character now and then,
 * and the rest of what they said is none the worse for it (providers.md §5.5).
 */
export function healedText(text: string): string {
  if (!SURROGATE.test(text)) return text;
  return text.replaceAll(ESCAPES, (escape) => (escape.length === ONE ? '\\ufffd' : escape));
}

/** As `healedText`, of bytes. */
export function withoutLoneSurrogates(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(bytes);
  const healed = healedText(text);
  return healed === text ? bytes : new TextEncoder().encode(healed);
}
