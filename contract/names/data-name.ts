/**
 * The name part of a symbol (language.md §2): no white space, comma, quote, semicolon, at, caret, backquote, tilde,
 * backslash or bracket; not ending in a colon, without a double colon. Behind `data/` any such text may follow,
 * digits and slashes included.
 */
const SYMBOL_TAIL = /^[^\s\u001c-\u001f,";@^`~\\()[\]{}]+$/u;

/** Whether a program can write `data/<name>`. */
export function isDataName(name: string): boolean {
  return SYMBOL_TAIL.test(name) && !name.endsWith(':') && !name.includes('::');
}
