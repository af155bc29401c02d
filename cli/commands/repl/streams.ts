import type { Readable, Writable } from 'node:stream';
import type { WriteOutcome } from '../../process/output.ts';

/** The standard streams as a session uses them; other ones in tests. */
export interface ReplStreams {
  readonly stdin: Readable;
  /** The terminal at which lines are typed and answered; null when either end is none. */
  readonly terminal: Writable | null;
  readonly write: (descriptor: 1 | 2, text: string) => Promise<WriteOutcome>;
}

/** What a session has written so far. */
export interface ReplOutput {
  readonly print: (text: string) => Promise<void>;
  readonly complain: (text: string) => Promise<void>;
  /** The first failure of a write; what came after it was dropped. */
  readonly failure: () => Exclude<WriteOutcome, 'written'> | null;
}

/** Writes until the first failure, which is kept for the exit status. */
export function replOutput(write: ReplStreams['write']): ReplOutput {
  let failure: ReturnType<ReplOutput['failure']> = null;
  const writing =
    (descriptor: 1 | 2) =>
    async (text: string): Promise<void> => {
      if (failure !== null || text === '') return;
      const outcome = await write(descriptor, text);
      // Messages that nobody reads are no reason to stop; results are.
      if (outcome !== 'written' && descriptor === 1) failure = outcome;
    };
  return { print: writing(1), complain: writing(2), failure: () => failure };
}
