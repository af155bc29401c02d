import { PARALLEL } from '../../contract/parallel.ts';
import type {
  BranchRequest,
  EvaluateRequest,
  GuestOutcome,
  GuestReply,
  IsolateRequest,
  LoadRequest,
} from '../../contract/sandbox-protocol.ts';
import { type Answer, type CapabilityCall, CARRIED, REFUSED, type Unreadable } from '../wire/messages.ts';
import { answerParallel, type BranchOptions } from './branches.ts';
import type { HostSlots } from './branch-isolates.ts';
import type { HostConnection } from './host-connection.ts';
import type { Isolate, LoadedOutcome } from './interface.ts';
import { AFTER_ENDING, type HostState, type Kill, type Loss, type Remedy, VIOLATION } from './losses.ts';
import { isInternalFault, parseGuestReply } from './reply.ts';

/** Its process, as far as an isolate needs it. */
export interface IsolateOwner {
  readonly connection: HostConnection;
  readonly died: Promise<unknown>;
  /** What is awaited, or how it died if that is first. */
  readonly untilDeath: <Value>(awaited: Promise<Value>) => Promise<unknown>;
  readonly fate: () => HostState;
  /** Ends the process for what this isolate did. */
  readonly kill: (why: Kill) => void;
  /** A fault inside a process that still answers: it gets no further isolate. */
  readonly retire: () => void;
  /** The isolate's thread has stopped. */
  readonly forget: () => void;
  /** The isolate is dead, and what it holds is given back with its process alone. */
  readonly bury: () => void;
  /** Places for further isolates. */
  readonly places: HostSlots;
  /** An isolate for a parallel branch of what runs in this one. */
  readonly openBranch: () => HostIsolate;
}

export interface IsolateFacts {
  readonly name: string;
  /** Settles once it can be told whether it could be made; time runs from then. */
  readonly made: Promise<boolean>;
}

/** An isolate as the pool knows it: branches are asked through it too. */
export interface HostIsolate extends Isolate {
  isRoomy(): Promise<boolean>;
  request<R extends IsolateRequest>(request: R, options: BranchOptions): Promise<GuestOutcome<GuestReply<R>>>;
  loadAndRequest<R extends IsolateRequest>(
    code: string,
    request: R,
    options: BranchOptions,
  ): Promise<LoadedOutcome<GuestReply<R>>>;
}

/** An isolate as its host knows it. */
export interface OwnedIsolate extends HostIsolate {
  readonly isRunning: () => boolean;
  /** Whether it may make a capability call now. */
  readonly mayCall: () => boolean;
  answerCall(call: CapabilityCall): Promise<string>;
  /** The host has made it. */
  readonly opened: () => void;
  /** Its process is dead: what runs comes to `loss`, and every later request to `later`. */
  readonly died: (loss: Loss, later: Loss) => void;
}

type Phase = 'idle' | 'running' | 'stopping' | 'gone';

interface Running {
  readonly request: EvaluateRequest | BranchRequest | null;
  readonly options: BranchOptions;
  /** Raised at its end: its branches end with it. */
  readonly ended: AbortController;
}

/** What a request came to. */
type Came =
  | { readonly type: 'answered'; readonly answer: GivenAnswer }
  /** `late`: what the host says of it all the same; whatever else when it died over it. */
  | { readonly type: 'lost'; readonly loss: Loss; readonly late: Promise<unknown> };

type GivenAnswer = Answer | Unreadable;

/** Why what an evaluation began is over. Without a reason node makes an error with its stack for each. */
const ANSWERED = 'answered';
/** A stopped isolate answers within this; one that does not is ended with its process (design.md §1.3). */
const STOP_GRACE_MS = 500;
/**
 * One that runs nothing cannot refuse to stop: only a busy machine lets it wait, and its neighbours are not to pay for
 * that.
 */
const IDLE_GRACE_MS = 10_000;
/** Percent of a heap in use at most: what is garbage then takes no room from a program that needs it all. */
const ROOMY = 50;
/** The longest that a timer can be set to. */
const LONGEST_MS = 2 ** 31 - 1;

const NOTHING_LATE = Promise.resolve();

/**
 * One isolate of a host process, from when it is asked for to its end: one request at a time, and its capability calls.
 */
export function hostIsolate({ name, made }: IsolateFacts, owner: IsolateOwner): OwnedIsolate {
  const { connection } = owner;
  let isMade = false;
  let phase: Phase = 'idle';
  /** What it was last loaded with. */
  let bundle: LoadRequest | null = null;
  /** What runs, and what it may have. */
  let running: Running | null = null;
  /** The capability call that is being answered; never rejects. */
  let calling: Promise<string> | null = null;
  /** Ends the running request. */
  let settle: (loss: Loss) => void = () => undefined;
  /** What every later request comes to. */
  let loss: Loss = { status: 'host_lost', cause: 'exited' };
  /** Set once its end has begun. */
  let stopped: Promise<void> | null = null;
  /** What the capability broker threw. */
  let mistake: { readonly error: unknown } | null = null;

  async function answerOf({ name: tool, argumentsText, heap }: CapabilityCall): Promise<string> {
    const current = running;
    if (heap !== null) current?.options.onHeap?.(heap);
    try {
      if (tool === PARALLEL) return await answerBranches(current, argumentsText);
      const answer = current?.options.onCapabilityCall;
      if (current === null || answer === undefined) return REFUSED;
      return CARRIED + (await answer({ name: tool, arguments: argumentsText, ended: current.ended.signal }));
    } catch (error) {
      // Answers are data. A broker that throws is mistaken: the program is ended and the error goes to its owner.
      mistake = { error };
      settle({ status: 'cancelled' });
      return REFUSED;
    }
  }

  /** Runs the parallel branches of an evaluation that may have some. */
  async function answerBranches(current: Running | null, message: string): Promise<string> {
    const parallel = current?.options.parallel;
    if (current === null || current.request === null || parallel === undefined) return REFUSED;
    const { request: caller, options, ended } = current;
    const answered = await answerParallel(message, {
      request: caller,
      options,
      parallel,
      bundle,
      places: owner.places,
      open: owner.openBranch,
      ended: ended.signal,
      now: () => performance.now(),
    });
    return CARRIED + answered;
  }

  /** Stops it, and with it the process if it does not stop in time. */
  function stop(): Promise<void> {
    stopped ??= stopOnce();
    return stopped;
  }

  async function stopOnce(): Promise<void> {
    if (phase === 'gone') return;
    const graceMs = phase === 'idle' ? IDLE_GRACE_MS : STOP_GRACE_MS;
    phase = 'stopping';
    await made;
    const grace = setTimeout(owner.kill, graceMs, 'killed');
    await owner.untilDeath(connection.ask({ type: 'dispose', isolate: name }));
    clearTimeout(grace);
    phase = 'gone';
    owner.forget();
  }

  /** Ends it for good, with its process if that is the remedy; returns when nothing of it runs any more. */
  async function lose(how: Loss, remedy: Remedy): Promise<Loss> {
    if (remedy === 'killed' || remedy === 'protocol_violation') owner.kill(remedy);
    else if (how.status !== 'cancelled') owner.retire();
    const fate = owner.fate();
    loss = how.status === 'cancelled' ? how : { status: 'host_lost', cause: fate === 'alive' ? 'killed' : fate };
    if (fate !== 'alive') {
      await owner.died;
    } else if (remedy === 'drains') {
      phase = 'gone';
      owner.bury();
    } else if (how.status === 'timeout') {
      return (await stopListening()) ? how : { ...how, isHostSilent: true };
    } else {
      await stop();
    }
    return how;
  }

  /** Stops it; whether its process said anything meanwhile. */
  async function stopListening(): Promise<boolean> {
    let hasSpoken = false;
    void connection.ask({ type: 'heap_use', isolate: name }).then(() => (hasSpoken = true));
    await stop();
    return hasSpoken || owner.fate() === 'alive';
  }

  async function ask(load: string, message: IsolateRequest, options: BranchOptions): Promise<Came> {
    const { timeoutMs, signal, parallel } = options;
    if (phase === 'running') throw new Error('an isolate takes one request at a time');
    if (phase !== 'idle') return { type: 'lost', loss, late: NOTHING_LATE };
    if (signal?.aborted === true) {
      loss = { status: 'cancelled' };
      await stop();
      return { type: 'lost', loss, late: NOTHING_LATE };
    }
    phase = 'running';
    const evaluation = message.operation === 'evaluate' || message.operation === 'branch' ? message : null;
    const ended = new AbortController();
    running = { request: evaluation, options, ended };
    const sent = evaluation === null || parallel === undefined ? message : { ...evaluation, branches: true };
    const lost = new Promise<Loss>((resolve) => {
      settle = resolve;
    });
    const wholeMs = Math.min(LONGEST_MS, Math.max(1, Math.ceil(timeoutMs)));
    let deadline: NodeJS.Timeout | undefined;
    void made.finally(() => {
      if (!ended.signal.aborted) deadline = setTimeout(() => settle({ status: 'timeout' }), wholeMs);
    });
    const cancel = (): void => settle({ status: 'cancelled' });
    signal?.addEventListener('abort', cancel);
    const text = JSON.stringify(sent);
    const replying = connection.ask({ type: 'request', isolate: name, timeoutMs: wholeMs, load, text });
    const answer = await Promise.race([replying, lost]);
    ended.abort(ANSWERED);
    clearTimeout(deadline);
    signal?.removeEventListener('abort', cancel);
    if (mistake !== null) {
      await stop();
      throw mistake.error;
    }
    if ('type' in answer) {
      if (answer.type === 'replied' && answer.heap !== null) options.onHeap?.(answer.heap);
      return { type: 'answered', answer };
    }
    const how = await lose(answer, 'none');
    // A branch has not ended before its call has: the next operation's branch of the same place makes calls of its own.
    if (options.enclosing !== undefined) await calling;
    return { type: 'lost', loss: how, late: owner.untilDeath(replying) };
  }

  /** Reads the host's answer to a request. */
  async function conclude<R extends IsolateRequest>(
    message: R,
    answer: GivenAnswer,
  ): Promise<GuestOutcome<GuestReply<R>>> {
    if (answer.type === 'replied') {
      const reply = parseGuestReply(message, answer.text);
      // Its neighbours are not to pay for a mistake of the guest's: the isolate alone is ended.
      if (reply === null) return lose(VIOLATION, isInternalFault(answer.text) ? 'none' : 'protocol_violation');
      phase = 'idle';
      return { status: 'replied', reply };
    }
    if (answer.type !== 'ended') return lose(VIOLATION, 'protocol_violation');
    const { loss: how, remedy } = AFTER_ENDING[answer.ending];
    return lose(how, remedy);
  }

  return {
    isRunning: () => phase === 'running',
    mayCall: () => isMade && calling === null && (phase === 'running' || phase === 'stopping'),
    opened: () => {
      isMade = true;
    },

    died(how, later) {
      loss = later;
      phase = 'gone';
      settle(how);
    },

    async answerCall(call) {
      calling = answerOf(call);
      const answer = await calling;
      calling = null;
      return answer;
    },

    async request<R extends IsolateRequest>(message: R, options: BranchOptions) {
      const asked: IsolateRequest = message;
      if (asked.operation === 'load') bundle = asked;
      const came = await ask('', message, options);
      return came.type === 'answered' ? conclude(message, came.answer) : came.loss;
    },

    async loadAndRequest<R extends IsolateRequest>(
      code: string,
      message: R,
      options: BranchOptions,
    ): Promise<LoadedOutcome<GuestReply<R>>> {
      const load: LoadRequest = { operation: 'load', code };
      bundle = load;
      const came = await ask(JSON.stringify(load), message, options);
      if (came.type === 'lost') return { attached: !isNotLoaded(await came.late), outcome: came.loss };
      const { answer } = came;
      if (answer.type !== 'not_loaded') return { attached: true, outcome: await conclude(message, answer) };
      const outcome = await conclude(load, answer.load);
      if (outcome.status !== 'replied') return { attached: false, outcome };
      const { reply } = outcome;
      return {
        attached: false,
        outcome:
          reply.status === 'refused' ? { status: 'replied', reply } : await lose(VIOLATION, 'protocol_violation'),
      };
    },

    isUsable: () => phase === 'idle',

    async isRoomy() {
      if (phase !== 'idle') return false;
      const asked = connection.ask({ type: 'heap_use', isolate: name });
      const use = await owner.untilDeath(asked.then((answer) => answer.type === 'heap_use' && answer.percent <= ROOMY));
      return use === true;
    },

    async dispose() {
      if (phase === 'gone') return;
      const isIdle = phase === 'idle';
      loss = { status: 'cancelled' };
      settle({ status: 'cancelled' });
      const stopping = stop();
      // An isolate that runs nothing lets go by itself, and if it should not, its process is killed for it.
      if (!isIdle) await stopping;
    },
  };
}

function isNotLoaded(late: unknown): boolean {
  return typeof late === 'object' && late !== null && 'type' in late && late.type === 'not_loaded';
}
