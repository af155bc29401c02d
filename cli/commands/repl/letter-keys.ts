/** What an editor of lines holds, and where its cursor is, in UTF-16 units. */
export interface EditedLine {
  readonly line: string;
  readonly cursor: number;
}

/** Keys that go over one letter, or remove it: Left, Right, Backspace and Delete. */
const LETTER_KEY = /\u001b[[O][CD]|\u001b\[3~|[\u007f\b]/gu;
const LEFTWARD = /^(?:\u001b[[O]D|[\u007f\b])$/u;
/** A letter that takes more units is gone over part by part. */
const LETTER_UNITS = 64;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Keys for an editor that knows code points alone: a key that means one letter is given once for each code point of
 * what a person sees as one, as in an emoji of several. `edited` is asked after the keys before were given.
 */
export function* byLetters(keys: string, edited: () => EditedLine): Iterable<string> {
  let from = 0;
  for (const { 0: key, index } of keys.matchAll(LETTER_KEY)) {
    if (index > from) yield keys.slice(from, index);
    from = index + key.length;
    yield key.repeat(Math.max(1, Array.from(letterAt(edited(), LEFTWARD.test(key))).length));
  }
  if (from < keys.length) yield keys.slice(from);
}

function letterAt({ line, cursor }: EditedLine, isBefore: boolean): string {
  const near = isBefore
    ? line.slice(Math.max(0, cursor - LETTER_UNITS), cursor)
    : line.slice(cursor, cursor + LETTER_UNITS);
  return [...segmenter.segment(near)].at(isBefore ? -1 : 0)?.segment ?? '';
}
