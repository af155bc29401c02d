import { setTimeout as wait } from 'node:timers/promises';
import type { ApprovalStore } from './approval-store.ts';

/** A store that does not answer is asked again after so long. */
const RETRY_MS = 1000;

/**
 * Watches a store for all questions that a process waits for together: a store is looked at once, however many they
 * are (approvals.md §12).
 */
export class DecisionWatch {
  readonly #store: Pick<ApprovalStore, 'watch'>;
  readonly #wakes = new Map<string, () => void>();
  /** The keys of those, as the store sees them. */
  readonly #ids = new Set<string>();
  #stop: AbortController | null = null;

  constructor(store: Pick<ApprovalStore, 'watch'>) {
    this.#store = store;
  }

  /** Settles once the question may have a decision, or the signal is aborted. One call at a time for each question. */
  async changed(id: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const leave = (): void => this.#wake(id);
    this.#wakes.set(id, resolve);
    this.#ids.add(id);
    signal.addEventListener('abort', leave);
    if (this.#stop === null) void this.#watch((this.#stop = new AbortController()));
    await promise;
    signal.removeEventListener('abort', leave);
  }

  /** Until a store that did not answer is worth asking again, or the signal is aborted. */
  async rest(signal: AbortSignal): Promise<void> {
    await wait(RETRY_MS, undefined, { signal }).catch(() => undefined);
  }

  #wake(id: string): void {
    const wake = this.#wakes.get(id);
    this.#wakes.delete(id);
    this.#ids.delete(id);
    if (this.#ids.size === 0) this.#end();
    wake?.();
  }

  #end(): void {
    this.#stop?.abort('over');
    this.#stop = null;
  }

  async #watch({ signal }: AbortController): Promise<void> {
    while (!signal.aborted) {
      const ended = await this.#store.watch(this.#ids, signal).catch(() => null);
      if (ended === null) await this.rest(signal);
      // Of a watch that was stopped, anyone who waits now is informed by the next one.
      else if (!signal.aborted) for (const id of ended) this.#wake(id);
    }
  }
}
