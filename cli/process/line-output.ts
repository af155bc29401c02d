import type { Writable } from 'node:stream';
import type { WriteOutcome } from './output.ts';

/** Bytes that may wait for a reader; one who leaves more unread is gone. */
const UNREAD_BYTES = 67_108_864;
/** Longest wait at the end for a reader who is slow. */
const SETTLE_MS = 2000;

/** Lines for a reader at the other end of a conversation, in the order in which they are sent. */
export interface LineOutput {
  /** Returns at once, however slow the reader is: what else has to be heard meanwhile is heard. */
  readonly send: (line: string) => void;
  /** Aborted when nobody reads any more. */
  readonly closed: AbortSignal;
  /** Why it is gone, or lost what was sent; waits a short time for what is still on its way. */
  readonly settle: () => Promise<WriteOutcome>;
}

export function openLineOutput(stream: Writable): LineOutput {
  const closing = new AbortController();
  let outcome: WriteOutcome = 'written';
  const lose = (as: WriteOutcome): void => {
    if (closing.signal.aborted) return;
    outcome = as;
    closing.abort();
  };
  stream.on('error', (error) => {
    lose('code' in error && error.code === 'EPIPE' ? 'pipe-closed' : 'failed');
  });
  return {
    closed: closing.signal,
    send: (line) => {
      if (closing.signal.aborted) return;
      if (stream.writableLength > UNREAD_BYTES) lose('pipe-closed');
      else stream.write(`${line}\n`);
    },
    settle: async () => {
      if (closing.signal.aborted || stream.writableLength === 0) return outcome;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, SETTLE_MS);
        // Answered once everything before it is out, or lost.
        stream.write('', () => {
          clearTimeout(timer);
          resolve();
        });
      });
      return outcome;
    },
  };
}
