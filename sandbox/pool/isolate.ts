import { PARALLEL } from '../../contract/parallel.ts';
import type {
  BranchRequest,
  EvaluateRequest,
  GuestOutcome,
  GuestReply,
  IsolateRequest,
  LoadRequest,
} from '../../contract/sandbox-protocol.ts';
import { LONGEST_TIMER_MS } from '../../contract/limits/longest-timer.ts';
import { type Answer, type CapabilityCall, CARRIED, REFUSED, type Unreadable } from '../wire/messages.ts';
import { answerParallel, type BranchOptions } from './branches.ts';
import type { HostSlots } from './branch-isolates.ts';
import type { HostConnection } from './host-connection.ts';
import type { Isolate, LoadedOutcome } from './interface.ts';
import { type IsolateAction, type IsolateEvent, mayCall, NEW_ISOLATE, stepIsolate } from './isolate-machine.ts';
import { AFTER_ENDING, type HostState, type Kill, type Loss, type Remedy, VIOLATION } from './losses.ts';
import { isInternalFault, parseGuestReply } from './reply.ts';
import { timeOf, type RequestTime } from './request-time.ts';

/** Its process, as far as an isolate needs it. */
export interface IsolateOwner {
  readonly connection: HostConnection;
  readonly died: Promise<unknown>;
  /** What is awaited, or how it died if that is first. */
  readonly untilDeath: <Value>(awaited: Promise<Value>) => Promise<unknown>;
  readonly state: () => HostState;
  /** Ends the process for what this isolate did. */
  readonly kill: (why: Kill) => void;
  /** Calls back once the process has had so much time (stop-grace.ts); returns what ends the watch. */
  readonly startGrace: (graceMs: number, onOver: () => void) => () => void;
  /** A fault inside a process that still answers: it gets no further isolate. */
  readonly drain: () => void;
  /** The isolate's thread has stopped. */
  readonly unregister: () => void;
  /** The isolate is dead, and what it holds is given back with its process alone. */
  readonly orphan: () => void;
  /** Places for further isolates. */
  readonly places: HostSlots;
  /** An isolate for a parallel branch of what runs in this one. */
  readonly openBranch: () => BranchableIsolate;
}

export interface IsolateFacts {
  readonly name: string;
  /** Settles once it is known whether it could be made; time runs from then. */
  readonly made: Promise<boolean>;
}

/** An isolate as the pool knows it: branches are asked through it too. */
export interface BranchableIsolate extends Isolate {
  isRoomy(): Promise<boolean>;
  request<R extends IsolateRequest>(request: R, options: BranchOptions): Promise<GuestOutcome<GuestReply<R>>>;
  loadAndRequest<R extends IsolateRequest>(
    code: string,
    request: R,
    options: BranchOptions,
  ): Promise<LoadedOutcome<GuestReply<R>>>;
}

/** The capability broker, or whatever else this side called for a program, threw. */
interface Mistake {
  readonly status: 'mistaken';
  readonly error: unknown;
}

interface Running {
  readonly request: EvaluateRequest | BranchRequest | null;
  readonly options: BranchOptions;
  /** Raised at its end: its branches end with it. */
  readonly ended: AbortController;
  /** Ends it, unless it has an answer. */
  readonly settle: (how: Loss | Mistake) => void;
  /** Says that it no longer computes; null while it does not. */
  rest: (() => void) | null;
}

/** What ends a request. */
interface Limiting {
  readonly time: RequestTime;
  readonly signal: AbortSignal | undefined;
  readonly ended: AbortSignal;
  readonly settle: Running['settle'];
}

type ReadAnswer = Answer | Unreadable;

/** What a request came to. */
type Came =
  | { readonly type: 'answered'; readonly answer: ReadAnswer }
  /** `late`: what the host says of it all the same; anything else when it died over it. */
  | { readonly type: 'lost'; readonly loss: Loss; readonly late: Promise<unknown> };

/** Why what an evaluation began is over. Without a reason node makes an error with its stack for each. */
const ANSWERED = 'answered';
/** Percent of a heap in use at most: what is garbage then takes no room from a program that needs it all. */
const ROOMY = 50;
const NOTHING_LATE = Promise.resolve();

/**
 * One isolate of a host process, from when it is asked for to its end: one request at a time, and its capability calls.
 * isolate-machine.ts decides what becomes of it.
 */
export class HostedIsolate implements BranchableIsolate {
  readonly #facts: IsolateFacts;
  readonly #owner: IsolateOwner;
  #state = NEW_ISOLATE;
  /** What it was last loaded with. */
  #bundle: LoadRequest | null = null;
  /** What runs, or ran last, and what it may have. */
  #running: Running | null = null;
  /** The capability call that is being answered; never rejects. */
  #calling: Promise<string> | null = null;
  /** Settles when none of it runs; null: its end has not started. */
  #stopped: Promise<void> | null = null;

  constructor(facts: IsolateFacts, owner: IsolateOwner) {
    this.#facts = facts;
    this.#owner = owner;
  }

  isRunning(): boolean {
    return this.#state.phase === 'running';
  }

  isUsable(): boolean {
    return this.#state.phase === 'idle';
  }

  /** Whether it may make a capability call now. */
  mayCall(): boolean {
    return mayCall(this.#state);
  }

  /** The host has made it. */
  opened(): void {
    this.#step({ event: 'made' });
  }

  /** Its process is dead: what runs comes to `loss`, and every later request to `later`. */
  died(loss: Loss, later: Loss): void {
    this.#step({ event: 'died', loss, later });
  }

  async answerCall(call: CapabilityCall): Promise<string> {
    this.#step({ event: 'call' });
    const running = this.#running;
    running?.rest?.();
    this.#calling = this.#answerOf(call);
    const answer = await this.#calling;
    if (running !== null && !running.ended.signal.aborted) running.rest = timeOf(running.options).work();
    this.#step({ event: 'called' });
    return answer;
  }

  async request<R extends IsolateRequest>(message: R, options: BranchOptions): Promise<GuestOutcome<GuestReply<R>>> {
    const isolateRequest: IsolateRequest = message;
    if (isolateRequest.operation === 'load') this.#bundle = isolateRequest;
    const came = await this.#ask('', message, options);
    return came.type === 'answered' ? this.#conclude(message, came.answer) : came.loss;
  }

  async loadAndRequest<R extends IsolateRequest>(
    code: string,
    message: R,
    options: BranchOptions,
  ): Promise<LoadedOutcome<GuestReply<R>>> {
    const load: LoadRequest = { operation: 'load', code };
    this.#bundle = load;
    const came = await this.#ask(JSON.stringify(load), message, options);
    if (came.type === 'lost') return { attached: !isNotLoaded(await came.late), outcome: came.loss };
    const { answer } = came;
    if (answer.type !== 'not_loaded') return { attached: true, outcome: await this.#conclude(message, answer) };
    const outcome = await this.#conclude(load, answer.load);
    if (outcome.status !== 'replied') return { attached: false, outcome };
    const { reply } = outcome;
    if (reply.status === 'refused') return { attached: false, outcome: { status: 'replied', reply } };
    return { attached: false, outcome: await this.#lose(VIOLATION, 'protocol_violation') };
  }

  async isRoomy(): Promise<boolean> {
    if (!this.isUsable()) return false;
    const asking = this.#owner.connection.ask({ type: 'heap_use', isolate: this.#facts.name });
    const isRoomy = asking.then((answer) => answer.type === 'heap_use' && answer.percent <= ROOMY);
    return (await this.#owner.untilDeath(isRoomy)) === true;
  }

  async dispose(): Promise<void> {
    const isIdle = this.#state.phase === 'idle';
    this.#step({ event: 'dispose' });
    // An isolate that runs nothing lets go by itself, and if it should not, its process is killed for it.
    if (!isIdle) await this.#stopped;
  }

  #step(event: IsolateEvent): void {
    const { state, actions } = stepIsolate(this.#state, event);
    this.#state = state;
    for (const action of actions) this.#do(action);
  }

  #do(action: IsolateAction): void {
    switch (action.action) {
      case 'settle':
        return this.#running?.settle(action.loss);
      case 'stop':
        this.#stopped = this.#stop(action.graceMs);
        return;
      case 'kill':
        return this.#owner.kill(action.why);
      case 'retire':
        return this.#owner.drain();
      case 'forget':
        return this.#owner.unregister();
      case 'bury':
        return this.#owner.orphan();
    }
  }

  async #stop(graceMs: number): Promise<void> {
    const { connection, kill, startGrace, untilDeath } = this.#owner;
    await this.#facts.made;
    const endGrace = startGrace(graceMs, () => kill('killed'));
    await untilDeath(connection.ask({ type: 'dispose', isolate: this.#facts.name }));
    endGrace();
    this.#step({ event: 'released' });
  }

  /** Ends it for good; returns what it came to when none of it runs any more. */
  async #lose(loss: Loss, remedy: Remedy): Promise<Loss> {
    this.#step({ event: 'lost', loss, remedy, process: this.#owner.state() });
    if (this.#owner.state() !== 'alive') {
      await this.#owner.died;
      return loss;
    }
    if (loss.status !== 'timeout') {
      await this.#stopped;
      return loss;
    }
    let hasSpoken = false;
    void this.#owner.connection.ask({ type: 'heap_use', isolate: this.#facts.name }).then(() => (hasSpoken = true));
    await this.#stopped;
    return hasSpoken || this.#owner.state() === 'alive' ? loss : { ...loss, isHostSilent: true };
  }

  async #ask(load: string, message: IsolateRequest, options: BranchOptions): Promise<Came> {
    const wasUsable = this.isUsable();
    this.#step({ event: 'ask', isCancelled: options.signal?.aborted === true });
    if (!this.isRunning()) {
      if (wasUsable) await this.#stopped;
      return { type: 'lost', loss: this.#state.loss, late: NOTHING_LATE };
    }
    const evaluation = message.operation === 'evaluate' || message.operation === 'branch' ? message : null;
    const sent = evaluation === null || options.parallel === undefined ? message : { ...evaluation, branches: true };
    const { promise: ending, resolve: settle } = Promise.withResolvers<Loss | Mistake>();
    const ended = new AbortController();
    const time = timeOf(options);
    const running: Running = { request: evaluation, options, ended, settle, rest: time.work() };
    this.#running = running;
    const timeoutMs = Math.min(LONGEST_TIMER_MS, Math.max(1, Math.ceil(options.timeoutMs)));
    const clearLimits = this.#limit(timeoutMs, { time, signal: options.signal, ended: ended.signal, settle });
    const { name } = this.#facts;
    const text = JSON.stringify(sent);
    const wantsHeap = options.onHeap !== undefined;
    const requested = { type: 'request', isolate: name, timeoutMs, load, text, wantsHeap } as const;
    const replying = this.#owner.connection.ask(requested);
    const answer = await Promise.race([replying, ending]);
    ended.abort(ANSWERED);
    running.rest?.();
    clearLimits();
    if ('type' in answer) {
      if (answer.type === 'replied' && answer.heap !== null) options.onHeap?.(answer.heap);
      return { type: 'answered', answer };
    }
    if (answer.status === 'mistaken') {
      this.#step({ event: 'stop' });
      await this.#stopped;
      throw answer.error;
    }
    const loss = await this.#lose(answer, 'none');
    // A branch has not ended before its call has: the next operation's branch of the same place makes calls of its own.
    if (options.enclosing !== undefined) await this.#calling;
    return { type: 'lost', loss, late: this.#owner.untilDeath(replying) };
  }

  /** Ends a request when its caller does, and at its deadline, which is counted from when the isolate is made. */
  #limit(timeoutMs: number, { time, signal, ended, settle }: Limiting): () => void {
    let cancelDeadline: (() => void) | undefined;
    void this.#facts.made.finally(() => {
      if (!ended.aborted) cancelDeadline = time.after(timeoutMs, () => settle({ status: 'timeout' }));
    });
    const cancel = (): void => settle({ status: 'cancelled' });
    signal?.addEventListener('abort', cancel);
    return () => {
      cancelDeadline?.();
      signal?.removeEventListener('abort', cancel);
    };
  }

  /** Reads the host's answer to a request. */
  async #conclude<R extends IsolateRequest>(message: R, answer: ReadAnswer): Promise<GuestOutcome<GuestReply<R>>> {
    if (answer.type === 'replied') {
      const reply = parseGuestReply(message, answer.text);
      // Its neighbours are not to pay for a mistake of the guest's: the isolate alone is ended.
      if (reply === null) return this.#lose(VIOLATION, isInternalFault(answer.text) ? 'none' : 'protocol_violation');
      this.#step({ event: 'replied' });
      return { status: 'replied', reply };
    }
    if (answer.type !== 'ended') return this.#lose(VIOLATION, 'protocol_violation');
    const { loss, remedy } = AFTER_ENDING[answer.ending];
    return this.#lose(loss, remedy);
  }

  async #answerOf({ name, argumentsText }: CapabilityCall): Promise<string> {
    const current = this.#running;
    if (current === null) return REFUSED;
    try {
      if (name === PARALLEL) return await this.#answerBranches(current, argumentsText);
      const { onCapabilityCall } = current.options;
      if (onCapabilityCall === undefined) return REFUSED;
      return (
        CARRIED +
        (await onCapabilityCall({ name, arguments: argumentsText, saysPlace: true, ended: current.ended.signal }))
      );
    } catch (error) {
      // Answers are data. A broker that throws is mistaken: the program is ended and the error goes to its owner.
      current.settle({ status: 'mistaken', error });
      return REFUSED;
    }
  }

  /** Runs the parallel branches of an evaluation that may have some. */
  async #answerBranches({ request, options, ended }: Running, message: string): Promise<string> {
    const { parallel } = options;
    if (request === null || parallel === undefined) return REFUSED;
    const answered = await answerParallel(message, {
      request,
      options,
      parallel,
      bundle: this.#bundle,
      places: this.#owner.places,
      open: this.#owner.openBranch,
      ended: ended.signal,
      now: () => timeOf(options).monotonic(),
    });
    return CARRIED + answered;
  }
}

function isNotLoaded(late: unknown): boolean {
  return typeof late === 'object' && late !== null && 'type' in late && late.type === 'not_loaded';
}
