import { availableParallelism } from 'node:os';
import type { CapabilityCall, GuestOutcome } from '../../contract/sandbox-protocol.ts';
import type { BranchGate, GatedOptions } from './branch-gate.ts';
import type { Opening } from './host.ts';
import type { Wanted } from './fleet-machine.ts';
import { HostFleet, type Waiting } from './host-fleet.ts';
import type { FirstIsolate } from './host-process.ts';
import type { BoundedSandbox, Isolate, LoadedOutcome, RequestOptions } from './interface.ts';
import type { Loss } from './losses.ts';
import type { SandboxOptions } from './options.ts';
import { guardedListener } from './pool-event.ts';
import { takeTurns, type Turn } from './turns.ts';

/** A host that dies while its first isolate is made says nothing about the next one. */
const ATTEMPTS = 2;
const PROCESSORS = availableParallelism();
/**
 * What is done at a time: isolates that are made, and with them processes that start; requests that are worked at. More
 * at once are not ready earlier, and each process that wants a processor lets the supervisor wait longer for its own. A
 * request that waits for an answer of the supervisor does not count.
 */
const AT_ONCE = 2 * PROCESSORS;
/**
 * Requests of one tenant that compute at once, however long: so that those that never end leave half of each processor
 * to one of another tenant.
 */
const COMPUTING = 2 * PROCESSORS;
/** A busy machine may need a third of it to start a process. */
const LONGEST_OPENING_MS = 1000;
/** Most are done in a few milliseconds. What takes longer gets what the machine gives it. */
const LONGEST_REQUEST_MS = 50;
/**
 * Then a request goes on without its turn: among programs that compute without an end none waits for the rest
 * (turns.ts).
 */
const LONGEST_WAIT_MS = 1000;
/**
 * A program that came to so many hosts goes on to need them: runs with missions one after the other, or many at once.
 * One command does not.
 */
const MANY_HOSTS = 4;
/** What the start of a process takes of one processor, generously. */
const PROCESS_START_MS = 100;

/**
 * Starts one host at once, before anything is asked of it, and further ones as isolates need them. A host serves one
 * environment kind and trust domain for its whole life and never again after a fault (design.md §1.2, §1.3). There are
 * so many at most, which no tenant can keep from the others. Throws TypeError for a bound that leaves nothing to run.
 */
export function startSandbox(options: SandboxOptions): BoundedSandbox {
  const bounds = { slots: AT_ONCE, computing: COMPUTING, processors: PROCESSORS };
  const turns = takeTurns(bounds, (tenant, isHeavy) => fleet.weigh(tenant, isHeavy));
  const fleet = new HostFleet(options, () => turns.waiting('new'));
  const tell = guardedListener(options.onEvent);
  let closing: Promise<unknown> | null = null;
  let isPreparing = false;

  /** Starts a host for the next domain, or for a full one, before either is asked for. */
  async function keepReady(next: FirstIsolate): Promise<void> {
    if (isPreparing || fleet.given() < MANY_HOSTS || fleet.hasReady()) return;
    isPreparing = true;
    const turn = await turns.take('new', PROCESS_START_MS);
    isPreparing = false;
    if (closing !== null || fleet.hasReady()) turn.end();
    else fleet.prepare(next);
  }

  /**
   * An isolate, each of its requests in a turn; what it waits for that, or for a process, is part of its time. The
   * first may be made while the isolate is, in the turn of that. When it could not be made, and nothing was done in it,
   * another is tried. So it is, in a process of its own, when its first request was lost before it called anything,
   * through another program or by a signal that this program may have caused or not: which of both it was, the process
   * of its own shows.
   */
  function inTurn(begun: Turn, first: Wanted): Isolate {
    let wanted = first;
    let opening = fleet.open(wanted);
    let waiting: Waiting | null = null;
    /** What every request comes to that finds no process. */
    let loss: Loss = { status: 'host_lost', cause: 'killed' };
    let attempts = 1;
    /** Whether anyone has seen anything of it: an answer, or a call. */
    let isSeen = false;
    let isDisposed = false;
    let making: Turn | null = begun;
    const endMaking = (): void => {
      making?.end();
      making = null;
    };
    if (opening === null) {
      endMaking();
      enqueue();
    } else {
      noteOpened(opening);
      void opening.made.finally(endMaking);
    }

    function noteOpened({ made }: Opening): void {
      void made.then(() => keepReady({ environment: wanted.environment, heapWords: wanted.heapWords }));
    }

    /** Waits for a process, if one more may. */
    function enqueue(): void {
      const retryAfterMs = fleet.retryAfterMs(wanted.tenant);
      if (retryAfterMs !== null) {
        loss = { status: 'host_lost', cause: 'no_room' };
        tell({ event: 'turned_away', tenant: wanted.tenant, retryAfterMs });
        return;
      }
      const entry = fleet.wait(wanted);
      waiting = entry;
      void (async () => {
        const opened = await entry.opening;
        if (waiting === entry) waiting = null;
        opening = opened;
        if (opened === null) return;
        noteOpened(opened);
        if (isDisposed) void opened.isolate.dispose();
      })();
    }

    /** Where it is made; what a request comes to that finds no place for it in time. */
    async function placed(leftMs: number, signal: AbortSignal | undefined): Promise<Opening | Loss> {
      const entry = waiting;
      if (entry !== null) {
        const given = await within(entry.opening, leftMs, signal);
        if (given === 'late') loss = { status: 'timeout', isHostSilent: true };
        if (given === 'gone') loss = { status: 'cancelled' };
        if (given === 'late' || given === 'gone') entry.leave();
      }
      return opening ?? loss;
    }

    async function turnFor({ signal }: RequestOptions, leftMs: number): Promise<Turn> {
      const turn = making;
      making = null;
      if (turn?.goOn(LONGEST_REQUEST_MS) === true) return turn;
      turn?.end();
      return turns.take('next', LONGEST_REQUEST_MS, {
        tenant: wanted.tenant,
        waitMs: Math.min(leftMs, LONGEST_WAIT_MS),
        lastMs: leftMs,
        signal,
      });
    }

    async function during<T extends GuestOutcome<unknown> | LoadedOutcome<unknown>>(
      requestOptions: RequestOptions,
      lost: (loss: Loss) => T,
      work: (isolate: Isolate, inside: GatedOptions) => Promise<T>,
    ): Promise<T> {
      const askedAt = performance.now();
      const { onCapabilityCall, timeoutMs, signal } = requestOptions;
      const leftMs = (): number => timeoutMs - (performance.now() - askedAt);
      if (waiting !== null) await placed(leftMs(), signal);
      if (opening === null) return lost(loss);
      const turn = await turnFor(requestOptions, leftMs());
      const calling =
        onCapabilityCall === undefined
          ? {}
          : {
              onCapabilityCall: (call: CapabilityCall) => {
                isSeen = true;
                return turn.without(() => onCapabilityCall(call));
              },
            };
      const branches: BranchGate = {
        without: (wait) => turn.without(wait),
        take: (waitMs, ended) =>
          turns.take('next', LONGEST_REQUEST_MS, {
            tenant: wanted.tenant,
            waitMs: Math.min(waitMs, LONGEST_WAIT_MS),
            lastMs: waitMs,
            signal: ended,
          }),
      };
      try {
        for (;;) {
          const result = await work(opening.isolate, { ...requestOptions, ...calling, branches, timeoutMs: leftMs() });
          if (await openAgain(outcomeOf(result), leftMs, signal)) continue;
          return isCrash(outcomeOf(result)) && wanted.isAlone ? lost({ status: 'memory_exceeded' }) : result;
        }
      } finally {
        isSeen = true;
        turn.end();
      }
    }

    /** Whether a request that came to this is made again, elsewhere. */
    async function openAgain(
      outcome: GuestOutcome<unknown>,
      leftMs: () => number,
      signal: AbortSignal | undefined,
    ): Promise<boolean> {
      if (outcome.status !== 'host_lost' || opening === null || isDisposed || closing !== null || leftMs() <= 0)
        return false;
      if (!(await opening.made)) {
        if (attempts === ATTEMPTS) return false;
        attempts += 1;
      } else if ((outcome.cause === 'neighbour' || outcome.cause === 'crashed') && !wanted.isAlone && !isSeen) {
        wanted = { ...wanted, isAlone: true };
      } else {
        return false;
      }
      const former = opening;
      const again = fleet.open(wanted);
      if (again !== null) {
        opening = again;
        return true;
      }
      enqueue();
      const found = await placed(leftMs(), signal);
      if ('isolate' in found && found !== former) return true;
      opening = former;
      return false;
    }

    return {
      isUsable: () => !isDisposed && (opening?.isolate.isUsable() ?? waiting !== null),
      async dispose() {
        isDisposed = true;
        loss = { status: 'cancelled' };
        waiting?.leave();
        await opening?.isolate.dispose();
      },
      request: (message, requestOptions) =>
        during(
          requestOptions,
          (lost) => lost,
          (isolate, inside) => isolate.request(message, inside),
        ),
      loadAndRequest: (code, message, requestOptions) =>
        during(
          requestOptions,
          (outcome) => ({ attached: true, outcome }),
          (isolate, inside) => isolate.loadAndRequest(code, message, inside),
        ),
    };
  }

  return {
    async openIsolate({ tenant = null, ...wanted }) {
      if (closing !== null) throw new Error('the sandbox is closed');
      const turn = await turns.take('new', LONGEST_OPENING_MS, { tenant });
      if (closing !== null) throw new Error('the sandbox is closed');
      return inTurn(turn, { ...wanted, tenant, isAlone: false });
    },
    retryAfterMs: (tenant) => fleet.retryAfterMs(tenant),
    residentBytes: () => fleet.residentBytes(),
    endLargest: () => {
      fleet.endLargest();
    },
    endDomain: ({ environment, trustDomain }) => fleet.endDomain(environment, trustDomain),
    async close() {
      closing ??= fleet.close();
      await closing;
    },
  };
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
  const gone = (): void => resolve('gone');
  signal?.addEventListener('abort', gone);
  try {
    return await Promise.race([awaited, over]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', gone);
  }
}

const LONGEST_TIMER_MS = 2 ** 31 - 1;

function outcomeOf(result: GuestOutcome<unknown> | LoadedOutcome<unknown>): GuestOutcome<unknown> {
  return 'attached' in result ? result.outcome : result;
}

/** A fault in memory that comes again in a process of its own is no accident, and nobody else's doing. */
function isCrash(outcome: GuestOutcome<unknown>): boolean {
  return outcome.status === 'host_lost' && outcome.cause === 'crashed';
}
