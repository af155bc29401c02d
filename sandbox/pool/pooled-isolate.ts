import type { CapabilityCall, GuestOutcome, GuestReply, GuestRequest } from '../../contract/sandbox-protocol.ts';
import { LONGEST_TIMER_MS } from '../../contract/limits/longest-timer.ts';
import type { BranchGate, GatedOptions } from './branch-gate.ts';
import type { Wanted } from './fleet-machine.ts';
import type { HostFleet, Waiting } from './host-fleet.ts';
import type { FirstIsolate } from './host-process.ts';
import type { Opening } from './host.ts';
import type { Isolate, LoadedOutcome, RequestOptions } from './interface.ts';
import type { Loss } from './losses.ts';
import type { PoolListener } from './pool-event.ts';
import { timeOf } from './request-time.ts';
import type { Turn, Turns } from './turns.ts';

/** What an isolate has of its pool. */
export interface PoolServices {
  readonly fleet: HostFleet;
  readonly turns: Turns;
  readonly report: PoolListener;
  readonly isClosing: () => boolean;
  /** Another like this one was made: there may be more. */
  readonly keepReady: (next: FirstIsolate) => Promise<void>;
}

/** A host that dies while its first isolate is made says nothing about the next one. */
const ATTEMPTS = 2;
/** Most are done in a few milliseconds. What takes longer gets what the machine gives it. */
const LONGEST_REQUEST_MS = 50;
/**
 * Then a request goes on without its turn: among programs that compute without an end none waits for the rest
 * (turns.ts).
 */
const LONGEST_WAIT_MS = 1000;
/**
 * An isolate as the person who asked for it has it, each of its requests in a turn; what it waits for that, or for a
 * process, is part of its time. The first may be made while the isolate is, in the turn of that. When it could not be
 * made, and nothing was done in it, another is tried. So it is, in a process of its own, when its first request was
 * lost before it called anything, through another program or by a signal that this program may have caused or not:
 * which of both it was, the process of its own shows.
 */
export class PooledIsolate implements Isolate {
  readonly #pool: PoolServices;
  #wanted: Wanted;
  #opening: Opening | null;
  #waiting: Waiting | null = null;
  /** What every request comes to that finds no process. */
  #loss: Loss = { status: 'host_lost', cause: 'killed' };
  #attempts = 1;
  /** Whether anyone has seen anything of it: an answer, or a call. */
  #isSeen = false;
  #isDisposed = false;
  /** In which it is made, until that is done or its first request goes on in it. */
  #making: Turn | null;

  /** `started`: in which it is made. */
  constructor(pool: PoolServices, started: Turn, wanted: Wanted) {
    this.#pool = pool;
    this.#wanted = wanted;
    this.#making = started;
    this.#opening = pool.fleet.open(wanted);
    if (this.#opening === null) {
      this.#endMaking();
      this.#enqueue();
    } else {
      this.#noteOpened(this.#opening);
      void this.#opening.made.finally(() => this.#endMaking());
    }
  }

  isUsable(): boolean {
    return !this.#isDisposed && (this.#opening?.isolate.isUsable() ?? this.#waiting !== null);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#loss = { status: 'cancelled' };
    this.#waiting?.leave();
    await this.#opening?.isolate.dispose();
  }

  request<R extends GuestRequest>(message: R, options: RequestOptions): Promise<GuestOutcome<GuestReply<R>>> {
    return this.#during<GuestOutcome<GuestReply<R>>>(
      options,
      (lost) => lost,
      (isolate, inside) => isolate.request(message, inside),
    );
  }

  loadAndRequest<R extends GuestRequest>(
    code: string,
    message: R,
    options: RequestOptions,
  ): Promise<LoadedOutcome<GuestReply<R>>> {
    return this.#during<LoadedOutcome<GuestReply<R>>>(
      options,
      (outcome) => ({ attached: true, outcome }),
      (isolate, inside) => isolate.loadAndRequest(code, message, inside),
    );
  }

  #endMaking(): void {
    this.#making?.end();
    this.#making = null;
  }

  #noteOpened({ made }: Opening): void {
    const { environment, heapWords } = this.#wanted;
    void made.then(() => this.#pool.keepReady({ environment, heapWords }));
  }

  /** Waits for a process, if one more may. */
  #enqueue(): void {
    const { fleet, report } = this.#pool;
    const { tenant } = this.#wanted;
    const retryAfterMs = fleet.retryAfterMs(tenant);
    if (retryAfterMs === null) {
      this.#waiting = fleet.wait(this.#wanted);
      void this.#await(this.#waiting);
      return;
    }
    this.#loss = { status: 'host_lost', cause: 'no_room' };
    report({ event: 'turned_away', tenant, retryAfterMs });
  }

  async #await(waiting: Waiting): Promise<void> {
    const opened = await waiting.opening;
    if (this.#waiting === waiting) this.#waiting = null;
    this.#opening = opened;
    if (opened === null) return;
    this.#noteOpened(opened);
    if (this.#isDisposed) void opened.isolate.dispose();
  }

  /** Where it is made; what a request comes to that finds no place for it in time. */
  async #placed(leftMs: number, signal: AbortSignal | undefined): Promise<Opening | Loss> {
    const waiting = this.#waiting;
    if (waiting !== null) {
      const input = await within(waiting.opening, leftMs, signal);
      if (input === 'late') this.#loss = { status: 'timeout', isHostSilent: true };
      if (input === 'gone') this.#loss = { status: 'cancelled' };
      if (input === 'late' || input === 'gone') waiting.leave();
    }
    return this.#opening ?? this.#loss;
  }

  async #turnFor({ signal }: RequestOptions, leftMs: number): Promise<Turn> {
    const turn = this.#making;
    this.#making = null;
    if (turn?.goOn(LONGEST_REQUEST_MS) === true) return turn;
    turn?.end();
    return this.#takeTurn(leftMs, signal);
  }

  #takeTurn(leftMs: number, signal: AbortSignal | undefined): Promise<Turn> {
    const patience = { waitMs: Math.min(leftMs, LONGEST_WAIT_MS), lastMs: leftMs, signal };
    return this.#pool.turns.take('next', LONGEST_REQUEST_MS, { tenant: this.#wanted.tenant, ...patience });
  }

  async #during<T extends GuestOutcome<unknown> | LoadedOutcome<unknown>>(
    options: RequestOptions,
    lost: (loss: Loss) => T,
    work: (isolate: Isolate, inside: GatedOptions) => Promise<T>,
  ): Promise<T> {
    const time = timeOf(options);
    const askedAt = time.monotonic();
    const { timeoutMs, signal } = options;
    const leftMs = (): number => timeoutMs - (time.monotonic() - askedAt);
    if (this.#waiting !== null) await this.#placed(leftMs(), signal);
    if (this.#opening === null) return lost(this.#loss);
    const turn = await this.#turnFor(options, leftMs());
    const inside = this.#gated(options, turn);
    try {
      for (;;) {
        const result = await work(this.#opening.isolate, { ...inside, timeoutMs: leftMs() });
        if (await this.#openAgain(outcomeOf(result), leftMs, signal)) continue;
        return isCrash(outcomeOf(result)) && this.#wanted.isAlone ? lost({ status: 'memory_exceeded' }) : result;
      }
    } finally {
      this.#isSeen = true;
      turn.end();
    }
  }

  /** The options of a request that is made in this turn: without it while it waits for this side. */
  #gated(options: RequestOptions, turn: Turn): GatedOptions {
    const { onCapabilityCall } = options;
    const branches: BranchGate = {
      without: (wait) => turn.without(wait),
      take: (waitMs, ended) => this.#takeTurn(waitMs, ended),
    };
    if (onCapabilityCall === undefined) return { ...options, branches };
    const call = (made: CapabilityCall): Promise<string> => {
      this.#isSeen = true;
      return turn.without(() => onCapabilityCall(made));
    };
    return { ...options, branches, onCapabilityCall: call };
  }

  /** Whether a request that came to this is made again, elsewhere. */
  async #openAgain(
    outcome: GuestOutcome<unknown>,
    leftMs: () => number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { fleet, isClosing } = this.#pool;
    const former = this.#opening;
    if (outcome.status !== 'host_lost' || former === null || this.#isDisposed || isClosing() || leftMs() <= 0)
      return false;
    if (!(await former.made)) {
      if (this.#attempts === ATTEMPTS) return false;
      this.#attempts += 1;
    } else if (isForAnother(outcome.cause) && !this.#wanted.isAlone && !this.#isSeen) {
      this.#wanted = { ...this.#wanted, isAlone: true };
    } else {
      return false;
    }
    const again = fleet.open(this.#wanted);
    if (again !== null) {
      this.#opening = again;
      return true;
    }
    this.#enqueue();
    const found = await this.#placed(leftMs(), signal);
    if ('isolate' in found && found !== former) return true;
    this.#opening = former;
    return false;
  }
}

/** What is awaited, or why it is no longer. Timers beyond what a timer can be set to wait as long as they can. */
async function within<T>(
  awaited: Promise<T>,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<T | 'late' | 'gone'> {
  if (signal?.aborted === true) return 'gone';
  const { promise: over, resolve } = Promise.withResolvers<'late' | 'gone'>();
  const timer = setTimeout(resolve, Math.min(LONGEST_TIMER_MS, Math.max(0, waitMs)), 'late');
  const onAbort = (): void => resolve('gone');
  signal?.addEventListener('abort', onAbort);
  try {
    return await Promise.race([awaited, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function outcomeOf(result: GuestOutcome<unknown> | LoadedOutcome<unknown>): GuestOutcome<unknown> {
  return 'attached' in result ? result.outcome : result;
}

/** A fault in memory that comes again in a process of its own is no accident, and nobody else's doing. */
function isCrash(outcome: GuestOutcome<unknown>): boolean {
  return outcome.status === 'host_lost' && outcome.cause === 'crashed';
}

/** Whether another program may be why a host was lost. */
function isForAnother(cause: Extract<Loss, { readonly status: 'host_lost' }>['cause']): boolean {
  return cause === 'neighbour' || cause === 'crashed';
}
