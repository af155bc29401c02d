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
 * The isolates of one outermost operation. One that answered with a value serves the next branch, which begins in it as in
 * a fresh one but finds its code compiled and optimised; any other is ended (runtime.md §8).
 */
export interface BranchIsolates {
  /** How many wait for a branch. */
  readonly waiting: () => number;
  take(open: () => BranchIsolate): BranchIsolate;
  /** Hands one back after its branch, and settles when it is known what becomes of it; null: the branch gave no reply. */
  release(isolate: BranchIsolate, reply: BranchReply | null): Promise<void>;
  /** Ends those that wait, and from now on each that is handed back. */
  close(): void;
}

export function branchIsolates(): BranchIsolates {
  /** The last one has the warmest caches. */
  const waiting: BranchIsolate[] = [];
  let isClosed = false;
  return {
    waiting: () => waiting.length,
    take: (open) => waiting.pop() ?? open(),
    async release(isolate, reply) {
      const serves = !isClosed && reply?.outcome === 'value' && reply.is_worn !== true && (await isolate.isRoomy());
      if (serves && !isClosed) waiting.push(isolate);
      else void isolate.dispose();
    },
    close() {
      isClosed = true;
      for (const isolate of waiting.splice(0)) void isolate.dispose();
    },
  };
}
