import { collectedBytes, type CollectedBytes } from '../../http/collected-bytes.ts';

const [LINE_FEED, RETURN] = [0x0a, 0x0d];
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Splits a stream of events, however it was cut into pieces, at each CR, LF or both. Holds one line. */
export class StreamLines {
  readonly #line: CollectedBytes;
  #isFirst = true;
  /** The last line ended in CR: an LF behind it is of the same end. */
  #isAfterReturn = false;

  constructor(maxBytes: number) {
    this.#line = collectedBytes(maxBytes);
  }

  /** The lines that a piece completes, each given as it is found; false from `onLine` ends it. */
  take(piece: Uint8Array, onLine: (line: Uint8Array) => boolean): void {
    let start = this.#isAfterReturn && piece[0] === LINE_FEED ? 1 : 0;
    if (piece.length > 0) this.#isAfterReturn = false;
    for (let at = start; at < piece.length; at += 1) {
      const byte = piece[at];
      if (byte !== LINE_FEED && byte !== RETURN) continue;
      const line = this.#complete(piece.subarray(start, at));
      if (byte === RETURN && piece[at + 1] === LINE_FEED) at += 1;
      else if (byte === RETURN) this.#isAfterReturn = at + 1 === piece.length;
      start = at + 1;
      if (!onLine(line)) return;
    }
    this.#line.add(piece.subarray(start));
  }

  /** The line that ends with these bytes, the first one without its byte order mark. */
  #complete(end: Uint8Array): Uint8Array {
    this.#line.add(end);
    const line = this.#line.bytes();
    this.#line.clear();
    const isMarked = this.#isFirst && BOM.equals(line.subarray(0, BOM.length));
    this.#isFirst = false;
    return isMarked ? line.subarray(BOM.length) : line;
  }
}
