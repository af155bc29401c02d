import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import { takeTurns } from '../../../sandbox/pool/turns.ts';
import { poolTenant } from '../../platform/tenant.ts';

/**
 * Runs that read their documents, or wait until their first isolate is started, at a time. All of a thousand at once
 * would hold their documents in memory long before there are isolates for them, and their time would pass meanwhile.
 */
const STARTING = 16;
/** A start that waits longer waits for something else: for a provider, say. */
const LONGEST_START_MS = 250;

export interface RunStarts {
  /**
   * Begins in the order of the calls of one tenant, each in a turn of the event loop of its own: the first stretch of a
   * run takes most of a millisecond and waits for nothing. `run` is given the sandbox that it is to use, in which all
   * that it asks for is the tenant's.
   */
  begin<T>(tenant: string, run: (sandbox: Sandbox) => Promise<T>): Promise<T>;
}

/** Lets the runs of one sandbox begin. */
export function runStarts(sandbox: Sandbox): RunStarts {
  const turns = takeTurns({ slots: STARTING, computing: STARTING, processors: 1 });
  return {
    async begin(tenant, run) {
      const owner = poolTenant(tenant);
      const turn = await turns.take('new', LONGEST_START_MS, { tenant: owner });
      try {
        return await run({
          ...sandbox,
          openIsolate: (options) => sandbox.openIsolate({ ...options, tenant: owner }).finally(turn.end),
        });
      } finally {
        turn.end();
      }
    },
  };
}
