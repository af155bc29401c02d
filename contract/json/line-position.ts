/**
 * The place of a byte as a reader sees it; `lineStart` and `lineEnd` enclose the bytes of its line, without the line
 * end.
 */
export interface LinePosition {
  /** From 1; lines end with LF, or CR LF. */
  readonly line: number;
  /** From 1, in code points. */
  readonly column: number;
  readonly lineStart: number;
  readonly lineEnd: number;
}

const LF = 0x0a;
const CR = 0x0d;

/** The line position of a byte offset; an offset beyond the document is taken as its end. */
export function linePosition(bytes: Uint8Array, offset: number): LinePosition {
  const target = Math.min(Math.max(offset, 0), bytes.length);
  const lineStart = target === 0 ? 0 : bytes.lastIndexOf(LF, target - 1) + 1;
  const feed = bytes.indexOf(LF, target);
  const end = feed === -1 ? bytes.length : feed;
  let line = 1;
  for (let index = bytes.indexOf(LF); index !== -1 && index < lineStart; index = bytes.indexOf(LF, index + 1)) {
    line += 1;
  }
  let column = 1;
  for (let index = lineStart; index < target; index += 1) {
    column += startsCodePoint(bytes[index] ?? 0) ? 1 : 0;
  }
  return { line, column, lineStart, lineEnd: feed > lineStart && bytes[feed - 1] === CR ? end - 1 : end };
}

/** Whether a byte is none of the continuation bytes of UTF-8. */
function startsCodePoint(byte: number): boolean {
  return (byte & 0xc0) !== 0x80;
}
