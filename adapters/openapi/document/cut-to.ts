import { utf8Length } from '../../../contract/json/utf8.ts';

/** Whole characters of at most so many bytes. */
export function cutTo(text: string, bytes: number): string {
  if (utf8Length(text) <= bytes) return text;
  let [left, cut] = [bytes, ''];
  for (const character of text) {
    left -= utf8Length(character);
    if (left < 0) break;
    cut += character;
  }
  return cut;
}
