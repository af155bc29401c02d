import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';

/** Why the pool ended a host process. */
export type KillReason =
  /** It said what no honest host says. */
  | 'protocol_violation'
  /** It made no isolate in time, or said that it could not. */
  | 'opens_nothing'
  /** An isolate in it did not stop when it was asked to. */
  | 'does_not_stop'
  /** It wrote more to standard error than any message of its own. */
  | 'stderr_flood'
  /** Somebody stopped it (SIGSTOP), and it owes an answer. */
  | 'stopped'
  /** There was no memory left, and it held the most. */
  | 'memory_pressure'
  /** Nobody needed it any more, or another needed its place. */
  | 'unneeded';

/**
 * How a host process came to its end: the pool's reason, or its own. `crashed`: by a signal that V8 ends itself with,
 * or that a fault in memory raises;
 * `signalled`: by another, from outside of the pool or because it had closed its pipe.
 */
export type HostEnding = KillReason | 'exited' | 'crashed' | 'signalled';

interface OfHost {
  /** Counts the hosts of a sandbox. */
  readonly host: number;
  /** Its process; null for one that could not be started. */
  readonly pid: number | null;
}

/**
 * What happens to the processes of a pool, for anyone who operates it. No program's text, value or name is in it but
 * what V8 and node themselves write to standard error when they end.
 */
export type PoolEvent =
  | (OfHost & { readonly event: 'host_started' })
  /** `image`: the guest image is not the one that was built, or cannot be read. */
  | (OfHost & {
      readonly event: 'open_failed';
      readonly environment: EnvironmentKind;
      readonly reason: 'image' | 'host';
    })
  | (OfHost & { readonly event: 'host_killed'; readonly reason: Exclude<KillReason, 'unneeded'> })
  | (OfHost & {
      readonly event: 'host_ended';
      readonly how: HostEnding;
      /** As node reports them. */
      readonly code: number | null;
      readonly signal: NodeJS.Signals | null;
      /** Isolates that ended with it. */
      readonly isolates: number;
      /** The last of what it wrote to standard error, `STDERR_CHARACTERS` at most. */
      readonly stderr: string;
    })
  /** A host that had served has seen a fault, and another was started in advance. */
  | { readonly event: 'host_replaced'; readonly host: number; readonly by: number }
  /** As many isolates of a tenant wait for a process as may; null: of who shares the pool with nobody. */
  | { readonly event: 'turned_away'; readonly tenant: string | null; readonly retryAfterMs: number };

export const STDERR_CHARACTERS = 4096;

export type PoolListener = (event: PoolEvent) => void;

/**
 * Informs a listener after what happens is over, in order. What it throws, or rejects with, is its own affair: it ends
 * with it.
 */
export function guardedListener(listener: PoolListener | undefined): PoolListener {
  if (listener === undefined) return () => undefined;
  return (event) => queueMicrotask(() => void callListener(listener, event));
}

async function callListener(listener: (event: PoolEvent) => unknown, event: PoolEvent): Promise<void> {
  try {
    await listener(event);
  } catch {
    // A listener that is mistaken may not end the process that it listens to.
  }
}
