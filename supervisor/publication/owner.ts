import { readFileSync, readlinkSync } from 'node:fs';
import { isPartialName } from './names.ts';

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
}

export interface OwnerProbe {
  self(): Promise<OwnerFacts>;
  /** `unknown`: the owner lives, or lived, where this process cannot look. */
  isAlive(owner: OwnerFacts): Promise<'alive' | 'dead' | 'unknown'>;
}

export function processOwnerProbe(): OwnerProbe {
  let own: OwnerFacts | null = null;
  const self = async (): Promise<OwnerFacts> => {
    own ??= ownFacts();
    return own;
  };
  return {
    self,
    isAlive: async (owner) => {
      const observer = await self();
      if (owner.boot !== observer.boot) return 'dead';
      if (owner.namespace !== observer.namespace) return 'unknown';
      if (!isProcessPresent(owner.pid)) return 'dead';
      return processStart(owner.pid) === owner.started ? 'alive' : 'dead';
    },
  };
}

/** The kernel's own files answer at once; node's thread pool would not. */
function ownFacts(): OwnerFacts {
  const boot = textOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const namespace = textOrEmpty(() => readlinkSync('/proc/self/ns/pid'));
  return { boot: boot.trim(), namespace, pid: process.pid, started: processStart(process.pid) };
}

/** Clock ticks since boot, field 22 of `/proc/PID/stat`; empty where there is no such file. */
function processStart(pid: number): string {
  const text = textOrEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  // The second field is the command in parentheses and may hold spaces: count from its end.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function isProcessPresent(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function textOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
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
  const { boot, namespace, pid, started } = facts;
  if (typeof boot !== 'string' || typeof namespace !== 'string' || typeof started !== 'string') return null;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null;
  return { boot, namespace, pid, started };
}
