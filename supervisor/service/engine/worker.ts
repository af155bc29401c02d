import { randomUUID } from 'node:crypto';
import { setTimeout as after } from 'node:timers/promises';
import { checkArguments } from '../../platform/arguments/checks.ts';
import { closeOptions } from './arguments.ts';
import type { EngineTiming, WorkerLease } from './lease-keeper.ts';
import { bothPlaces, runSlot } from '../tenants/run-slot.ts';
import type { Lease, Settle, Worker } from './interface.ts';
import { WorkerPlaces } from './worker-places.ts';

/** What a worker asks of its engine. */
export interface WorkSource {
  /** A run that is ours and has started; `busy`: there may be one in a moment; null: there is none. */
  claim(): Promise<WorkerLease | 'busy' | null>;
  /** Writes how it ended, for as long as it takes. */
  settle(workerLease: WorkerLease, settle: Settle): Promise<void>;
  reap(): Promise<void>;
  /** Says that the worker is there, with so many runs. */
  announce(worker: string, running: number): Promise<void>;
  withdraw(worker: string): Promise<void>;
  /** Calls back when there may be work, and with runs to look at. */
  listen(onWork: () => void, onCancelled: (runRef: string) => void): Promise<() => Promise<void>>;
}

/** Where claims of several runners meet, the next try is soon. */
const BUSY_MS = 20;
const CLOSING_GRACE_MS = 10_000;

/** Takes runs from a source, so many at once, until it is closed. A source that fails is asked again. */
export function startWorker(
  source: WorkSource,
  timing: EngineTiming,
  slots: number,
  handle: (lease: Lease) => Promise<Settle>,
): Worker {
  const running = new Map<WorkerLease, Promise<void>>();
  const closing = new AbortController();
  const worker = randomUUID();
  /** Runs that were reported while a claim went on: one of them may be the one that is being claimed. */
  const cancelledMeanwhile = new Set<string>();
  let wake = Promise.withResolvers<void>();
  const rouse = (): void => wake.resolve();
  const places = new WorkerPlaces(slots);

  async function perform(workerLease: WorkerLease, release: () => void): Promise<void> {
    const slot = runSlot((signal) => places.regain(signal), release);
    const place = bothPlaces(workerLease.lease.place, slot.place);
    try {
      const settle = await handle({
        ...workerLease.lease,
        place: {
          ...place,
          leave: () => {
            place.leave();
            rouse();
          },
        },
      });
      // A run that is not ours any more has its record from somebody else.
      if (workerLease.ended() !== 'lease_lost') await source.settle(workerLease, settle);
    } catch {
      // The reaper sees it when the lease runs out, as of a runner that died.
    } finally {
      workerLease.release();
      slot.end();
      running.delete(workerLease);
      rouse();
    }
  }
  /** Until somebody rouses it, or so long. */
  async function rest(ms: number): Promise<void> {
    const resting = new AbortController();
    await Promise.race([
      wake.promise,
      after(ms, undefined, { signal: AbortSignal.any([closing.signal, resting.signal]) }).catch(() => undefined),
    ]);
    resting.abort();
    wake = Promise.withResolvers();
  }
  async function takeRuns(): Promise<void> {
    while (!closing.signal.aborted) {
      cancelledMeanwhile.clear();
      const place = places.tryTake();
      const claimed = place === null ? null : await source.claim().catch(() => null);
      if (claimed === null || claimed === 'busy') place?.end();
      if (claimed === null) await rest(timing.pollMs);
      else if (claimed === 'busy') await rest(BUSY_MS);
      else if (place !== null) {
        running.set(claimed, perform(claimed, place.end));
        if (cancelledMeanwhile.has(claimed.lease.job.runRef)) claimed.look();
      }
    }
  }
  async function reapRuns(): Promise<void> {
    while (!closing.signal.aborted) {
      // A database that is away hears of it the next time.
      await source.announce(worker, running.size).catch(() => undefined);
      await source.reap().then(rouse, () => undefined);
      await after(timing.reapMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
  /** What was sent before we listened was not heard. */
  async function lookOnceHeard(): Promise<void> {
    await listening;
    for (const workerLease of running.keys()) workerLease.look();
    rouse();
  }
  const listening = source
    .listen(rouse, (runRef) => {
      cancelledMeanwhile.add(runRef);
      for (const workerLease of running.keys()) if (workerLease.lease.job.runRef === runRef) workerLease.look();
    })
    .catch(() => null);
  const loops = Promise.all([takeRuns(), reapRuns(), lookOnceHeard()]);

  return {
    close: async (options = {}) => {
      checkArguments('worker.close', { options: [options, closeOptions] });
      const { graceMs = CLOSING_GRACE_MS } = options;
      closing.abort();
      await loops;
      const late = setTimeout(() => {
        for (const workerLease of running.keys()) workerLease.end('closing');
      }, graceMs);
      await Promise.all(running.values());
      clearTimeout(late);
      await (
        await listening
      )?.();
      await source.withdraw(worker).catch(() => undefined);
    },
  };
}
