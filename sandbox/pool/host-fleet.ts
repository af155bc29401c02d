import { availableParallelism } from 'node:os';
import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import {
  type WaitingIsolate,
  type FleetAction,
  type FleetEvent,
  type FleetState,
  hasReady,
  type HostView,
  isUsed,
  newFleet,
  retryAfterMs,
  stepFleet,
  type Wanted,
} from './fleet-machine.ts';
import { Host, type Opening } from './host.ts';
import type { FirstIsolate } from './host-process.ts';
import { type HostWeight, hostWeight } from './host-weight.ts';
import { imageCheck } from './image-check.ts';
import type { SandboxOptions } from './options.ts';
import { guardedListener, type PoolListener } from './pool-event.ts';
import { residentBytes } from './resident-bytes.ts';
import { LEAST_HOSTS } from './share.ts';
import { LOOK_MS } from './stop-watch.ts';

/** One that waits for a process. */
export interface Waiting {
  /** Null: it left, or its domain was ended. Never rejects. */
  readonly opening: Promise<Opening | null>;
  readonly leave: () => void;
}

/** An empty host is kept this long for the next isolate of its domain; a run's evaluations follow each other faster. */
const IDLE_MS = 30_000;
/** 45 MB each, most of it shared; as many runs with missions as a process takes on by default, twice. */
const DEFAULT_HOSTS = 64;
/** Default and ceiling of `workflow_heap_words` (documents.md §5): what the first host is most likely asked for. */
const FIRST_HEAP_WORDS = 8_000_000;

/** A host that lives or is being ended. */
class Member implements HostView {
  readonly host: Host;
  readonly weight: HostWeight;
  /** Ends what it is kept for. */
  idle: NodeJS.Timeout | undefined;
  ended: Promise<void> | null = null;

  constructor(host: Host) {
    this.host = host;
    this.weight = hostWeight(host.pid);
  }

  isolates(): number {
    return this.host.isolates();
  }

  hasRoom(): boolean {
    return this.host.hasRoom();
  }

  isSound(): boolean {
    return this.host.isSound();
  }

  isWorn(): boolean {
    return this.weight.isWorn();
  }
}

/**
 * The host processes of a sandbox: so many at most, each of one environment kind and trust domain for its whole life.
 * fleet-machine.ts decides which there are.
 */
export class HostFleet {
  readonly #options: SandboxOptions;
  readonly #crowd: () => number;
  readonly #report: PoolListener;
  readonly #isImageBroken: () => Promise<boolean>;
  /** By number, until they are dead. */
  readonly #members = new Map<number, Member>();
  /** Those that wait, by ticket. */
  readonly #waiting = new Map<number, (opening: Opening | null) => void>();
  readonly #watch: NodeJS.Timeout;
  #state: FleetState;
  #tickets = 0;

  /** `crowd`: how many isolates wait for their turn. Throws TypeError for fewer hosts than anything needs. */
  constructor(options: SandboxOptions, crowd: () => number) {
    const { hosts = DEFAULT_HOSTS } = options;
    if (!Number.isSafeInteger(hosts) || hosts < LEAST_HOSTS)
      throw new TypeError(`a sandbox has ${LEAST_HOSTS} hosts or more`);
    this.#options = options;
    this.#crowd = crowd;
    this.#report = guardedListener(options.onEvent);
    this.#isImageBroken = imageCheck(options.guestImage);
    this.#state = newFleet({ hosts, processors: availableParallelism() }, performance.now());
    this.prepare({ environment: 'workflow', heapWords: FIRST_HEAP_WORDS });
    this.#watch = setInterval(() => {
      for (const number of this.#state.hosts.keys()) this.#members.get(number)?.host.look();
    }, LOOK_MS).unref();
  }

  /** Makes an isolate in the host that has room, or in a new one if there may be one; null: it must wait. */
  open(wanted: Wanted): Opening | null {
    let opened: Opening | null = null;
    const entry = this.#entry(wanted, (opening) => {
      opened = opening;
    });
    this.#step({ event: 'ask', entry });
    this.#waiting.delete(entry.ticket);
    return opened;
  }

  /** Waits for what `open` could not give. */
  wait(wanted: Wanted): Waiting {
    const { promise: opening, resolve } = Promise.withResolvers<Opening | null>();
    const entry = this.#entry(wanted, resolve);
    this.#step({ event: 'wait', entry });
    return {
      opening,
      leave: () => {
        this.#step({ event: 'leave', ticket: entry.ticket });
        this.#settle(entry.ticket, null);
      },
    };
  }

  /** Null: one more of this tenant may wait; else when to come again, milliseconds from now. */
  retryAfterMs(tenant: string | null): number | null {
    return retryAfterMs(this.#state, tenant, performance.now());
  }

  /** Starts a host in which nothing runs yet, if there is none and may be one. */
  prepare(first: FirstIsolate): void {
    this.#step({ event: 'prepare', first });
  }

  hasReady(): boolean {
    return hasReady(this.#state);
  }

  /** Hosts that were ever given a domain. */
  assigned(): number {
    return this.#state.assigned;
  }

  async endDomain(environment: EnvironmentKind, trustDomain: string): Promise<void> {
    const ended = this.#step({ event: 'end_domain', environment, trustDomain });
    const deaths = ended.flatMap((action) => {
      const death = action.action === 'end' ? this.#members.get(action.host)?.ended : null;
      return death === undefined || death === null ? [] : [death];
    });
    await Promise.all(deaths);
  }

  /** Has the processes of a tenant give way to those of others, or no longer. */
  weigh(tenant: string, isHeavy: boolean): void {
    this.#step({ event: 'weigh', tenant, isHeavy });
  }

  residentBytes(): number {
    return this.#living().reduce((sum, [, { host }]) => sum + residentBytes(host.pid), 0);
  }

  /** Ends the process in use that holds the most. */
  endLargest(): void {
    const used = this.#living().flatMap(([record, member]) => (isUsed(record, member) ? [member.host] : []));
    const [largest] = used
      .map((host) => ({ host, bytes: residentBytes(host.pid) }))
      .sort((one, other) => other.bytes - one.bytes);
    if (largest !== undefined) void largest.host.end('memory_pressure');
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    this.#step({ event: 'close' });
    await Promise.all([...this.#members.values()].map(({ host }) => host.end()));
  }

  #living() {
    return [...this.#state.hosts].flatMap(([number, record]) => {
      const member = this.#members.get(number);
      return member === undefined ? [] : [[record, member] as const];
    });
  }

  #entry(wanted: Wanted, settle: (opening: Opening | null) => void): WaitingIsolate {
    this.#tickets += 1;
    this.#waiting.set(this.#tickets, settle);
    return { wanted, ticket: this.#tickets };
  }

  #settle(ticket: number, opening: Opening | null): void {
    this.#waiting.get(ticket)?.(opening);
    this.#waiting.delete(ticket);
  }

  /** Carries out what the event decides before it returns. */
  #step(event: FleetEvent): readonly FleetAction[] {
    const { state, actions } = stepFleet(this.#state, event, {
      now: performance.now(),
      views: this.#members,
      crowd: this.#crowd(),
    });
    this.#state = state;
    for (const action of actions) this.#do(action);
    return actions;
  }

  #do(action: FleetAction): void {
    const member = 'host' in action ? this.#members.get(action.host) : undefined;
    switch (action.action) {
      case 'start':
        return this.#start(action.host, action.first);
      case 'open':
        if (member !== undefined) this.#open(member, action);
        return;
      case 'weigh':
        return member?.weight.giveWay(action.isHeavy);
      case 'refuse':
        return this.#settle(action.ticket, null);
      case 'end':
        if (member !== undefined) member.ended = this.#end(action.host, member);
        return;
      case 'keep':
        if (member !== undefined)
          member.idle = setTimeout(() => this.#note({ event: 'idle', host: action.host }), IDLE_MS).unref();
        return;
      case 'use':
        return clearTimeout(member?.idle);
      case 'report_replaced':
        return this.#report({ event: 'host_replaced', host: action.host, by: action.by });
    }
  }

  #start(number: number, first: FirstIsolate): void {
    const host = new Host(this.#options, first, {
      number,
      report: this.#report,
      isImageBroken: this.#isImageBroken,
      onChange: () => this.#note({ event: 'changed', host: number }),
    });
    this.#members.set(number, new Member(host));
  }

  #open({ host }: Member, { entry, host: number }: Extract<FleetAction, { readonly action: 'open' }>): void {
    const { environment, heapWords } = entry.wanted;
    const opening = host.open({ environment, heapWords });
    void opening.made.finally(() => this.#step({ event: 'made', host: number }));
    this.#settle(entry.ticket, opening);
  }

  async #end(number: number, { host, weight, idle }: Member): Promise<void> {
    clearTimeout(idle);
    weight.close();
    await host.end();
    this.#members.delete(number);
    this.#note({ event: 'dead', host: number });
  }

  /** After this somebody who waits may have a place. */
  #note(event: FleetEvent): void {
    this.#step(event);
    while (this.#step({ event: 'serve' }).some(({ action }) => action === 'open'));
  }
}
