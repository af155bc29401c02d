import { type Host, startHost } from './host.ts';
import type { Isolate, IsolateOptions, Sandbox } from './interface.ts';
import type { SandboxOptions } from './options.ts';

function domainOf(environment: IsolateOptions['environment'], trustDomain: string): string {
  return `${environment}/${trustDomain}`;
}

interface Member {
  readonly host: Host;
  /** Environment kind and trust domain; null: nothing has run in it yet. */
  domain: string | null;
  /** Size of the isolate that was last asked of it. */
  heapWords: number;
  idle: NodeJS.Timeout | null;
}

interface Placement {
  readonly member: Member;
  readonly isolate: Promise<Isolate>;
}

/** An empty host is kept this long for the next isolate of its domain; a run's evaluations follow each other faster. */
const IDLE_MS = 30_000;
/** Default and ceiling of `workflow_heap_words` (documents.md §5): what the first host is most likely asked for. */
const WORKFLOW_HEAP_WORDS = 8_000_000;
/** A host that dies while its first isolate is made says nothing about the next one. */
const ATTEMPTS = 2;

/**
 * Starts one host at once, before anything is asked of it, and further ones as isolates need them. A host serves one
 * environment kind and trust domain for its whole life and never again after a fault (architecture.md §1.2, §1.3).
 */
export function startSandbox(options: SandboxOptions): Sandbox {
  const members = new Set<Member>();
  let closing: Promise<unknown> | null = null;
  /** Settles when all isolates that were asked for have a host. */
  let placing: Promise<unknown> = Promise.resolve();

  function start(heapWords: number): Member {
    const host = startHost(options, heapWords, { onChange: () => review(member) });
    const member: Member = { host, domain: null, heapWords, idle: null };
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
    if (unsound && member.domain !== null && ![...members].some(({ domain }) => domain === null)) start(member.heapWords);
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

  /** A host of this domain with room, else one that has no domain yet. */
  function withRoom(domain: string): Member | undefined {
    const candidates = [...members].filter(({ host }) => host.isSound() && host.isolates() < options.isolatesPerHost);
    return candidates.find((candidate) => candidate.domain === domain) ?? candidates.find((candidate) => candidate.domain === null);
  }

  /** Opens an isolate in a host that has room or is new, in the order of the calls. */
  function place(domain: string, heapWords: number): Promise<Placement> {
    const placed = placing.then(async () => {
      if (closing !== null) throw new Error('the sandbox is closed');
      const known = withRoom(domain);
      const member = known ?? start(heapWords);
      member.domain = domain;
      member.heapWords = heapWords;
      if (member.idle !== null) clearTimeout(member.idle);
      member.idle = null;
      const placement = { member, isolate: member.host.open(heapWords) };
      // To fork takes 3 ms, in which the supervisor does nothing else: once in a turn of its event loop is enough.
      if (known === undefined) await nextTurn();
      return placement;
    });
    placing = placed.catch(() => undefined);
    return placed;
  }

  start(WORKFLOW_HEAP_WORDS);
  return {
    async openIsolate({ environment, trustDomain, heapWords }: IsolateOptions) {
      if (closing !== null) throw new Error('the sandbox is closed');
      const domain = domainOf(environment, trustDomain);
      for (let attempt = 1; ; attempt += 1) {
        const { member, isolate: opening } = await place(domain, heapWords);
        const isolate = await opening;
        if (member.host.isSound() || attempt === ATTEMPTS) return isolate;
      }
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

function nextTurn(): Promise<void> {
  return new Promise((resolve) => { setImmediate(resolve); });
}
