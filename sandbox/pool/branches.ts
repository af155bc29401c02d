import { availableParallelism } from 'node:os';
import type {
  BranchReply,
  BranchRequest,
  EvaluateRequest,
  GuestOutcome,
  LoadRequest,
  ParallelAnswer,
} from '../../contract/sandbox-protocol.ts';
import { type BranchIsolate, type BranchIsolates, branchIsolates, type HostSlots } from './branch-isolates.ts';
import type { GatedOptions } from './branch-gate.ts';
import { carriedReplies, isTooMuch, writeReply, type WrittenReply } from './branch-replies.ts';
import type { ParallelOptions, RequestOptions } from './interface.ts';
import { type Operation, parseOperation } from './operation.ts';
import { processorTurns, type ProcessorSlots } from './processor-turns.ts';
import type { Turn } from './turns.ts';

/** As the options of a request, and what its branches inherit. */
export interface BranchOptions extends GatedOptions {
  readonly enclosing?: Enclosing;
}

/** What a branch, and the operations in it, have of the outermost operation. */
export interface Enclosing {
  /** `performance.now()` at which the outermost operation ends. */
  readonly deadlineAt: number;
  /** Places of the branch in input order. */
  readonly path: string;
  readonly turns: ProcessorSlots;
  readonly isolates: BranchIsolates;
}

/** The evaluation, or the branch, that asks. */
export interface Caller {
  readonly request: EvaluateRequest | BranchRequest;
  readonly options: BranchOptions;
  readonly parallel: ParallelOptions;
  /** Its bundle; null without one. */
  readonly bundle: LoadRequest | null;
  /** Of its host. */
  readonly places: HostSlots;
  readonly open: () => BranchIsolate;
  /** Raised when the caller's own request ends. */
  readonly ended: AbortSignal;
  readonly now: () => number;
}

type CallCapability = NonNullable<RequestOptions['onCapabilityCall']>;

const SEQUENTIAL = textOf({ reply: 'sequential' });

/**
 * Runs the branches that a guest asks for, as many at once as it finds slots, and tells what became of them up to and
 * with the first that failed in input order; later ones are then ended. Never rejects for what a branch does. The text
 * is a `ParallelAnswer`, of which each branch's part is written when that branch answers: no turn of the event loop is
 * for all.
 */
export async function answerParallel(message: string, caller: Caller): Promise<string> {
  const operation = parseOperation(message);
  const { enclosing } = caller.options;
  const isolates = enclosing?.isolates ?? branchIsolates(caller.places);
  const claimed = isolates.claim(operation?.calls.length ?? 0);
  const slots = claimed < 1 ? 0 : caller.parallel.takeBranches(claimed);
  isolates.unclaim(claimed - slots);
  try {
    if (operation === null || slots < 1) return SEQUENTIAL;
    const means = enclosing ?? {
      deadlineAt: caller.now() + caller.parallel.timeoutMs,
      path: null,
      turns: processorTurns(PROCESSORS),
      isolates,
    };
    const running = (): Promise<string> => run(operation, caller, { slots, ...means });
    // Who waits for its branches has no turn meanwhile, neither of its operation nor of the pool: they need them.
    const waiting = (): Promise<string> => (enclosing === undefined ? running() : enclosing.turns.without(running));
    return await (caller.options.branches?.without(waiting) ?? waiting());
  } finally {
    caller.parallel.releaseBranches(slots);
    isolates.unclaim(slots);
    if (enclosing === undefined) isolates.close();
  }
}

/** What an operation has to itself, and what it shares with those around it. */
interface Means extends Omit<Enclosing, 'path'> {
  /** Branches that it may have under way. */
  readonly slots: number;
  /** Of the branch that asks for it; null for an evaluation. */
  readonly path: string | null;
}

async function run(
  { shared, calls }: Operation,
  caller: Caller,
  { slots, deadlineAt, path: outer, turns, isolates }: Means,
): Promise<string> {
  const { parallel, options, now } = caller;
  /** In input order. */
  const replies: WrittenReply[] = [];
  /** Of all replies so far. */
  let units = 0;
  let next = 0;
  /** The first in input order that failed so far. */
  let failed = calls.length;
  let isLate = false;
  /** Of the branches that are under way. */
  const cancels = new Map<number, AbortController>();
  const cancelAfter = (last: number): void => {
    for (const [index, cancel] of cancels) if (index > last) cancel.abort(OVER);
  };
  const cancelAll = (): void => cancelAfter(-1);
  caller.ended.addEventListener('abort', cancelAll);

  async function work(): Promise<void> {
    for (;;) {
      await turns.take();
      const index = next;
      if (index >= failed || isLate || isTooMuch(units) || caller.ended.aborted) return turns.give();
      next += 1;
      const outcome = await runOne(index).finally(turns.give);
      if (outcome === 'late') isLate = true;
      if (outcome === 'late' || outcome === 'cancelled') continue;
      const reply = writeReply(outcome);
      replies[index] = reply;
      units += reply.text.length;
      if (reply.isValue || index >= failed) continue;
      failed = index;
      cancelAfter(index);
    }
  }

  /** A call of an inner branch is passed on by the one around it, of which the outermost makes room for others. */
  function calling(path: string, turn: Turn | undefined, pass: CallCapability): CallCapability {
    return (made) => {
      const told = { ...made, branch: made.branch ?? path };
      const passed = (): Promise<string> => (outer === null ? turns.without(() => pass(told)) : pass(told));
      return turn?.without(passed) ?? passed();
    };
  }

  async function runOne(index: number): Promise<BranchReply | 'late' | 'cancelled'> {
    const { request, bundle } = caller;
    const call = calls[index];
    if (call === undefined) return 'cancelled';
    const cancel = new AbortController();
    cancels.set(index, cancel);
    const gate = options.branches;
    const turn = await gate?.take(Math.max(1, deadlineAt - now()), cancel.signal);
    const isolate = isolates.take(caller.open);
    let reply: BranchReply | null = null;
    try {
      const { environment, data, tools, loop_iterations } = request;
      const path = outer === null ? String(index) : `${outer}/${index}`;
      const { onCapabilityCall } = options;
      const branch: BranchRequest = {
        operation: 'branch',
        environment,
        data,
        tools,
        loop_iterations,
        branches: true,
        shared,
        call,
      };
      const inside: BranchOptions = {
        timeoutMs: Math.max(1, deadlineAt - now()),
        signal: cancel.signal,
        parallel,
        enclosing: { deadlineAt, path, turns, isolates },
        ...(gate === undefined || turn === undefined
          ? {}
          : { branches: { ...gate, without: (wait) => turn.without(wait) } }),
        ...(onCapabilityCall === undefined ? {} : { onCapabilityCall: calling(path, turn, onCapabilityCall) }),
      };
      const { attached, outcome: answered } =
        bundle === null
          ? ({ attached: true, outcome: await isolate.request(branch, inside) } as const)
          : await isolate.loadAndRequest(bundle.code, branch, inside);
      if (answered.status !== 'replied') return lossOf(answered);
      // Another isolate attached the same bundle.
      if (!attached) return lossOf({ status: 'memory_exceeded' });
      ({ reply } = answered);
      return reply;
    } finally {
      cancels.delete(index);
      turn?.end();
      await isolates.release(isolate, reply);
    }
  }

  try {
    await Promise.all(Array.from({ length: Math.min(slots, calls.length) }, work));
  } finally {
    caller.ended.removeEventListener('abort', cancelAll);
  }
  if (isLate) {
    const milliseconds = parallel.timeoutMs;
    return textOf({
      reply: 'limit',
      message: 'parallel branches took too long',
      details: { limit: 'parallel_timeout_ms', milliseconds },
    });
  }
  return branchesText(carriedReplies(replies));
}

/** The text of the answer that `branches` is, of which the texts are written. */
function branchesText(branches: readonly string[]): string {
  return `{"reply":"branches","branches":[${branches.join(',')}]}`;
}

function textOf(value: ParallelAnswer): string {
  return JSON.stringify(value);
}

/** Without a reason node makes an error with its stack for each. */
const OVER = 'over';

/**
 * More branches than processors only disturb each other: their code is compiled in the background, which then waits for
 * its turn behind the branches themselves (measured: pure work becomes slower than in turn). So that many compute at
 * once; a branch that waits for an answer makes room for another.
 */
const PROCESSORS = availableParallelism();

/** A branch that gave no reply: its own heap is its caller's error; the deadline is that of the whole operation. */
function lossOf(
  outcome: Exclude<GuestOutcome<unknown>, { readonly status: 'replied' }>,
): BranchReply | 'late' | 'cancelled' {
  switch (outcome.status) {
    case 'memory_exceeded':
      return {
        outcome: 'limit',
        kind: 'memory_exceeded',
        message: 'a parallel branch exceeded its memory',
        details: {},
        printed: [],
      };
    case 'timeout':
      return 'late';
    case 'cancelled':
      return 'cancelled';
    case 'host_lost':
      return {
        outcome: 'limit',
        kind: 'runtime_limit_exceeded',
        message: 'a parallel branch was lost',
        details: {},
        printed: [],
      };
  }
}
