import type { ServerTimers } from '../room/servers.ts';

/** Isolates that nobody computes in, of all sessions of a supervisor. */
export interface IdleIsolates {
  /** One is idle from now on; `rest` gives it up. Gives what takes it out again. */
  hold(rest: () => void): () => void;
}

/**
 * Gives up an isolate that was idle for `idleMs`, and the one that was idle longest where more than `most` are
 * (code-mode.md §6): each is a process.
 */
export function idleIsolates(
  { idleMs, most }: { readonly idleMs: number; readonly most: number },
  timers: Pick<ServerTimers, 'after'>,
): IdleIsolates {
  // In the order in which they became idle.
  const idle = new Set<() => void>();
  return {
    hold(rest) {
      const giveUp = (): void => {
        leave();
        rest();
      };
      const cancel = timers.after(idleMs, giveUp);
      const leave = (): void => {
        cancel();
        idle.delete(giveUp);
      };
      idle.add(giveUp);
      const [longest] = idle;
      if (idle.size > most) longest?.();
      return leave;
    },
  };
}
