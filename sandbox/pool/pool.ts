import { availableParallelism } from 'node:os';
import type { CapabilityCall, GuestOutcome } from '../../contract/sandbox-protocol.ts';
import { type Host, type Opening, startHost } from './host.ts';
import type { FirstIsolate } from './host-process.ts';
import type { Isolate, IsolateOptions, LoadedOutcome, RequestOptions, Sandbox } from './interface.ts';
import { takeTurns, type Turn } from './turns.ts';
import type { SandboxOptions } from './options.ts';

function domainOf(environment: IsolateOptions['environment'], trustDomain: string): string {
  return `${environment}/${trustDomain}`;
}

interface Member {
  readonly host: Host;
  /** Environment kind and trust domain; null: nothing has run in it yet. */
  domain: string | null;
  /** The isolate that was last asked of it. */
  last: FirstIsolate;
  /** Isolates that are being made in it. */
  opening: number;
  idle: NodeJS.Timeout | null;
}

/** An empty host is kept this long for the next isolate of its domain; a run's evaluations follow each other faster. */
const IDLE_MS = 30_000;
/** Default and ceiling of `workflow_heap_words` (documents.md §5): what the first host is most likely asked for. */
const FIRST: FirstIsolate = { environment: 'workflow', heapWords: 8_000_000 };
/** A host that dies while its first isolate is made says nothing about the next one. */
const ATTEMPTS = 2;
const PROCESSORS = availableParallelism();
/**
 * What is done at a time: isolates that are made, and with them processes that start; requests that are worked at. More
 * at once are not ready earlier, and each process that wants a processor lets the supervisor wait longer for its own. A
 * request that waits for an answer of the supervisor does not count.
 */
const AT_ONCE = 2 * PROCESSORS;
/** A busy machine may need a third of it to start a process. */
const LONGEST_OPENING_MS = 1000;
/** Most are done in a few milliseconds. What takes longer gets what the machine gives it. */
const LONGEST_REQUEST_MS = 50;
/** Then a request goes on without its turn: among a thousand programs that compute without an end none waits for the rest. */
const LONGEST_WAIT_MS = 1000;
/** So many isolates that wait for each host of their domain are worth another process, up to one for each processor. */
const CROWD = 4;
/** A program that came to so many hosts goes on to need them: runs with missions one after the other, or many at once. One command does not. */
const MANY_HOSTS = 4;
/** What the start of a process takes of one processor, generously. */
const PROCESS_START_MS = 100;

/**
 * Starts one host at once, before anything is asked of it, and further ones as isolates need them. A host serves one
 * environment kind and trust domain for its whole life and never again after a fault (architecture.md §1.2, §1.3).
 */
export function startSandbox(options: SandboxOptions): Sandbox {
  const members = new Set<Member>();
  let closing: Promise<unknown> | null = null;
  const turns = takeTurns(AT_ONCE);
  /** Hosts that were given a domain. */
  let given = 0;
  let isPreparing = false;

  function start(first: FirstIsolate): Member {
    const host = startHost(options, first, { onChange: () => review(member) });
    const member: Member = { host, domain: null, last: first, opening: 0, idle: null };
    members.add(member);
    return member;
  }

  /**
   * Replaces a host that has seen a fault, so that the next isolate need not wait for a process, and ends what has no
   * further use: an unsound host that is empty at once, a sound one after a while. A host that never served is not
   * replaced: what killed it would kill the next one; nor is one that was ended because nobody needs it.
   */
  function review(member: Member): void {
    if (closing !== null || !members.has(member)) return;
    const unsound = !member.host.isSound();
    if (unsound && member.domain !== null && !hasReady()) start(member.last);
    if (member.host.isolates() > 0) return;
    if (unsound) {
      void end(member);
    } else if (member.idle === null) {
      member.idle = setTimeout(() => void end(member), IDLE_MS).unref();
    }
  }

  async function end(member: Member): Promise<void> {
    if (member.idle !== null) clearTimeout(member.idle);
    members.delete(member);
    await member.host.end();
  }

  /** The host of this domain that has room and makes the fewest isolates, else one that has no domain yet, else a new one. */
  function hostFor(domain: string, wanted: FirstIsolate): Member {
    const candidates = [...members].filter(({ host }) => host.isSound() && host.isolates() < options.isolatesPerHost);
    const known = candidates.filter((candidate) => candidate.domain === domain);
    const free = candidates.find((candidate) => candidate.domain === null);
    const isCrowded = known.length < PROCESSORS && turns.waiting('new') > known.length * CROWD;
    const [least] = isCrowded ? [] : known.sort((a, b) => a.opening - b.opening);
    return least ?? free ?? start(wanted);
  }

  /** Asks a host that has room, or a new one, for an isolate. */
  function place(domain: string, wanted: FirstIsolate): Opening {
    const member = hostFor(domain, wanted);
    if (member.domain === null) given += 1;
    member.domain = domain;
    member.last = wanted;
    if (member.idle !== null) clearTimeout(member.idle);
    member.idle = null;
    member.opening += 1;
    const opening = member.host.open(wanted.environment, wanted.heapWords);
    void opening.made.finally(() => { member.opening -= 1; });
    return opening;
  }

  /** Starts a host for the next domain, or for a full one, before either is asked for. */
  async function keepReady(next: FirstIsolate): Promise<void> {
    if (isPreparing || given < MANY_HOSTS || hasReady()) return;
    isPreparing = true;
    const turn = await turns.take('new', PROCESS_START_MS);
    isPreparing = false;
    if (closing !== null || hasReady()) turn.end();
    else start(next);
  }

  function hasReady(): boolean {
    return [...members].some(({ domain }) => domain === null);
  }

  /**
   * An isolate, each of its requests in a turn; what it waits for that is part of its time. The first may be made while
   * the isolate is, in the turn of that. When it could not be made, and nothing was done in it, another is tried.
   */
  function inTurn(begun: Turn, open: () => Opening): Isolate {
    let opening = open();
    let attempts = 1;
    let making: Turn | null = begun;
    void opening.made.finally(() => {
      making?.end();
      making = null;
    });

    async function turnFor({ timeoutMs, signal }: RequestOptions): Promise<Turn> {
      const turn = making;
      making = null;
      if (turn === null) return turns.take('next', LONGEST_REQUEST_MS, { waitMs: Math.min(timeoutMs, LONGEST_WAIT_MS), signal });
      turn.goOn(LONGEST_REQUEST_MS);
      return turn;
    }

    async function during<T extends GuestOutcome<unknown> | LoadedOutcome<unknown>>(requestOptions: RequestOptions, work: (isolate: Isolate, inside: RequestOptions) => Promise<T>): Promise<T> {
      const askedAt = performance.now();
      const { onCapabilityCall, timeoutMs } = requestOptions;
      const turn = await turnFor(requestOptions);
      const calling = onCapabilityCall === undefined ? {} : { onCapabilityCall: (call: CapabilityCall) => turn.without(() => onCapabilityCall(call)) };
      try {
        for (;;) {
          const result = await work(opening.isolate, { ...requestOptions, ...calling, timeoutMs: timeoutMs - (performance.now() - askedAt) });
          const { status } = 'attached' in result ? result.outcome : result;
          if (status !== 'host_lost' || attempts === ATTEMPTS || closing !== null || (await opening.made)) return result;
          attempts += 1;
          opening = open();
        }
      } finally {
        turn.end();
      }
    }

    return {
      isUsable: () => opening.isolate.isUsable(),
      dispose: () => opening.isolate.dispose(),
      request: (message, requestOptions) => during(requestOptions, (isolate, inside) => isolate.request(message, inside)),
      loadAndRequest: (code, message, requestOptions) => during(requestOptions, (isolate, inside) => isolate.loadAndRequest(code, message, inside)),
    };
  }

  start(FIRST);
  return {
    async openIsolate({ environment, trustDomain, heapWords }: IsolateOptions) {
      if (closing !== null) throw new Error('the sandbox is closed');
      const domain = domainOf(environment, trustDomain);
      const wanted: FirstIsolate = { environment, heapWords };
      const turn = await turns.take('new', LONGEST_OPENING_MS);
      if (closing !== null) throw new Error('the sandbox is closed');
      return inTurn(turn, () => {
        const opening = place(domain, wanted);
        void opening.made.then(() => keepReady(wanted));
        return opening;
      });
    },

    async endDomain({ environment, trustDomain }) {
      const domain = domainOf(environment, trustDomain);
      await Promise.all([...members].filter((member) => member.domain === domain).map(end));
    },

    async close() {
      closing ??= Promise.all([...members].map(end));
      await closing;
    },
  };
}
