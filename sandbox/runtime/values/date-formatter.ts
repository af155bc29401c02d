/** One part of a pattern: a text as it is, or a run of one letter. */
export type PatternPart = { readonly text: string } | { readonly letter: string; readonly width: number };

/** A java.time.format.DateTimeFormatter: the parts of its pattern. */
export class DateFormatter {
  declare readonly name: string;
  declare readonly parts: readonly PatternPart[];

  constructor(name: string, parts: readonly PatternPart[]) {
    this.name = name;
    this.parts = parts;
  }

  get javaName(): string {
    return 'java.time.format.DateTimeFormatter';
  }

  get printed(): string {
    return `#object[java.time.format.DateTimeFormatter "${this.name}"]`;
  }
}

/** Letters that are known (functions.md §19), with the greatest number of them. */
const LETTERS: Readonly<Record<string, number>> = { y: 9, u: 9, M: 4, d: 2, H: 2, h: 2, m: 2, s: 2, S: 9, a: 1, E: 4 };
const LONGEST = 200;
/** Letters of a pattern: few, so that a text is read by it in bounded time. */
const MOST_LETTERS = 16;
const TOKEN = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z'#{}[\]]/gy;

/** The formatter of a pattern text; null where it has letters or signs that are not known. */
export function dateFormatter(pattern: string): DateFormatter | null {
  if (pattern.length > LONGEST) return null;
  const parts: PatternPart[] = [];
  let at = 0;
  for (const found of pattern.matchAll(TOKEN)) {
    const [token, quoted, letter] = found;
    at = found.index + token.length;
    if (letter === undefined)
      parts.push({ text: quoted === undefined ? token : quoted === '' ? "'" : quoted.replaceAll("''", "'") });
    else if (token.length <= (LETTERS[letter] ?? 0)) parts.push({ letter, width: token.length });
    else return null;
  }
  const letters = parts.filter((part) => 'letter' in part).length;
  return at === pattern.length && letters <= MOST_LETTERS ? new DateFormatter(pattern, parts) : null;
}
