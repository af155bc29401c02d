const FIRST_BYTES = 16_384;

/** Bytes that come in pieces, however small, in one place that is at most twice their number. */
export interface CollectedBytes {
  /** False where it would be more than the most; what fits is kept. */
  add(piece: Uint8Array): boolean;
  /** Everything so far, alone in its memory. */
  bytes(): Uint8Array;
  length(): number;
  /** Begins again in the same place. */
  clear(): void;
}

export function collectedBytes(most: number): CollectedBytes {
  let buffered = new Uint8Array(0);
  let length = 0;
  return {
    add: (piece) => {
      const fitting = piece.subarray(0, most - length);
      const needed = length + fitting.length;
      if (needed > buffered.length) {
        const wider = new Uint8Array(Math.min(most, Math.max(FIRST_BYTES, needed, 2 * buffered.length)));
        wider.set(buffered.subarray(0, length));
        buffered = wider;
      }
      buffered.set(fitting, length);
      length = needed;
      return fitting.length === piece.length;
    },
    bytes: () => buffered.slice(0, length),
    length: () => length,
    clear: () => {
      length = 0;
    },
  };
}
