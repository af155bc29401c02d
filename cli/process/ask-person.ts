import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** Why there is no answer. */
export type Unanswered = 'interrupted' | 'ended';

/** A person who is asked, a line for each question. */
export interface Questions {
  /** The answer without blanks around it; empty where only return was pressed. */
  ask(
    question: string,
  ): Promise<{ readonly ok: true; readonly answer: string } | { readonly ok: false; readonly why: Unanswered }>;
  close(): void;
}

/** More than any answer needs; what a terminal passes as a line is of that size at most. */
const MOST_CHARACTERS = 4096;

/**
 * Asks on `output` and reads lines of `input`. The terminal keeps its own editing of lines, so that Ctrl-C is a signal
 * as everywhere, which aborts `signal`.
 */
export function openQuestions(input: Readable, output: Writable, signal: AbortSignal): Questions {
  const lines = createInterface({ input, terminal: false, crlfDelay: Infinity });
  const waiting = lines[Symbol.asyncIterator]();
  const interrupted = new Promise<'interrupted'>((resolve) => {
    if (signal.aborted) resolve('interrupted');
    else signal.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
  return {
    ask: async (question) => {
      output.write(question);
      const line = await Promise.race([waiting.next(), interrupted]);
      if (line === 'interrupted') return { ok: false, why: line };
      if (line.done === true) return { ok: false, why: 'ended' };
      return { ok: true, answer: line.value.slice(0, MOST_CHARACTERS).trim() };
    },
    close: () => {
      lines.close();
      input.destroy();
    },
  };
}
