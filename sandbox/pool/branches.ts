import { availableParallelism } from 'node:os';
import type {
  BranchReply,
  BranchRequest,
  EvaluateRequest,
  GuestOutcome,
  LoadRequest,
  ParallelAnswer,
} from '../../contract/sandbox-protocol.ts';
import { FifoTurns } from '../../system/fifo-turns.ts';
import { type BranchIsolate, type BranchIsolates, branchIsolates, type HostSlots } from './branch-isolates.ts';
import type { GatedOptions } from './branch-gate.ts';
import { carriedReplies, isTooMuch, writeReply, type WrittenReply } from './branch-replies.ts';
import type { ParallelOptions, RequestOptions } from './interface.ts';
import { type Operation, parseOperation } from './operation.ts';
import { timeOf } from './request-time.ts';
import type { Turn } from './turns.ts';

/** As the options of a request, and what its branches inherit. */
export interface BranchOptions extends GatedOptions {
  readonly enclosing?: Enclosing;
}

/** What a branch, and the operations in it, have of the outermost operation. */
export interface Enclosing {
  /** When the outermost operation ends, on the time of the request. */
  readonly deadlineAt: number;
  /** Places of the branch in input order. */
  readonly path: string;
  /** Of how many branches each of these places is. */
  readonly of: string;
  /** Of those that compute at once: so many as there are processors. */
  readonly turns: FifoTurns;
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
 * Runs the branches that a guest asks for, as many at once as it finds slots, and says what became of them up to and
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
      of: null,
      turns: new FifoTurns(PROCESSORS),
      isolates,
    };
    const running = (): Promise<string> => new RunningOperation(operation, caller, { slots, ...means }).run();
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
interface Means extends Omit<Enclosing, 'path' | 'of'> {
  /** Branches that it may have under way. */
  readonly slots: number;
  /** Of the branch that asks for it; null for an evaluation. */
  readonly path: string | null;
  readonly of: string | null;
}

/** One operation while its branches run. */
class RunningOperation {
  readonly #operation: Operation;
  readonly #caller: Caller;
  readonly #means: Means;
  /** In input order. */
  readonly #replies: WrittenReply[] = [];
  /** Of the branches that are under way. */
  readonly #cancels = new Map<number, AbortController>();
  /** Of all replies so far. */
  #units = 0;
  #next = 0;
  /** The first in input order that failed so far. */
  #failed: number;
  #isLate = false;

  constructor(operation: Operation, caller: Caller, means: Means) {
    this.#operation = operation;
    this.#caller = caller;
    this.#means = means;
    this.#failed = operation.calls.length;
  }

  /** The text of the answer. */
  async run(): Promise<string> {
    const { ended, parallel } = this.#caller;
    const cancelAll = (): void => this.#cancelAfter(-1);
    ended.addEventListener('abort', cancelAll);
    const workers = Math.min(this.#means.slots, this.#operation.calls.length);
    try {
      await Promise.all(Array.from({ length: workers }, () => this.#work()));
    } finally {
      ended.removeEventListener('abort', cancelAll);
    }
    if (!this.#isLate) return branchesText(carriedReplies(this.#replies));
    const details = { limit: 'parallel_timeout_ms', milliseconds: parallel.timeoutMs };
    return textOf({ reply: 'limit', message: 'parallel branches took too long', details });
  }

  #cancelAfter(last: number): void {
    for (const [index, cancel] of this.#cancels) if (index > last) cancel.abort(OVER);
  }

  /** Runs one branch after the other. */
  async #work(): Promise<void> {
    const { turns } = this.#means;
    for (;;) {
      await turns.take();
      const index = this.#next;
      if (index >= this.#failed || this.#isLate || isTooMuch(this.#units) || this.#caller.ended.aborted)
        return turns.give();
      this.#next += 1;
      this.#note(index, await this.#runOne(index).finally(() => turns.give()));
    }
  }

  #note(index: number, outcome: BranchReply | 'late' | 'cancelled'): void {
    if (outcome === 'late') {
      this.#isLate = true;
      // The time of all is over, also of one that waits for a person while the clock stands still.
      this.#cancelAfter(-1);
    }
    if (outcome === 'late' || outcome === 'cancelled') return;
    const reply = writeReply(outcome);
    this.#replies[index] = reply;
    this.#units += reply.text.length;
    if (reply.isValue || index >= this.#failed) return;
    this.#failed = index;
    this.#cancelAfter(index);
  }

  async #runOne(index: number): Promise<BranchReply | 'late' | 'cancelled'> {
    const { isolates } = this.#means;
    const call = this.#operation.calls[index];
    if (call === undefined) return 'cancelled';
    const cancel = new AbortController();
    this.#cancels.set(index, cancel);
    // Who waits for a turn is as one who works: its call is still to come.
    const rest = timeOf(this.#caller.options).work();
    const turn = await this.#caller.options.branches?.take(this.#leftMs(), cancel.signal);
    const isolate = isolates.take(this.#caller.open);
    let reply: BranchReply | null = null;
    try {
      const answering = this.#ask(isolate, call, this.#optionsOf(index, turn, cancel.signal));
      rest();
      const answered = await answering;
      if (answered.status !== 'replied') return lossOf(answered);
      ({ reply } = answered);
      return reply;
    } finally {
      this.#cancels.delete(index);
      turn?.end();
      await isolates.release(isolate, reply);
    }
  }

  async #ask(isolate: BranchIsolate, call: string, inside: BranchOptions): Promise<GuestOutcome<BranchReply>> {
    const { request, bundle } = this.#caller;
    const { environment, data, tools, loop_iterations } = request;
    const { shared } = this.#operation;
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
    if (bundle === null) return isolate.request(branch, inside);
    const loaded = await isolate.loadAndRequest(bundle.code, branch, inside);
    if (loaded.attached) return loaded.outcome;
    // Another isolate attached the same bundle.
    return loaded.outcome.status === 'replied' ? { status: 'memory_exceeded' } : loaded.outcome;
  }

  #optionsOf(index: number, turn: Turn | undefined, signal: AbortSignal): BranchOptions {
    const { deadlineAt, path: outer, of: outerOf, turns, isolates } = this.#means;
    const { branches: gate, onCapabilityCall } = this.#caller.options;
    const path = within(outer, index);
    const place = { path, of: within(outerOf, this.#operation.calls.length) };
    const { time } = this.#caller.options;
    return {
      timeoutMs: this.#leftMs(),
      ...(time !== undefined && { time }),
      signal,
      parallel: this.#caller.parallel,
      enclosing: { deadlineAt, ...place, turns, isolates },
      ...(gate === undefined || turn === undefined
        ? {}
        : { branches: { ...gate, without: (wait) => turn.without(wait) } }),
      ...(onCapabilityCall === undefined ? {} : { onCapabilityCall: this.#calling(place, turn, onCapabilityCall) }),
    };
  }

  /** A call of an inner branch is passed on by the one around it, of which the outermost makes room for others. */
  #calling({ path, of }: Pick<Enclosing, 'path' | 'of'>, turn: Turn | undefined, pass: CallCapability): CallCapability {
    const { path: outer, turns } = this.#means;
    return (made) => {
      const located = { ...made, branch: made.branch ?? path, branchOf: made.branchOf ?? of };
      const passed = (): Promise<string> => (outer === null ? turns.without(() => pass(located)) : pass(located));
      return turn?.without(passed) ?? passed();
    };
  }

  #leftMs(): number {
    return Math.max(1, this.#means.deadlineAt - this.#caller.now());
  }
}

function within(outer: string | null, number: number): string {
  return outer === null ? String(number) : `${outer}/${number}`;
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
