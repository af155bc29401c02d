import type { ByteSpan } from '../../../contract/sandbox-protocol.ts';

/**
 * Places in a source text. The reader counts UTF-16 units, because JavaScript strings do; everything that leaves
 * the compiler is in bytes of UTF-8 (language.md, head), so units are translated here and only here.
 */
export interface Positions {
  /** Byte offset of a UTF-16 offset. */
  byteAt(offset: number): number;
  /** One-based line and column (in UTF-16 units) of a UTF-16 offset. */
  lineAndColumn(offset: number): { readonly line: number; readonly column: number };
}

export function positionsOf(source: string): Positions {
  const lineStarts = lineStartsOf(source);
  const byteAt = isAscii(source) ? (offset: number): number => offset : byteTable(source);
  return {
    byteAt,
    lineAndColumn(offset) {
      const line = lineIndex(lineStarts, offset);
      return { line: line + 1, column: offset - (lineStarts[line] ?? 0) + 1 };
    },
  };
}

/** The byte span of the units `start` to `end`. */
export function byteSpan(positions: Positions, start: number, end: number): ByteSpan {
  return { start_byte: positions.byteAt(start), end_byte: positions.byteAt(end) };
}

/** Offset of the first surrogate without its partner, or -1: such a text is not valid UTF-8. */
export function loneSurrogateOffset(source: string): number {
  if (source.isWellFormed()) return -1;
  for (let index = 0; index < source.length; index += 1) {
    const unit = source.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = source.charCodeAt(index + 1);
    if (unit <= 0xdbff && next >= 0xdc00 && next <= 0xdfff) index += 1;
    else return index;
  }
  return -1;
}

function isAscii(source: string): boolean {
  for (let index = 0; index < source.length; index += 1) if (source.charCodeAt(index) > 0x7f) return false;
  return true;
}

function byteTable(source: string): (offset: number) => number {
  const table = new Uint32Array(source.length + 1);
  let bytes = 0;
  for (let index = 0; index < source.length; index += 1) {
    table[index] = bytes;
    const unit = source.charCodeAt(index);
    // A surrogate pair is four bytes, counted two and two.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  table[source.length] = bytes;
  return (offset) => table[offset] ?? bytes;
}

function lineStartsOf(source: string): number[] {
  const starts = [0];
  for (let index = source.indexOf('\n'); index >= 0; index = source.indexOf('\n', index + 1)) starts.push(index + 1);
  return starts;
}

function lineIndex(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
