/** How an editor counts on a line: `utf-16` units, or bytes of UTF-8 where both sides agreed on that. */
export type CharacterUnit = 'utf-16' | 'utf-8';

/** A place as the protocol has it: both from 0. */
export interface LinePlace {
  readonly line: number;
  readonly character: number;
}

/** The lines of a text, which end with LF, CR LF or CR. */
export class TextLines {
  readonly text: string;
  readonly #unit: CharacterUnit;
  readonly #starts: readonly number[];

  constructor(text: string, unit: CharacterUnit) {
    this.text = text;
    this.#unit = unit;
    const starts = [0];
    for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
    this.#starts = starts;
  }

  /** The offset of a place; one beyond a line or the text is at its end. */
  offsetAt({ line, character }: LinePlace): number {
    const start = this.#starts[line];
    if (start === undefined) return line < 0 ? 0 : this.text.length;
    const text = this.#line(line);
    if (this.#unit === 'utf-16') return start + Math.max(0, Math.min(character, text.length));
    let bytes = 0;
    let units = 0;
    for (const letter of text) {
      if (bytes >= character) break;
      bytes += Buffer.byteLength(letter);
      units += letter.length;
    }
    return start + units;
  }

  placeAt(offset: number): LinePlace {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const before = this.text.slice(this.#starts[low] ?? 0, offset);
    return { line: low, character: this.#unit === 'utf-16' ? before.length : Buffer.byteLength(before) };
  }

  rangeOf({ start, end }: { readonly start: number; readonly end: number }): { start: LinePlace; end: LinePlace } {
    return { start: this.placeAt(start), end: this.placeAt(end) };
  }

  /** The range of so many code points from a line and column on, which count from 1. */
  rangeOfPoints(line: number, column: number, length: number): { start: LinePlace; end: LinePlace } {
    const letters = Array.from(this.#line(Math.max(0, line - 1)));
    const lineStart = this.#starts[line - 1] ?? this.text.length;
    const start = lineStart + letters.slice(0, column - 1).join('').length;
    const end = start + letters.slice(column - 1, column - 1 + length).join('').length;
    return this.rangeOf({ start, end });
  }

  /** Without its end. */
  #line(line: number): string {
    return this.text
      .slice(this.#starts[line] ?? 0, this.#starts[line + 1] ?? this.text.length)
      .replace(/(?<![\r\n])[\r\n]+$/, '');
  }
}
