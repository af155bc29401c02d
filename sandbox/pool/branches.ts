import { availableParallelism } from 'node:os';
import type { BranchReply, BranchRequest, EvaluateRequest, GuestOutcome, GuestReply, LoadRequest, ParallelAnswer } from '../../contract/sandbox-protocol.ts';
import type { ParallelOptions, RequestOptions } from './interface.ts';

/** The capability name by which a guest asks for branches (sandbox/language/link/branches.ts). */
export const PARALLEL = '#parallel';

/** An isolate of the caller's host, made for one branch. */
export interface BranchIsolate {
  request<R extends LoadRequest | BranchRequest>(request: R, options: BranchOptions): Promise<GuestOutcome<GuestReply<R>>>;
  dispose(): Promise<void>;
}

/** As the options of a request, and what its branches inherit. */
export interface BranchOptions extends RequestOptions {
  readonly enclosing?: Enclosing;
}

export interface Enclosing {
  /** `performance.now()` at which the outermost operation ends. */
  readonly deadlineAt: number;
  /** Places of the branch in input order. */
  readonly path: string;
}

/** The evaluation, or the branch, that asks. */
export interface Caller {
  readonly request: EvaluateRequest | BranchRequest;
  readonly options: BranchOptions;
  readonly parallel: ParallelOptions;
  /** Its bundle; null without one. */
  readonly bundle: LoadRequest | null;
  /** Isolates that its host may still take. */
  readonly room: () => number;
  readonly open: () => Promise<BranchIsolate>;
  /** Raised when the caller's own request ends. */
  readonly ended: AbortSignal;
  readonly now: () => number;
}

interface Operation {
  readonly shared: string;
  readonly calls: readonly string[];
}

const SEQUENTIAL: ParallelAnswer = { reply: 'sequential' };

/**
 * Runs the branches that a guest asks for, as many at once as it finds slots, and tells what became of them up to and
 * with the first that failed in input order; later ones are then ended. Never rejects for what a branch does.
 */
export async function answerParallel(message: string, caller: Caller): Promise<ParallelAnswer> {
  const operation = parseOperation(message);
  const wanted = Math.min(operation?.calls.length ?? 0, caller.room());
  const slots = wanted < 1 ? 0 : caller.parallel.takeBranches(wanted);
  if (operation === null || slots < 1) return SEQUENTIAL;
  try {
    return await run(operation, caller, slots);
  } finally {
    caller.parallel.releaseBranches(slots);
  }
}

function parseOperation(message: string): Operation | null {
  try {
    const value: unknown = JSON.parse(message);
    if (typeof value !== 'object' || value === null || !('shared' in value) || !('calls' in value)) return null;
    const { shared, calls } = value;
    if (typeof shared !== 'string' || !Array.isArray(calls) || !calls.every((call) => typeof call === 'string')) return null;
    return { shared, calls };
  } catch {
    return null;
  }
}

async function run({ shared, calls }: Operation, caller: Caller, slots: number): Promise<ParallelAnswer> {
  const { parallel, options, now } = caller;
  const deadlineAt = options.enclosing?.deadlineAt ?? now() + parallel.timeoutMs;
  const replies: BranchReply[] = [];
  let next = 0;
  /** The first in input order that failed so far. */
  let failed = calls.length;
  let isLate = false;
  const cancels = calls.map(() => new AbortController());
  const cancelAll = (): void => cancels.forEach((cancel) => cancel.abort());
  caller.ended.addEventListener('abort', cancelAll);

  const turns = processorTurns(PROCESSORS);

  async function work(): Promise<void> {
    for (;;) {
      await turns.take();
      const index = next;
      if (index >= failed || isLate || caller.ended.aborted) return turns.give();
      next += 1;
      const outcome = await runOne(index).finally(turns.give);
      if (outcome === 'late') isLate = true;
      if (outcome === 'late' || outcome === 'cancelled') continue;
      replies[index] = outcome;
      if (outcome.outcome === 'value' || index >= failed) continue;
      failed = index;
      cancels.slice(index + 1).forEach((cancel) => cancel.abort());
    }
  }

  async function runOne(index: number): Promise<BranchReply | 'late' | 'cancelled'> {
    const { request, bundle } = caller;
    const cancel = cancels[index];
    const call = calls[index];
    if (call === undefined || cancel === undefined || cancel.signal.aborted) return 'cancelled';
    const isolate = await caller.open();
    try {
      const left = (): BranchOptions => ({ timeoutMs: Math.max(1, deadlineAt - now()), signal: cancel.signal });
      const loaded = bundle === null ? null : await isolate.request(bundle, left());
      if (loaded !== null && loaded.status !== 'replied') return lossOf(loaded);
      const { environment, data, tools, loop_iterations } = request;
      const path = options.enclosing === undefined ? String(index) : `${options.enclosing.path}/${index}`;
      const { onCapabilityCall } = options;
      const answered = await isolate.request(
        { operation: 'branch', environment, data, tools, loop_iterations, branches: true, shared, call },
        {
          ...left(),
          parallel,
          enclosing: { deadlineAt, path },
          ...(onCapabilityCall === undefined ? {} : { onCapabilityCall: (made) => turns.without(() => onCapabilityCall({ ...made, branch: made.branch ?? path })) }),
        },
      );
      return answered.status === 'replied' ? answered.reply : lossOf(answered);
    } finally {
      await isolate.dispose();
    }
  }

  try {
    await Promise.all(Array.from({ length: Math.min(slots, calls.length) }, work));
  } finally {
    caller.ended.removeEventListener('abort', cancelAll);
  }
  if (isLate) {
    const milliseconds = parallel.timeoutMs;
    return { reply: 'limit', message: 'parallel branches took too long', details: { limit: 'parallel_timeout_ms', milliseconds } };
  }
  const last = replies.findIndex((reply) => reply !== undefined && reply.outcome !== 'value');
  return { reply: 'branches', branches: last < 0 ? replies : replies.slice(0, last + 1) };
}

/**
 * More branches than processors only disturb each other: their code is compiled in the background, which then waits for
 * its turn behind the branches themselves (measured: pure work becomes slower than in turn). So that many compute at once;
 * a branch that waits for an answer makes room for another.
 */
const PROCESSORS = availableParallelism();

interface Turns {
  take(): Promise<void>;
  readonly give: () => void;
  /** Waits for something that needs no processor. What is done goes on at once. */
  without<T>(wait: () => Promise<T>): Promise<T>;
}

function processorTurns(processors: number): Turns {
  let free = processors;
  const waiting: (() => void)[] = [];
  /** Hands the turn to who waits longest, if anyone does. */
  const give = (): void => {
    free += 1;
    const next = free > 0 ? waiting.shift() : undefined;
    if (next === undefined) return;
    free -= 1;
    next();
  };
  return {
    give,
    take: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => { waiting.push(resolve); });
    },
    without: async (wait) => {
      give();
      try {
        return await wait();
      } finally {
        free -= 1;
      }
    },
  };
}

/** A branch that gave no reply: its own heap is its caller's error; the deadline is that of the whole operation. */
function lossOf(outcome: Exclude<GuestOutcome<unknown>, { readonly status: 'replied' }>): BranchReply | 'late' | 'cancelled' {
  switch (outcome.status) {
    case 'memory_exceeded':
      return { outcome: 'limit', kind: 'memory_exceeded', message: 'a parallel branch exceeded its memory', details: {}, printed: [] };
    case 'timeout':
      return 'late';
    case 'cancelled':
      return 'cancelled';
    case 'host_lost':
      return { outcome: 'limit', kind: 'runtime_limit_exceeded', message: 'a parallel branch was lost', details: {}, printed: [] };
  }
}
