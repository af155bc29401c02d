/** What a piece of a stream of lines came to. */
export interface LineReader {
  /** Whole lines without their ends, in order; null once one is longer than allowed: nothing is read any more. */
  take(chunk: Uint8Array): readonly Uint8Array[] | null;
}

const LINE_FEED = 0x0a;
/** Pieces that are held before they are put together: a line that comes byte by byte costs no more than its bytes. */
const PIECES_MAX = 1024;

/**
 * Splits a stream at its line feeds, however it was cut into pieces; holds no more than one line (providers.md §7.8).
 */
export function lineReader(maxBytes: number): LineReader {
  let buffered: Uint8Array[] = [];
  let length = 0;
  let isOver = false;
  return {
    take: (chunk) => {
      if (isOver) return null;
      const lines: Uint8Array[] = [];
      let start = 0;
      while (start < chunk.length) {
        const end = chunk.indexOf(LINE_FEED, start);
        const part = chunk.subarray(start, end === -1 ? chunk.length : end);
        length += part.length;
        if (length > maxBytes) {
          isOver = true;
          buffered = [];
          return null;
        }
        if (end === -1) {
          buffered.push(part);
          if (buffered.length >= PIECES_MAX) buffered = [Buffer.concat(buffered, length)];
          break;
        }
        lines.push(buffered.length === 0 ? part : Buffer.concat([...buffered, part], length));
        buffered = [];
        length = 0;
        start = end + 1;
      }
      return lines;
    },
  };
}
