/** A text that was cut where its JSON would have been longer. */
export interface CutText {
  readonly text: string;
  readonly isCut: boolean;
}

/** The longest beginning whose JSON has at most so many bytes, quotes aside; no character is cut in two. */
export function cutText(text: string, most: number): CutText {
  const whole = text.toWellFormed();
  let [bytes, units] = [0, 0];
  for (const character of whole) {
    bytes += jsonBytes(character);
    if (bytes > most) return { text: whole.slice(0, units), isCut: true };
    units += character.length;
  }
  return { text: whole, isCut: false };
}

function jsonBytes(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  // A control character may be written as an escape of six.
  if (code < 0x20) return 6;
  if (character === '"' || character === '\\') return 2;
  return Buffer.byteLength(character);
}
