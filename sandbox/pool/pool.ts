import { availableParallelism } from 'node:os';
import { HostFleet } from './host-fleet.ts';
import type { FirstIsolate } from './host-process.ts';
import type { BoundedSandbox } from './interface.ts';
import type { SandboxOptions } from './options.ts';
import { guardedListener } from './pool-event.ts';
import { PooledIsolate, type PoolServices } from './pooled-isolate.ts';
import { takeTurns } from './turns.ts';

const PROCESSORS = availableParallelism();
/**
 * What is done at a time: isolates that are made, and with them processes that start; requests that are worked at. More
 * at once are not ready earlier, and each process that wants a processor lets the supervisor wait longer for its own. A
 * request that waits for an answer of the supervisor does not count.
 */
const AT_ONCE = 2 * PROCESSORS;
/**
 * Requests of one tenant that compute at once, however long: so that those that never end leave half of each processor
 * to one of another tenant.
 */
const COMPUTING = 2 * PROCESSORS;
/** A busy machine may need a third of it to start a process. */
const LONGEST_OPENING_MS = 1000;
/**
 * A program that came to so many hosts goes on to need them: runs with missions one after the other, or many at once.
 * One command does not.
 */
const MANY_HOSTS = 4;
/** What the start of a process takes of one processor, generously. */
const PROCESS_START_MS = 100;

/**
 * Starts one host at once, before anything is asked of it, and further ones as isolates need them. A host serves one
 * environment kind and trust domain for its whole life and never again after a fault (design.md §1.2, §1.3). There are
 * so many at most, which no tenant can keep from the others. Throws TypeError for a bound that leaves nothing to run.
 */
export function startSandbox(options: SandboxOptions): BoundedSandbox {
  const bounds = { slots: AT_ONCE, computing: COMPUTING, processors: PROCESSORS };
  const turns = takeTurns(bounds, (tenant, isHeavy) => fleet.weigh(tenant, isHeavy));
  const fleet = new HostFleet(options, () => turns.waiting('new'));
  let closing: Promise<unknown> | null = null;
  let isPreparing = false;

  /** Starts a host for the next domain, or for a full one, before either is asked for. */
  async function keepReady(next: FirstIsolate): Promise<void> {
    if (isPreparing || fleet.assigned() < MANY_HOSTS || fleet.hasReady()) return;
    isPreparing = true;
    const turn = await turns.take('new', PROCESS_START_MS);
    isPreparing = false;
    if (closing !== null || fleet.hasReady()) turn.end();
    else fleet.prepare(next);
  }

  const services: PoolServices = {
    fleet,
    turns,
    report: guardedListener(options.onEvent),
    isClosing: () => closing !== null,
    keepReady,
  };
  return {
    async openIsolate({ tenant = null, ...wanted }) {
      if (closing !== null) throw new Error('the sandbox is closed');
      const turn = await turns.take('new', LONGEST_OPENING_MS, { tenant });
      if (closing !== null) throw new Error('the sandbox is closed');
      return new PooledIsolate(services, turn, { ...wanted, tenant, isAlone: false });
    },
    retryAfterMs: (tenant) => fleet.retryAfterMs(tenant),
    residentBytes: () => fleet.residentBytes(),
    endLargest: () => {
      fleet.endLargest();
    },
    endDomain: ({ environment, trustDomain }) => fleet.endDomain(environment, trustDomain),
    async close() {
      closing ??= fleet.close();
      await closing;
    },
  };
}
