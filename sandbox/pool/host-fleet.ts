import { availableParallelism } from 'node:os';
import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import { Host, type Opening } from './host.ts';
import type { FirstIsolate } from './host-process.ts';
import { type HostWeight, hostWeight } from './host-weight.ts';
import { residentBytes } from './resident-bytes.ts';
import { imageCheck } from './image-check.ts';
import type { SandboxOptions } from './options.ts';
import { guardedListener } from './pool-event.ts';
import { LOOK_MS } from './stop-watch.ts';
import { LEAST_HOSTS, mayHaveHost, mayHaveMore } from './share.ts';

/** An isolate that is asked for. */
export interface Wanted extends FirstIsolate {
  readonly trustDomain: string;
  /** Null: the pool is shared with nobody. */
  readonly tenant: string | null;
  /** In a process where nothing ever ran, and nothing else will. */
  readonly isAlone: boolean;
}

/** One that waits for a process. */
export interface Waiting {
  /** Null: it left, or its domain was ended. Never rejects. */
  readonly opening: Promise<Opening | null>;
  readonly leave: () => void;
}

interface Entry {
  readonly wanted: Wanted;
  readonly ticket: number;
  readonly settle: (opening: Opening | null) => void;
}

interface Member {
  readonly host: Host;
  readonly number: number;
  /** Environment kind and trust domain; null: nothing has run in it yet. */
  domain: string | null;
  environment: EnvironmentKind;
  /** Whose it is; null: nobody's, or of who shares the pool with nobody. */
  tenant: string | null;
  /** The isolate that was last asked of it. */
  last: FirstIsolate;
  /** Whether it is for one program that lost its host through another: it gets no further isolate. */
  isReserved: boolean;
  /** Isolates that are being made in it. */
  opening: number;
  readonly weight: HostWeight;
  idle: NodeJS.Timeout | null;
}

/** An empty host is kept this long for the next isolate of its domain; a run's evaluations follow each other faster. */
const IDLE_MS = 30_000;
/** 45 MB each, most of it shared; as many runs with missions as a process takes on by default, twice. */
const DEFAULT_HOSTS = 64;
/** Isolates that wait for a process, in all. A tenant beside others has its share of that (share.ts). */
export const MAX_WAITING = 4096;
const PROCESSORS = availableParallelism();
/** So many isolates that wait for each host of their domain are worth another process, up to one for each processor. */
const CROWD = 4;
/** A time to come again: sooner is not worth it, later is only a guess. */
const RETRY_MS = { first: 1000, least: 100, most: 60_000 } as const;
/** How much the last interval counts. */
const SMOOTHING = 0.125;

/**
 * The host processes of a sandbox: so many at most, each of one environment kind and trust domain for its whole life.
 */
export interface HostFleet {
  /** Makes an isolate in the host that has room, or in a new one if there may be one; null: it must wait. */
  open(wanted: Wanted): Opening | null;
  /** Waits for what `open` could not give. */
  wait(wanted: Wanted): Waiting;
  /** Null: one more of this tenant may wait; else when to come again, milliseconds from now. */
  readonly retryAfterMs: (tenant: string | null) => number | null;
  /** Starts a host in which nothing runs yet, if there is none and may be one. */
  prepare(first: FirstIsolate): void;
  readonly hasReady: () => boolean;
  /** Hosts that were ever given a domain. */
  readonly given: () => number;
  endDomain(environment: EnvironmentKind, trustDomain: string): Promise<void>;
  /** Has the processes of a tenant give way to those of others, or no longer. */
  weigh(tenant: string, isHeavy: boolean): void;
  readonly residentBytes: () => number;
  endLargest(): void;
  close(): Promise<void>;
}

function isUsed({ host, domain }: Member): boolean {
  return domain !== null && host.isolates() > 0;
}

function domainOf(environment: EnvironmentKind, trustDomain: string): string {
  return `${environment}/${trustDomain}`;
}

/** `crowd`: how many isolates wait for their turn. Throws TypeError for fewer hosts than anything needs. */
export function hostFleet(options: SandboxOptions, crowd: () => number): HostFleet {
  const { hosts: max = DEFAULT_HOSTS } = options;
  if (!Number.isSafeInteger(max) || max < LEAST_HOSTS)
    throw new TypeError(`a sandbox has ${LEAST_HOSTS} hosts or more`);
  const members = new Set<Member>();
  /** Those that are being ended; each holds its place until it is dead. */
  const ending = new Set<Member>();
  /** By domain, in the order of their calls; those that want a process of their own by themselves. */
  const waiting = new Map<string, Entry[]>();
  const tell = guardedListener(options.onEvent);
  const isImageBroken = imageCheck(options.guestImage);
  /** Tenants whose hosts give way to those of others. */
  const heavy = new Set<string>();
  let started = 0;
  let given = 0;
  let tickets = 0;
  let isClosed = false;
  /** How often one that waits is let in, and when one was. */
  let letIn: { everyMs: number; lastAt: number } = { everyMs: RETRY_MS.first, lastAt: performance.now() };

  function start(first: FirstIsolate): Member {
    started += 1;
    const number = started;
    const host = new Host(options, first, { number, tell, isImageBroken, onChange: () => review(member) });
    const { environment } = first;
    const member: Member = {
      host,
      number,
      domain: null,
      environment,
      tenant: null,
      last: first,
      isReserved: false,
      opening: 0,
      weight: hostWeight(host.pid),
      idle: null,
    };
    members.add(member);
    return member;
  }

  /**
   * Replaces a host that has seen a fault, so that the next isolate need not wait for a process, and ends what has no
   * further use: an unsound host that is empty at once, a sound one after a while. A host that never served is not
   * replaced: what killed it would kill the next one; nor is one that was ended because nobody needs it.
   */
  function review(member: Member): void {
    if (isClosed || !members.has(member)) return;
    const unsound = !member.host.isSound();
    if (unsound && member.domain !== null && !hasReady() && mayStart())
      tell({ event: 'host_replaced', host: member.number, by: start(member.last).number });
    if (member.host.isolates() === 0) {
      if (unsound || member.isReserved || member.weight.isWorn()) void end(member);
      else if (member.idle === null) member.idle = setTimeout(() => void end(member), IDLE_MS).unref();
    }
    serve();
  }

  async function end(member: Member): Promise<void> {
    if (member.idle !== null) clearTimeout(member.idle);
    member.weight.close();
    members.delete(member);
    ending.add(member);
    await member.host.end();
    ending.delete(member);
    serve();
  }

  function mayStart(): boolean {
    return members.size + ending.size < max;
  }

  function hasReady(): boolean {
    return [...members].some(({ domain }) => domain === null);
  }

  /** Whether who wants it may have another host in use. One that nobody uses counts for nobody: it gives way. */
  function mayUseAnother({ tenant, environment }: Wanted): boolean {
    const used = [...members].filter(isUsed);
    return mayHaveHost(
      {
        max,
        taken: used.length,
        workflows: used.filter((member) => member.environment === 'workflow').length,
        own: used.filter((member) => member.tenant === tenant).length,
        isAlone: tenant === null,
      },
      environment,
    );
  }

  /** A host in which nothing has run yet; null where there may be none, or is none yet. */
  function freshFor(wanted: Wanted): Member | null {
    if (!mayUseAnother(wanted)) return null;
    const ready = [...members].find(({ host, domain }) => domain === null && host.isSound());
    return ready ?? (mayStart() ? start(wanted) : null);
  }

  /** The host of this domain that has room and makes the fewest isolates, else a fresh one. */
  function hostFor(wanted: Wanted): Member | null {
    const domain = domainOf(wanted.environment, wanted.trustDomain);
    const known = [...members].filter(
      (member) => member.domain === domain && !member.isReserved && member.host.isSound() && member.host.hasRoom(),
    );
    const [least] = known
      .filter((member) => isUsed(member) || mayUseAnother(wanted))
      .sort((a, b) => a.opening - b.opening);
    const isCrowded = known.length < PROCESSORS && crowd() > known.length * CROWD;
    return isCrowded ? (freshFor(wanted) ?? least ?? null) : (least ?? freshFor(wanted));
  }

  function open(wanted: Wanted): Opening | null {
    const member = wanted.isAlone ? freshFor(wanted) : hostFor(wanted);
    if (member === null) return null;
    const { environment, trustDomain, heapWords, tenant } = wanted;
    if (member.domain === null) given += 1;
    if (wanted.isAlone) member.isReserved = true;
    member.domain = domainOf(environment, trustDomain);
    member.environment = environment;
    member.tenant = tenant;
    if (tenant !== null) member.weight.giveWay(heavy.has(tenant));
    member.last = { environment, heapWords };
    if (member.idle !== null) clearTimeout(member.idle);
    member.idle = null;
    member.opening += 1;
    const opening = member.host.open({ environment, heapWords });
    void opening.made.finally(() => {
      member.opening -= 1;
    });
    return opening;
  }

  /** Those that are next in their domains; before others those of the tenant with the fewest hosts. */
  function heads(): readonly { readonly key: string; readonly entry: Entry }[] {
    const hosts = new Map<string | null, number>();
    for (const member of members) if (isUsed(member)) hosts.set(member.tenant, (hosts.get(member.tenant) ?? 0) + 1);
    const own = ({ wanted: { tenant } }: Entry): number => hosts.get(tenant) ?? 0;
    return [...waiting]
      .flatMap(([key, [entry]]) => (entry === undefined ? [] : [{ key, entry }]))
      .sort((a, b) => own(a.entry) - own(b.entry) || a.entry.ticket - b.entry.ticket);
  }

  /** Lets in whoever may be by now, and makes room for those that wait on. */
  function serve(): void {
    if (waiting.size === 0 || isClosed) return;
    for (let isServing = true; isServing;) {
      isServing = heads().some(({ key, entry }) => {
        const opening = open(entry.wanted);
        if (opening === null) return false;
        remove(key, entry);
        const now = performance.now();
        letIn = { everyMs: letIn.everyMs + SMOOTHING * (now - letIn.lastAt - letIn.everyMs), lastAt: now };
        entry.settle(opening);
        return true;
      });
    }
    for (const { entry } of heads()) giveWay(entry.wanted);
  }

  /** Ends a host that nobody uses if it is that which keeps one that waits from another: one for each that does. */
  function giveWay(wanted: Wanted): void {
    if (ending.size >= waiting.size || mayStart() || !mayUseAnother(wanted)) return;
    const idle = [...members].find((member) => member.domain !== null && !isUsed(member));
    if (idle !== undefined) void end(idle);
  }

  function remove(key: string, entry: Entry): void {
    const left = (waiting.get(key) ?? []).filter((each) => each !== entry);
    if (left.length === 0) waiting.delete(key);
    else waiting.set(key, left);
  }

  function countWaiting(tenant: string | null): { readonly taken: number; readonly own: number } {
    let taken = 0;
    let own = 0;
    for (const entries of waiting.values()) {
      taken += entries.length;
      if (entries[0]?.wanted.tenant === tenant) own += entries.length;
    }
    return { taken, own };
  }

  start({ environment: 'workflow', heapWords: FIRST_HEAP_WORDS });
  const watch = setInterval(() => {
    for (const { host } of members) host.look();
  }, LOOK_MS).unref();
  return {
    open,
    wait(wanted) {
      tickets += 1;
      const ticket = tickets;
      const key = wanted.isAlone ? `alone/${ticket}` : domainOf(wanted.environment, wanted.trustDomain);
      const { promise, resolve } = Promise.withResolvers<Opening | null>();
      const entry: Entry = { wanted, ticket, settle: resolve };
      waiting.set(key, [...(waiting.get(key) ?? []), entry]);
      giveWay(wanted);
      return {
        opening: promise,
        leave() {
          remove(key, entry);
          resolve(null);
        },
      };
    },
    retryAfterMs(tenant) {
      const { taken, own } = countWaiting(tenant);
      const isFree = tenant === null ? taken < MAX_WAITING : mayHaveMore({ max: MAX_WAITING, taken, own });
      if (isFree) return null;
      const everyMs = Math.max(letIn.everyMs, performance.now() - letIn.lastAt);
      return Math.ceil(Math.min(RETRY_MS.most, Math.max(RETRY_MS.least, everyMs)));
    },
    prepare(first) {
      if (!isClosed && !hasReady() && mayStart()) start(first);
    },
    hasReady,
    given: () => given,
    async endDomain(environment, trustDomain) {
      const domain = domainOf(environment, trustDomain);
      for (const [key, entries] of waiting) {
        for (const entry of entries.filter(
          ({ wanted }) => domainOf(wanted.environment, wanted.trustDomain) === domain,
        )) {
          remove(key, entry);
          entry.settle(null);
        }
      }
      await Promise.all([...members].filter((member) => member.domain === domain).map(end));
    },
    weigh(tenant, isHeavy) {
      if (isHeavy) heavy.add(tenant);
      else heavy.delete(tenant);
      for (const member of members) if (member.tenant === tenant) member.weight.giveWay(isHeavy);
    },
    residentBytes: () => [...members].reduce((sum, { host }) => sum + residentBytes(host.pid), 0),
    endLargest() {
      const used = [...members].filter(isUsed).map(({ host }) => ({ host, bytes: residentBytes(host.pid) }));
      const [largest] = used.toSorted((a, b) => b.bytes - a.bytes);
      if (largest !== undefined) void largest.host.end('memory_pressure');
    },
    async close() {
      isClosed = true;
      clearInterval(watch);
      for (const entry of [...waiting.values()].flat()) entry.settle(null);
      waiting.clear();
      await Promise.all([...[...members].map(end), ...[...ending].map(({ host }) => host.end())]);
    },
  };
}

/** Default and ceiling of `workflow_heap_words` (documents.md §5): what the first host is most likely asked for. */
const FIRST_HEAP_WORDS = 8_000_000;
