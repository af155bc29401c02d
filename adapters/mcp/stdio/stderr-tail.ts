import type { StderrText } from '../exchanged.ts';

/** The end of what a child wrote on its standard error. */
export interface StderrTail {
  add(chunk: Uint8Array): void;
  /** Bytes written so far: a place to ask from. */
  mark(): number;
  /** What was written since, as far as it is kept; null where it was nothing, or none of it is kept. */
  since(mark: number): StderrText | null;
}

/**
 * Keeps the last bytes, so many (providers.md §7.8, `stderr_bytes`), in memory of the order of that however small the
 * pieces are.
 */
export function stderrTail(maxBytes: number): StderrTail {
  // A ring: no piece is copied more than once.
  const ring = Buffer.alloc(maxBytes);
  let written = 0;
  return {
    add: (chunk) => {
      const end = written + chunk.length;
      if (maxBytes > 0) {
        const tail = chunk.subarray(-maxBytes);
        const at = (end - tail.length) % maxBytes;
        const first = tail.subarray(0, maxBytes - at);
        ring.set(first, at);
        ring.set(tail.subarray(first.length), 0);
      }
      written = end;
    },
    mark: () => written,
    since: (mark) => {
      const bytes = written - mark;
      const length = Math.min(bytes, maxBytes);
      if (length === 0) return null;
      const at = (written - length) % maxBytes;
      const tail = Buffer.concat([
        ring.subarray(at, at + length),
        ring.subarray(0, Math.max(0, at + length - maxBytes)),
      ]);
      return bounded(new TextDecoder().decode(tail), maxBytes, length < bytes);
    },
  };
}

/** Bytes that are no text are longer as text. */
function bounded(text: string, maxBytes: number, isTruncated: boolean): StderrText {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, isTruncated };
  let start = bytes.length - maxBytes;
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return { text: bytes.toString('utf8', start), isTruncated: true };
}
