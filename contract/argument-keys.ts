/**
 * How a program's keyword is distinguished from its text among the keys of a tool call's arguments, until the schema of
 * the tool says what the keyword is called there (runtime.md §5). What is no keyword goes out as it is written.
 */
const MARK = '\u007f';
const KEYWORD = `${MARK}:`;

/** What a program wrote as a key. */
export interface ArgumentKey {
  readonly isKeyword: boolean;
  readonly text: string;
}

/** The key of a keyword whose name depends on the schema. */
export function keywordKey(text: string): string {
  return `${KEYWORD}${text}`;
}

/** The key of a text; the mark itself is written twice. */
export function textKey(text: string): string {
  return text.startsWith(MARK) ? `${MARK}${text}` : text;
}

/** What a program wrote, of a key as it crossed. */
export function argumentKey(key: string): ArgumentKey {
  if (key.startsWith(KEYWORD)) return { isKeyword: true, text: key.slice(KEYWORD.length) };
  return { isKeyword: false, text: key.startsWith(MARK) ? key.slice(MARK.length) : key };
}
