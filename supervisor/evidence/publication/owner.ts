import { isLiveRun } from './live-runs.ts';
import { isPartialName } from './names.ts';
import { machineFacts, type ProcessFacts } from './process-facts.ts';

/**
 * Who made a reservation. A later process decides from these facts whether the owner still lives
 * (runtime.md §12: pid, process start, boot id). The pid namespace keeps two containers that share a directory
 * from calling each other dead.
 */
export interface OwnerFacts {
  readonly boot: string;
  readonly namespace: string;
  readonly pid: number;
  readonly started: string;
  /** Of several that one process goes on with; absent: the process as a whole. */
  readonly run?: string;
}

export interface OwnerProbe {
  self(): Promise<OwnerFacts>;
  /** `unknown`: the owner lives, or lived, where this process cannot look. */
  isAlive(owner: OwnerFacts): Promise<'alive' | 'dead' | 'unknown'>;
}

export function processOwnerProbe(facts: ProcessFacts = machineFacts()): OwnerProbe {
  let own: OwnerFacts | null = null;
  const self = async (): Promise<OwnerFacts> => {
    own ??= { boot: facts.boot(), namespace: facts.namespace(), pid: process.pid, started: facts.startOf(process.pid) };
    return own;
  };
  return {
    self,
    isAlive: async (owner) => {
      const observer = await self();
      if (owner.boot !== observer.boot) return 'dead';
      if (owner.namespace !== observer.namespace) return 'unknown';
      // Runs are lost inside living processes, too.
      if (owner.pid === observer.pid && owner.started === observer.started)
        return owner.run === undefined || isLiveRun(owner.run) ? 'alive' : 'dead';
      if (!isProcessPresent(owner.pid)) return 'dead';
      return facts.startOf(owner.pid) === owner.started ? 'alive' : 'dead';
    },
  };
}

function isProcessPresent(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export function encodeOwner(owner: OwnerFacts, recovery: string | null, partial: string | null = null): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ ...owner, recovery, partial }));
}

export interface OwnerMarker {
  readonly owner: OwnerFacts;
  /** Name of the recovery file beside the reservation, null without one. */
  readonly recovery: string | null;
  /** Name under which the staged content is kept when its owner dies, null where it is worth nothing then. */
  readonly partial: string | null;
}

/** The marker of a reservation; null for bytes that no reservation wrote. */
export function decodeOwner(bytes: Uint8Array): OwnerMarker | null {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const facts: Readonly<Record<string, unknown>> = { ...value };
  const { recovery, partial } = facts;
  const owner = decodeOwnerFacts(facts);
  if (owner === null || (recovery !== null && typeof recovery !== 'string')) return null;
  return { owner, recovery, partial: typeof partial === 'string' && isPartialName(partial) ? partial : null };
}

/** The facts in a value that was decoded from JSON; null where they are not whole. */
export function decodeOwnerFacts(value: unknown): OwnerFacts | null {
  if (typeof value !== 'object' || value === null) return null;
  const facts: Readonly<Record<string, unknown>> = { ...value };
  const { boot, namespace, pid, started, run } = facts;
  if (typeof boot !== 'string' || typeof namespace !== 'string' || typeof started !== 'string') return null;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null;
  if (run !== undefined && typeof run !== 'string') return null;
  return { boot, namespace, pid, started, ...(run === undefined ? {} : { run }) };
}

/** The probe with which one run marks what is its own. */
export function ownersOfRun(owners: OwnerProbe, run: string): OwnerProbe {
  return { ...owners, self: async () => ({ ...(await owners.self()), run }) };
}
