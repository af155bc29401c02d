import {
  type FleetAction,
  type FleetEvent,
  type FleetState,
  type HostView,
  newFleet,
  stepFleet,
  type Wanted,
} from '../fleet-machine.ts';

/** Isolates that a simulated host holds at most. */
const ISOLATES_PER_HOST = 3;
const PROCESSORS = 2;

/** A host without a process. */
export interface SimulatedHost {
  /** Tickets of the isolates in it. */
  readonly isolates: Set<number>;
  /** What was ever asked of it. */
  readonly requested: Wanted[];
  isSound: boolean;
  isWorn: boolean;
  /** Whether the fleet keeps it for a while. */
  isSpare: boolean;
  /** How often it was ended. */
  ends: number;
  isDead: boolean;
}

/** A fleet whose hosts are simulated: what happens is for the test to say. */
export class SimulatedFleet {
  readonly hosts = new Map<number, SimulatedHost>();
  /** What each ticket got: the number of a host, or nothing; absent: it waits. */
  readonly answers = new Map<number, number | null>();
  readonly wanted = new Map<number, Wanted>();
  readonly hostsMax: number;
  state: FleetState;
  #now = 0;
  #tickets = 0;

  constructor(hostsMax: number) {
    this.hostsMax = hostsMax;
    this.state = newFleet({ hosts: hostsMax, processors: PROCESSORS }, 0);
    this.#step({ event: 'prepare', first: { environment: 'workflow', heapWords: 1 } });
  }

  /** As a pool does: what finds no place waits. */
  ask(wanted: Wanted): void {
    this.#tickets += 1;
    const entry = { wanted, ticket: this.#tickets };
    this.wanted.set(entry.ticket, wanted);
    if (this.#step({ event: 'ask', entry }).some(({ action }) => action === 'open')) return;
    this.#step({ event: 'wait', entry });
  }

  leave(ticket: number): void {
    this.#step({ event: 'leave', ticket });
    this.answers.set(ticket, null);
  }

  /** Of each kind of end of an isolate: it goes, with a fault or without one. */
  endIsolate(number: number, ticket: number, isFault: boolean): void {
    const host = this.hosts.get(number);
    if (host === undefined || !host.isolates.delete(ticket)) return;
    if (isFault) host.isSound = false;
    this.#note({ event: 'changed', host: number });
  }

  crash(number: number): void {
    const host = this.hosts.get(number);
    if (host === undefined || host.isDead) return;
    host.isSound = false;
    host.isolates.clear();
    this.#note({ event: 'changed', host: number });
  }

  /** The time of all that are kept is over. */
  passIdle(): void {
    for (const [number, host] of this.hosts) {
      if (!host.isSpare) continue;
      host.isSpare = false;
      this.#note({ event: 'idle', host: number });
    }
  }

  /** Those that were ended are dead by now. */
  passDeaths(): void {
    for (const [number, host] of this.hosts) {
      if (host.ends === 0 || host.isDead) continue;
      host.isDead = true;
      this.#note({ event: 'dead', host: number });
    }
  }

  endDomain({ environment, trustDomain }: Wanted): void {
    this.#step({ event: 'end_domain', environment, trustDomain });
  }

  close(): void {
    this.#step({ event: 'close' });
  }

  waiting(): readonly number[] {
    return [...this.wanted.keys()].filter((ticket) => !this.answers.has(ticket));
  }

  /** Whether one that waits could have a place now. */
  hasPlaceFor(ticket: number): boolean {
    const wanted = this.wanted.get(ticket);
    if (wanted === undefined) return false;
    const moment = { now: this.#now, views: this.#views(), crowd: 0 };
    const { actions } = stepFleet(this.state, { event: 'ask', entry: { wanted, ticket } }, moment);
    return actions.some(({ action }) => action === 'open');
  }

  living(): readonly SimulatedHost[] {
    return [...this.hosts.values()].filter(({ isDead }) => !isDead);
  }

  /** After this somebody who waits may have a place. */
  #note(event: FleetEvent): void {
    this.#step(event);
    while (this.#step({ event: 'serve' }).some(({ action }) => action === 'open'));
  }

  #step(event: FleetEvent): readonly FleetAction[] {
    this.#now += 1;
    const { state, actions } = stepFleet(this.state, event, { now: this.#now, views: this.#views(), crowd: 0 });
    this.state = state;
    for (const action of actions) this.#do(action);
    return actions;
  }

  #views(): ReadonlyMap<number, HostView> {
    return new Map([...this.hosts].map(([number, host]) => [number, viewOf(host)]));
  }

  #do(action: FleetAction): void {
    const host = 'host' in action ? this.hosts.get(action.host) : undefined;
    if (action.action === 'start') this.hosts.set(action.host, newHost());
    if (action.action === 'refuse') this.answers.set(action.ticket, null);
    if (host === undefined) return;
    if (action.action === 'keep') {
      if (host.isSpare) throw new Error('a host is kept twice');
      host.isSpare = true;
    }
    if (action.action === 'use') host.isSpare = false;
    if (action.action === 'end') {
      host.ends += 1;
      host.isSpare = false;
      host.isSound = false;
      host.isolates.clear();
    }
    if (action.action !== 'open') return;
    const { ticket, wanted } = action.entry;
    if (!host.isSound || host.isolates.size >= ISOLATES_PER_HOST) throw new Error('a host was asked for too much');
    host.isolates.add(ticket);
    host.requested.push(wanted);
    this.answers.set(ticket, action.host);
    this.#step({ event: 'made', host: action.host });
  }
}

function newHost(): SimulatedHost {
  return { isolates: new Set(), requested: [], isSound: true, isWorn: false, isSpare: false, ends: 0, isDead: false };
}

function viewOf(host: SimulatedHost): HostView {
  return {
    isolates: () => host.isolates.size,
    hasRoom: () => host.isolates.size < ISOLATES_PER_HOST,
    isSound: () => host.isSound,
    isWorn: () => host.isWorn,
  };
}
