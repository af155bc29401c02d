import { setTimeout } from 'node:timers/promises';

/**
 * Far beyond what a busy machine needs, and below the limit of every test: what never comes fails its test by name and
 * ends.
 */
const PATIENCE_MS = 90_000;
/** Nothing tells of another program's processes: the system is asked again after this pause. */
const PAUSE_MS = 10;

/**
 * Waits for something of the outside world: until `observe` gives a value. Rejects, naming what was waited for, once it
 * is in vain.
 */
export async function until<T>(what: string, observe: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const abandonedAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await observe();
    if (seen !== undefined) return seen;
    if (performance.now() > abandonedAt) throw new Error(`waited in vain: ${what}`);
    await setTimeout(PAUSE_MS);
  }
}
