import type { CommandOutcome } from '../../contract/exit-status.ts';

/**
 * Not imported: an import makes the names of the module, and naming `ReadStream` loads all of node's streams, 5 ms of
 * a start that takes 40 (measured).
 */
const { writeSync } = process.getBuiltinModule('node:fs');

/** What became of bytes handed to a stream. */
export type WriteOutcome = 'written' | 'pipe-closed' | 'failed';

/** What becomes of a command whose output did not arrive (cli.md §5). */
export function lostOutput(outcome: Exclude<WriteOutcome, 'written'>): CommandOutcome {
  return { outcome: outcome === 'pipe-closed' ? 'output_closed' : 'output_lost' };
}

/** Waits until a stream that is full for now may take more; the only asynchronous part of writing. */
const FULL_PAUSE_MS = 2;

/**
 * Writes all of a text to a standard stream and returns when the system has it. Synchronous writing costs a start-up
 * less than the stream objects do; a pipe in non-blocking mode that is full is tried again.
 */
export async function writeStream(descriptor: 1 | 2, text: string): Promise<WriteOutcome> {
  const bytes = Buffer.from(text, 'utf8');
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(descriptor, bytes, offset);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EPIPE') return 'pipe-closed';
      if (code !== 'EAGAIN') return 'failed';
      await new Promise((resolve) => setTimeout(resolve, FULL_PAUSE_MS));
    }
  }
  return 'written';
}
