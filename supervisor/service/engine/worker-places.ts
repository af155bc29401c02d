import type { Place } from '../../platform/fairness/fair-places.ts';

/** How many runs one worker performs at once; a run that comes back goes before any that it would take. */
export class WorkerPlaces {
  #free: number;
  readonly #back: ((place: Place) => void)[] = [];

  constructor(slots: number) {
    this.#free = slots;
  }

  /** For a run that is to be taken; null: there is none. */
  tryTake(): Place | null {
    if (this.#free < 1) return null;
    this.#free -= 1;
    return this.#place();
  }

  /** For a run that gave its place up. */
  async regain(signal: AbortSignal): Promise<Place | { readonly outcome: 'gone' }> {
    if (signal.aborted) return { outcome: 'gone' };
    const now = this.tryTake();
    if (now !== null) return now;
    const { promise, resolve } = Promise.withResolvers<Place | { readonly outcome: 'gone' }>();
    const leave = (): void => {
      const index = this.#back.indexOf(resolve);
      // One that was given a place a moment ago is no longer in the row.
      if (index !== -1) this.#back.splice(index, 1);
      resolve({ outcome: 'gone' });
    };
    this.#back.push(resolve);
    signal.addEventListener('abort', leave, { once: true });
    const place = await promise;
    signal.removeEventListener('abort', leave);
    return place;
  }

  #place(): Place {
    let isOver = false;
    return {
      outcome: 'begins',
      end: () => {
        if (isOver) return;
        isOver = true;
        const next = this.#back.shift();
        if (next === undefined) this.#free += 1;
        else next(this.#place());
      },
    };
  }
}
