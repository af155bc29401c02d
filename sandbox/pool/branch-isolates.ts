import type { BranchReply, BranchRequest, GuestOutcome } from '../../contract/sandbox-protocol.ts';
import type { BranchOptions } from './branches.ts';
import type { LoadedOutcome } from './interface.ts';

/** An isolate of the caller's host, for branches of one outermost operation in turn. */
export interface BranchIsolate {
  request(request: BranchRequest, options: BranchOptions): Promise<GuestOutcome<BranchReply>>;
  loadAndRequest(code: string, request: BranchRequest, options: BranchOptions): Promise<LoadedOutcome<BranchReply>>;
  /** Whether so little of its heap is in use that a further branch finds as much room as in a fresh isolate. */
  isRoomy(): Promise<boolean>;
  dispose(): Promise<void>;
}

/**
 * The isolates of one outermost operation. One that answered with a value serves the next branch, which begins in it as
 * in a fresh one but finds its code compiled and optimised; any other is ended (runtime.md §8).
 */
export interface BranchIsolates {
  take(open: () => BranchIsolate): BranchIsolate;
  /**
   * Hands one back after its branch, and settles when it is known what becomes of it; null: the branch gave no reply.
   */
  release(isolate: BranchIsolate, reply: BranchReply | null): Promise<void>;
  /**
   * Of so many places of the host those that it has, for the branches of one operation: places that were given back
   * before first.
   */
  claim(wanted: number): number;
  /** Gives such places back, to further operations of the same outermost one. */
  unclaim(count: number): void;
  /** Ends those that wait, and from now on each that is handed back, and gives all places back to the host. */
  close(): void;
}

/** Places for isolates in a host process, that nobody else gets until they are released. */
export interface HostSlots {
  /** How many of them there were. */
  reserve(wanted: number): number;
  release(count: number): void;
}

export function branchIsolates(places: HostSlots): BranchIsolates {
  let reserved = 0;
  let claimed = 0;
  /** The last one has the warmest caches. */
  const waiting: BranchIsolate[] = [];
  let isClosed = false;
  return {
    take: (open) => waiting.pop() ?? open(),
    async release(isolate, reply) {
      const serves = !isClosed && reply?.outcome === 'value' && reply.is_worn !== true && (await isolate.isRoomy());
      if (serves && !isClosed) waiting.push(isolate);
      else void isolate.dispose();
    },
    claim(wanted) {
      const lacking = Math.max(0, wanted - (reserved - claimed));
      reserved += places.reserve(lacking);
      const input = Math.min(wanted, reserved - claimed);
      claimed += input;
      return input;
    },
    unclaim(count) {
      claimed -= count;
    },
    close() {
      isClosed = true;
      places.release(reserved);
      reserved = 0;
      for (const isolate of waiting.splice(0)) void isolate.dispose();
    },
  };
}
