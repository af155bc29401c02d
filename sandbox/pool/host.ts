import type { BranchRequest, EnvironmentKind, EvaluateRequest, GuestOutcome, GuestReply, IsolateRequest, LoadRequest } from '../../contract/sandbox-protocol.ts';
import { CARRIED, NOT_LOADED, OPENED, parseEnding, REFUSED, REPLIED } from '../wire/host-api.ts';
import { connectHost } from './host-connection.ts';
import { answerParallel, type BranchOptions, PARALLEL } from './branches.ts';
import { type FirstIsolate, type HostExit, startHostProcess } from './host-process.ts';
import type { Isolate, LoadedOutcome } from './interface.ts';
import { AFTER_ENDING, type Kill, type Loss, VIOLATION } from './losses.ts';
import type { SandboxOptions } from './options.ts';
import { parseGuestReply } from './reply.ts';

type Phase = 'idle' | 'running' | 'stopping' | 'gone';

interface IsolateState {
  readonly name: string;
  readonly environment: EnvironmentKind;
  readonly heapWords: number;
  /** Name of the isolate for whose evaluation it runs a parallel branch; its own otherwise. */
  readonly root: string;
  /** Settles once it can be told whether it could be made; time runs from then. */
  readonly made: Promise<boolean>;
  isMade: boolean;
  phase: Phase;
  /** What it was last loaded with. */
  bundle: LoadRequest | null;
  /** The evaluation that runs, and what it may have. */
  running: Running | null;
  /** The capability call that is being answered; never rejects. */
  calling: Promise<unknown> | null;
  /** Ends the running request. */
  settle: (loss: Loss) => void;
  /** What every later request comes to. */
  loss: Loss;
  /** Set once its end has begun. */
  stopped: Promise<void> | null;
  /** What the capability broker threw. */
  mistake: { readonly error: unknown } | null;
}

interface Running {
  readonly request: EvaluateRequest | BranchRequest | null;
  readonly options: BranchOptions;
  /** Raised at its end: its branches end with it. */
  readonly ended: AbortController;
}

/** An isolate as the host knows it: branches are asked through it too. */
interface HostIsolate extends Isolate {
  isRoomy(): Promise<boolean>;
  request<R extends IsolateRequest>(request: R, options: BranchOptions): Promise<GuestOutcome<GuestReply<R>>>;
  loadAndRequest<R extends IsolateRequest>(code: string, request: R, options: BranchOptions): Promise<LoadedOutcome<GuestReply<R>>>;
}

/** One host process and the isolates in it: the owner of their lives, and of the process's death. */
export interface Host {
  /** Isolates that are open or being opened. */
  readonly isolates: () => number;
  /** False once it has seen a fault or has ended: it gets no further isolate. */
  readonly isSound: () => boolean;
  /** Asks for an isolate, of which requests may be made at once: they come after it. */
  open(environment: EnvironmentKind, heapWords: number): Opening;
  /** Kills the process and waits for its death. */
  end(): Promise<void>;
  readonly pid: number | undefined;
}

/** An isolate that is being made. One that could not be made answers every request with its loss. */
export interface Opening {
  readonly isolate: Isolate;
  /** Whether it could be made; never rejects. */
  readonly made: Promise<boolean>;
}

export interface HostEvents {
  /** It is no longer sound, or holds an isolate less. */
  readonly onChange: (host: Host) => void;
}

/** Why what an evaluation began is over. Without a reason node makes an error with its stack for each. */
const ANSWERED = 'answered';
/** A stopped isolate answers within this; one that does not is ended with its process (architecture.md §1.3). */
const STOP_GRACE_MS = 500;
/** One that runs nothing cannot refuse to stop: only a busy machine lets it wait, and its neighbours are not to pay for that. */
const IDLE_GRACE_MS = 10_000;
/** A process and its first isolate are there within a second on a busy machine. */
const LONGEST_START_MS = 10_000;
/** One that has made isolates is only slow: its neighbours are not to pay for that soon. */
const LONGEST_MAKING_MS = 60_000;
/** At most half of a heap in use, in percent: what is garbage then takes no room from a program that needs it all. */
const ROOMY = /^([1-4]?\d|50)$/;
/** The longest that a timer can be set to. */
const LONGEST_MS = 2 ** 31 - 1;
/** Signals by which a process dies of its own: V8 aborts, traps and faults when it finds no memory or no stack. */
const CRASH_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS']);

/**
 * Starts a host process. Never throws: a host that cannot start is one that has died, and its isolates answer so.
 */
export function startHost(options: SandboxOptions, first: FirstIsolate, events: HostEvents): Host {
  const child = startHostProcess(options, first);
  const states = new Map<string, IsolateState>();
  let opened = 0;
  let sound = true;
  /** Whether it has made an isolate. */
  let hasMade = false;
  /** Set by the first reason for its death. */
  let fate: Kill | 'alive' | 'exited' = 'alive';

  const died: Promise<HostExit> = child.exited.then((exit) => {
    sound = false;
    settleAll(exit);
    events.onChange(host);
    return exit;
  });

  // A host that closes its pipe has nothing left to live for; one that is dying is not changed by this.
  child.pipe.once('close', () => child.kill());

  const remote = connectHost(child.pipe, {
    onOpened(name, answer) {
      const state = states.get(name);
      if (state !== undefined) state.isMade = answer === OPENED;
      hasMade ||= answer === OPENED;
    },
    admitsCall(name) {
      const state = states.get(name);
      return state !== undefined && state.isMade && state.calling === null && (state.phase === 'running' || state.phase === 'stopping');
    },
    answerCall,
    onViolation: () => kill('protocol_violation'),
  });

  function kill(why: Kill): void {
    if (fate === 'alive') fate = why;
    sound = false;
    child.kill();
  }

  /** The process is dead: every isolate in it is lost. An evaluation that ran alone, with its branches, has crashed it. */
  function settleAll(exit: HostExit): void {
    const running = new Set([...states.values()].filter((state) => state.phase === 'running').map(({ root }) => root));
    const crashed = fate === 'alive' && exit.signal !== null && CRASH_SIGNALS.has(exit.signal);
    if (fate === 'alive') fate = exit.signal === null || crashed ? 'exited' : 'killed';
    const lost: Loss = { status: 'host_lost', cause: fate };
    for (const state of states.values()) {
      const loss: Loss = crashed && running.size === 1 && state.phase === 'running' ? { status: 'memory_exceeded' } : lost;
      state.loss = lost;
      state.phase = 'gone';
      state.settle(loss);
    }
    states.clear();
  }

  async function answerCall(name: string, tool: string, argumentsText: string): Promise<string> {
    const state = states.get(name);
    if (state === undefined) return REFUSED;
    const answering = answerOf(state, tool, argumentsText);
    state.calling = answering;
    const answer = await answering;
    state.calling = null;
    return answer;
  }

  async function answerOf(state: IsolateState, tool: string, argumentsText: string): Promise<string> {
    const { running } = state;
    try {
      if (tool === PARALLEL) return await answerBranches(state, argumentsText);
      const answer = running?.options.onCapabilityCall;
      if (running === null || answer === undefined) return REFUSED;
      return CARRIED + (await answer({ name: tool, arguments: argumentsText, ended: running.ended.signal }));
    } catch (error) {
      // Answers are data. A broker that throws is mistaken: the program is ended and the error goes to its owner.
      state.mistake = { error };
      state.settle({ status: 'cancelled' });
      return REFUSED;
    }
  }

  /** Runs the parallel branches of an evaluation that may have some. */
  async function answerBranches(state: IsolateState, message: string): Promise<string> {
    const { running, bundle, root, environment, heapWords } = state;
    const parallel = running?.options.parallel;
    if (running === null || running.request === null || parallel === undefined) return REFUSED;
    const { request: caller, options: callerOptions, ended } = running;
    const answered = await answerParallel(message, {
      request: caller,
      options: callerOptions,
      parallel,
      bundle,
      room: () => options.isolatesPerHost - states.size,
      open: () => openIsolate(environment, heapWords, root).isolate,
      ended: ended.signal,
      now: () => performance.now(),
    });
    return CARRIED + JSON.stringify(answered);
  }

  /** Forgets an isolate whose thread has stopped. */
  function forget(state: IsolateState): void {
    if (states.delete(state.name)) {
      state.phase = 'gone';
      events.onChange(host);
    }
  }

  /** Stops an isolate, and with it the process if it does not stop in time. */
  function stop(state: IsolateState): Promise<void> {
    state.stopped ??= stopOnce(state);
    return state.stopped;
  }

  async function stopOnce(state: IsolateState): Promise<void> {
    if (state.phase === 'gone') return;
    const graceMs = state.phase === 'idle' ? IDLE_GRACE_MS : STOP_GRACE_MS;
    state.phase = 'stopping';
    await state.made;
    const grace = setTimeout(kill, graceMs, 'killed');
    await Promise.race([remote.dispose(state.name), died]);
    clearTimeout(grace);
    forget(state);
  }

  /** A fault inside a host that still answers. */
  function retire(): void {
    sound = false;
    events.onChange(host);
  }

  async function request<R extends IsolateRequest>(state: IsolateState, message: R, requestOptions: BranchOptions): Promise<GuestOutcome<GuestReply<R>>> {
    const asked: IsolateRequest = message;
    if (asked.operation === 'load') state.bundle = asked;
    const { answer } = await ask(state, '', message, requestOptions);
    return typeof answer === 'string' ? conclude(state, message, answer) : answer;
  }

  async function loadAndRequest<R extends IsolateRequest>(state: IsolateState, bundle: LoadRequest, message: R, requestOptions: BranchOptions): Promise<LoadedOutcome<GuestReply<R>>> {
    state.bundle = bundle;
    const { answer, late } = await ask(state, JSON.stringify(bundle), message, requestOptions);
    if (typeof answer !== 'string') {
      const attached = (await late)?.startsWith(NOT_LOADED) !== true;
      return { attached, outcome: answer };
    }
    if (!answer.startsWith(NOT_LOADED)) return { attached: true, outcome: await conclude(state, message, answer) };
    const outcome = await conclude(state, bundle, answer.slice(NOT_LOADED.length));
    if (outcome.status !== 'replied') return { attached: false, outcome };
    const { reply } = outcome;
    return { attached: false, outcome: reply.status === 'refused' ? { status: 'replied', reply } : await lose(state, VIOLATION, 'protocol_violation') };
  }

  /** The answer, or why there is none; then `late` is what the host says of it all the same, null when it died over it. */
  async function ask(state: IsolateState, load: string, message: IsolateRequest, requestOptions: BranchOptions): Promise<{ readonly answer: string | Loss; readonly late: Promise<string | null> }> {
    const { timeoutMs, signal, parallel } = requestOptions;
    const none = Promise.resolve(null);
    if (state.phase === 'running') throw new Error('an isolate takes one request at a time');
    if (state.phase !== 'idle') return { answer: state.loss, late: none };
    if (signal?.aborted === true) {
      state.loss = { status: 'cancelled' };
      await stop(state);
      return { answer: state.loss, late: none };
    }
    state.phase = 'running';
    const evaluation = message.operation === 'evaluate' || message.operation === 'branch' ? message : null;
    const ended = new AbortController();
    state.running = { request: evaluation, options: requestOptions, ended };
    const sent = evaluation === null || parallel === undefined ? message : { ...evaluation, branches: true };
    const lost = new Promise<Loss>((resolve) => { state.settle = resolve; });
    const wholeMs = Math.min(LONGEST_MS, Math.max(1, Math.ceil(timeoutMs)));
    let deadline: NodeJS.Timeout | undefined;
    void state.made.finally(() => {
      if (!ended.signal.aborted) deadline = setTimeout(() => state.settle({ status: 'timeout' }), wholeMs);
    });
    const cancel = (): void => state.settle({ status: 'cancelled' });
    signal?.addEventListener('abort', cancel);
    const replying = remote.request(state.name, String(wholeMs), String(load.length), load + JSON.stringify(sent));
    const answer = await Promise.race([replying, lost]);
    ended.abort(ANSWERED);
    clearTimeout(deadline);
    signal?.removeEventListener('abort', cancel);
    const { mistake } = state;
    if (mistake !== null) {
      await stop(state);
      throw mistake.error;
    }
    if (typeof answer === 'string') return { answer, late: none };
    const loss = await lose(state, answer, null);
    // A branch has not ended before its call has: the next operation's branch of the same place makes calls of its own.
    if (requestOptions.enclosing !== undefined) await state.calling;
    return { answer: loss, late: Promise.race([replying, died.then(() => null)]) };
  }

  /** Reads the host's answer to a request. */
  async function conclude<R extends IsolateRequest>(state: IsolateState, message: R, answer: string): Promise<GuestOutcome<GuestReply<R>>> {
    if (answer.startsWith(REPLIED)) {
      const reply = parseGuestReply(message, answer.slice(REPLIED.length));
      if (reply === null) return lose(state, VIOLATION, 'protocol_violation');
      state.phase = 'idle';
      return { status: 'replied', reply };
    }
    const ending = parseEnding(answer);
    if (ending === null) return lose(state, VIOLATION, 'protocol_violation');
    const { loss, kills } = AFTER_ENDING[ending];
    return lose(state, loss, kills);
  }

  /** Ends an isolate for good; returns when nothing of it runs any more. `kills`: its process must go with it. */
  async function lose(state: IsolateState, loss: Loss, kills: Kill | null): Promise<Loss> {
    if (kills !== null) kill(kills);
    else if (loss.status !== 'cancelled') retire();
    state.loss = loss.status === 'cancelled' ? loss : { status: 'host_lost', cause: fate === 'alive' ? 'killed' : fate };
    if (fate === 'alive') await stop(state);
    else await died;
    return loss;
  }

  const host: Host = {
    pid: child.pid,
    isolates: () => states.size,
    isSound: () => sound,

    open: (environment, heapWords) => openIsolate(environment, heapWords, null),

    async end() {
      if (fate === 'alive') kill('killed');
      await died;
    },
  };

  async function makeIsolate(name: string, environment: EnvironmentKind, heapWords: number): Promise<boolean> {
    const late = setTimeout(kill, hasMade ? LONGEST_MAKING_MS : LONGEST_START_MS, 'killed');
    const answer = await Promise.race([remote.open(name, environment, String(heapWords)), died]);
    clearTimeout(late);
    if (answer === OPENED) return true;
    if (typeof answer === 'string') kill('killed');
    await died;
    return false;
  }

  function openIsolate(environment: EnvironmentKind, heapWords: number, root: string | null): Opening & { readonly isolate: HostIsolate } {
    const name = String(++opened);
    const state: IsolateState = {
      name,
      environment,
      heapWords,
      root: root ?? name,
      isMade: false,
      made: makeIsolate(name, environment, heapWords),
      phase: 'idle',
      bundle: null,
      running: null,
      calling: null,
      settle: () => undefined,
      loss: { status: 'host_lost', cause: 'exited' },
      stopped: null,
      mistake: null,
    };
    states.set(state.name, state);
    const isolate: HostIsolate = {
      request: (message, requestOptions) => request(state, message, requestOptions),
      loadAndRequest: (code, message, requestOptions) => loadAndRequest(state, { operation: 'load', code }, message, requestOptions),
      isUsable: () => state.phase === 'idle',
      async isRoomy() {
        const use = state.phase === 'idle' ? await Promise.race([remote.heapUse(state.name), died]) : null;
        return typeof use === 'string' && ROOMY.test(use);
      },
      async dispose() {
        if (state.phase === 'gone') return;
        const isIdle = state.phase === 'idle';
        state.loss = { status: 'cancelled' };
        state.settle({ status: 'cancelled' });
        const stopped = stop(state);
        // An isolate that runs nothing lets go by itself, and if it should not, its process is killed for it.
        if (!isIdle) await stopped;
      },
    };
    return { isolate, made: state.made };
  }

  return host;
}
