import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work after which others get their turn: half of what may keep a supervisor busy (design.md §1). */
const TURN_MS = 5;

/**
 * Called between steps of a long piece of work: lets everything else of the process happen once the turn is used up.
 */
export type Pace = () => Promise<void> | undefined;

export function paced(): Pace {
  let since = performance.now();
  const turn = async (): Promise<void> => {
    await setImmediate();
    since = performance.now();
  };
  return () => (performance.now() - since < TURN_MS ? undefined : turn());
}
