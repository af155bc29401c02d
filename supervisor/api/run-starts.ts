import type { Sandbox } from '../../sandbox/pool/interface.ts';
import { takeTurns } from '../../sandbox/pool/turns.ts';

/**
 * Runs that read their documents, or wait until their first isolate is begun, at a time. All of a thousand at once would hold
 * their documents in memory long before there are isolates for them, and their time would pass meanwhile.
 */
const STARTING = 16;
/** A start that waits longer waits for something else: for a provider, say. */
const LONGEST_START_MS = 250;

export interface RunStarts {
  /**
   * Begins in the order of the calls, each in a turn of the event loop of its own: the first stretch of a run takes most
   * of a millisecond and waits for nothing. `run` is given the sandbox that it is to use.
   */
  begin<T>(run: (sandbox: Sandbox) => Promise<T>): Promise<T>;
}

/** Lets the runs of one sandbox begin. */
export function runStarts(sandbox: Sandbox): RunStarts {
  const turns = takeTurns(STARTING);
  return {
    async begin(run) {
      const turn = await turns.take('new', LONGEST_START_MS);
      try {
        return await run({ ...sandbox, openIsolate: (options) => sandbox.openIsolate(options).finally(turn.end) });
      } finally {
        turn.end();
      }
    },
  };
}
