import type { StderrText } from '../exchanged.ts';

/** The end of what a child wrote on its standard error. */
export interface StderrTail {
  add(chunk: Uint8Array): void;
  /** Bytes written so far: a place to ask from. */
  mark(): number;
  /** What was written since, as far as it is kept; null where it was nothing, or nothing of it is kept. */
  since(mark: number): StderrText | null;
}

/** Keeps the last bytes, so many (providers.md §7.8, `stderr_bytes`). */
export function stderrTail(maxBytes: number): StderrTail {
  let kept: Uint8Array = new Uint8Array();
  let written = 0;
  return {
    add: (chunk) => {
      written += chunk.length;
      kept = maxBytes === 0 ? kept : Buffer.concat([kept, chunk]).subarray(-maxBytes);
    },
    mark: () => written,
    since: (mark) => {
      const bytes = written - mark;
      if (bytes === 0 || kept.length === 0) return null;
      const told = kept.subarray(-Math.min(bytes, kept.length));
      return { text: new TextDecoder().decode(told), isTruncated: told.length < bytes };
    },
  };
}
