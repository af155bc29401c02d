import type { EnvironmentKind } from '../../contract/sandbox-protocol.ts';
import type { FirstIsolate } from './host-process.ts';
import { mayHaveHost, mayHaveMore } from './share.ts';

/**
 * Which host processes there are, whose they are, and who waits for one, as a pure machine. host-fleet.ts carries out
 * what it decides. Times are milliseconds of one monotonic clock.
 */
export interface FleetState {
  readonly bounds: FleetBounds;
  /** By number, in the order in which they were started. */
  readonly hosts: ReadonlyMap<number, HostRecord>;
  /** Those that are being ended; each holds its place until it is dead. */
  readonly ending: ReadonlySet<number>;
  /** By domain, in the order of their calls; those that want a process of their own by themselves. */
  readonly waiting: ReadonlyMap<string, readonly WaitingIsolate[]>;
  /** Tenants whose hosts give way to those of others. */
  readonly heavy: ReadonlySet<string>;
  /** Hosts that were ever started, and that were ever given a domain. */
  readonly started: number;
  readonly assigned: number;
  /** How often one that waits is admitted, and when one was. */
  readonly letIn: { readonly everyMs: number; readonly lastAt: number };
  readonly isClosed: boolean;
}

export interface FleetBounds {
  /** Host processes at most. */
  readonly hosts: number;
  readonly processors: number;
}

export interface HostRecord {
  /** Environment kind and trust domain, for its whole life; null: nothing has run in it yet. */
  readonly domain: string | null;
  readonly environment: EnvironmentKind;
  /** Whose it is; null: nobody's, or of who shares the pool with nobody. */
  readonly tenant: string | null;
  /** The isolate that was last asked of it. */
  readonly last: FirstIsolate;
  /** Whether it is for one program that lost its host through another: it gets no further isolate. */
  readonly isReserved: boolean;
  /** Isolates that are being made in it. */
  readonly opening: number;
  /** Whether it is kept for a while although nothing is in it. */
  readonly isIdle: boolean;
}

/** An isolate that is asked for. */
export interface Wanted extends FirstIsolate {
  readonly trustDomain: string;
  /** Null: the pool is shared with nobody. */
  readonly tenant: string | null;
  /** In a process where nothing ever ran, and nothing else will. */
  readonly isAlone: boolean;
}

export interface WaitingIsolate {
  readonly wanted: Wanted;
  readonly ticket: number;
}

/** What a host says of itself when it is looked at. */
export interface HostView {
  /** Isolates that are open or being opened. */
  isolates(): number;
  hasRoom(): boolean;
  /** False once it has seen a fault or has ended. */
  isSound(): boolean;
  /** Whether it is to end once nothing is left in it. */
  isWorn(): boolean;
}

/** The moment at which something happens. */
export interface FleetMoment {
  readonly now: number;
  readonly views: ReadonlyMap<number, HostView>;
  /** How many isolates wait for their turn. */
  readonly crowd: number;
}

export type FleetEvent =
  /** An isolate is wanted; without an action it has to wait. */
  | { readonly event: 'ask'; readonly entry: WaitingIsolate }
  | { readonly event: 'wait'; readonly entry: WaitingIsolate }
  | { readonly event: 'leave'; readonly ticket: number }
  /** Those who wait are admitted, one at a time. */
  | { readonly event: 'serve' }
  /** It has made an isolate, or could not. */
  | { readonly event: 'made'; readonly host: number }
  /** It is no longer sound, or holds an isolate less. */
  | { readonly event: 'changed'; readonly host: number }
  /** Nothing was in it for as long as it is kept. */
  | { readonly event: 'idle'; readonly host: number }
  | { readonly event: 'dead'; readonly host: number }
  /** A host in which nothing runs yet is wanted, if there is none and may be one. */
  | { readonly event: 'prepare'; readonly first: FirstIsolate }
  | { readonly event: 'end_domain'; readonly environment: EnvironmentKind; readonly trustDomain: string }
  | { readonly event: 'weigh'; readonly tenant: string; readonly isHeavy: boolean }
  | { readonly event: 'close' };

export type FleetAction =
  | { readonly action: 'start'; readonly host: number; readonly first: FirstIsolate }
  /** Asks a host for the isolate of this ticket. */
  | { readonly action: 'open'; readonly host: number; readonly entry: WaitingIsolate }
  /** Has a host give way to others, or no longer. */
  | { readonly action: 'weigh'; readonly host: number; readonly isHeavy: boolean }
  /** Anyone who waits with this ticket gets nothing. */
  | { readonly action: 'refuse'; readonly ticket: number }
  /** Ends a host, and reports its death. */
  | { readonly action: 'end'; readonly host: number }
  /** Says after a while that it was idle, unless it is used before. */
  | { readonly action: 'keep'; readonly host: number }
  | { readonly action: 'use'; readonly host: number }
  | { readonly action: 'report_replaced'; readonly host: number; readonly by: number };

export interface FleetStep {
  readonly state: FleetState;
  readonly actions: readonly FleetAction[];
}

/** Isolates that wait for a process, in all. A tenant beside others has its share of that (share.ts). */
export const MAX_WAITING = 4096;
/** So many isolates that wait for each host of their domain are worth another process, up to one for each processor. */
const CROWD = 4;
/** A time to come again: sooner is not worth it, later is only a guess. */
const RETRY_MS = { first: 1000, least: 100, most: 60_000 } as const;
/** How much the last interval counts. */
const SMOOTHING = 0.125;

export function newFleet(bounds: FleetBounds, now: number): FleetState {
  return {
    bounds,
    hosts: new Map(),
    ending: new Set(),
    waiting: new Map(),
    heavy: new Set(),
    started: 0,
    assigned: 0,
    letIn: { everyMs: RETRY_MS.first, lastAt: now },
    isClosed: false,
  };
}

/** What an event makes of the fleet. */
export function stepFleet(state: FleetState, event: FleetEvent, moment: FleetMoment): FleetStep {
  switch (event.event) {
    case 'ask':
      return place(state, event.entry, moment) ?? only(state);
    case 'wait':
      return giveWay(enqueued(state, event.entry), event.entry.wanted, moment);
    case 'leave':
      return only(withoutTicket(state, event.ticket));
    case 'serve':
      return serve(state, moment);
    case 'made':
      return only(changed(state, event.host, ({ opening }) => ({ opening: opening - 1 })));
    case 'changed':
      return state.isClosed ? only(state) : review(state, event.host, moment);
    case 'idle':
      return end(state, event.host);
    case 'dead': {
      const ending = new Set(state.ending);
      ending.delete(event.host);
      return only({ ...state, ending });
    }
    case 'prepare':
      return mayPrepare(state) ? start(state, event.first) : only(state);
    case 'end_domain':
      return endDomain(state, domainOf(event));
    case 'weigh':
      return weigh(state, event.tenant, event.isHeavy);
    case 'close':
      return close(state);
  }
}

/** Whether there is a host in which nothing has run yet. */
export function hasReady({ hosts }: FleetState): boolean {
  for (const { domain } of hosts.values()) if (domain === null) return true;
  return false;
}

/** Null: one more of this tenant may wait; else when to come again, milliseconds from now. */
export function retryAfterMs({ waiting, letIn }: FleetState, tenant: string | null, now: number): number | null {
  let used = 0;
  let own = 0;
  for (const entries of waiting.values()) {
    used += entries.length;
    if (entries[0]?.wanted.tenant === tenant) own += entries.length;
  }
  const isFree = tenant === null ? used < MAX_WAITING : mayHaveMore({ max: MAX_WAITING, used, own });
  if (isFree) return null;
  const everyMs = Math.max(letIn.everyMs, now - letIn.lastAt);
  return Math.ceil(Math.min(RETRY_MS.most, Math.max(RETRY_MS.least, everyMs)));
}

/** Whether something of its domain is in it. */
export function isUsed({ domain }: HostRecord, view: HostView | undefined): boolean {
  return domain !== null && view !== undefined && view.isolates() > 0;
}

function only(state: FleetState): FleetStep {
  return { state, actions: [] };
}

function then({ state, actions }: FleetStep, next: (state: FleetState) => FleetStep): FleetStep {
  const after = next(state);
  return { state: after.state, actions: [...actions, ...after.actions] };
}

function domainOf({ environment, trustDomain }: Pick<Wanted, 'environment' | 'trustDomain'>): string {
  return `${environment}/${trustDomain}`;
}

function changed(state: FleetState, host: number, change: (record: HostRecord) => Partial<HostRecord>): FleetState {
  const record = state.hosts.get(host);
  if (record === undefined) return state;
  return { ...state, hosts: new Map(state.hosts).set(host, { ...record, ...change(record) }) };
}

function start(state: FleetState, first: FirstIsolate): FleetStep {
  const host = state.started + 1;
  const { environment, heapWords } = first;
  const record: HostRecord = {
    domain: null,
    environment,
    tenant: null,
    last: { environment, heapWords },
    isReserved: false,
    opening: 0,
    isIdle: false,
  };
  const hosts = new Map(state.hosts).set(host, record);
  return { state: { ...state, hosts, started: host }, actions: [{ action: 'start', host, first: record.last }] };
}

function end(state: FleetState, host: number): FleetStep {
  if (!state.hosts.has(host)) return only(state);
  const hosts = new Map(state.hosts);
  hosts.delete(host);
  return { state: { ...state, hosts, ending: new Set(state.ending).add(host) }, actions: [{ action: 'end', host }] };
}

function mayStart({ hosts, ending, bounds }: FleetState): boolean {
  return hosts.size + ending.size < bounds.hosts;
}

function mayPrepare(state: FleetState): boolean {
  return !state.isClosed && !hasReady(state) && mayStart(state);
}

/**
 * Replaces a host that has seen a fault, so that the next isolate need not wait for a process, and ends what has no
 * further use: an unsound host that is empty at once, a sound one after a while. A host that never served is not
 * replaced: what killed it would kill the next one; nor is one that was ended because nobody needs it.
 */
function review(before: FleetState, host: number, { views }: FleetMoment): FleetStep {
  const [record, view] = [before.hosts.get(host), views.get(host)];
  if (record === undefined || view === undefined) return only(before);
  const isSound = view.isSound();
  const isReplaced = !isSound && record.domain !== null && mayPrepare(before);
  const replaced = isReplaced ? start(before, record.last) : only(before);
  return then(replaced, (state) => {
    const report: readonly FleetAction[] = isReplaced ? [{ action: 'report_replaced', host, by: state.started }] : [];
    if (view.isolates() > 0) return { state, actions: report };
    if (!isSound || record.isReserved || view.isWorn())
      return then({ state, actions: report }, (now) => end(now, host));
    if (record.isIdle) return { state, actions: report };
    return { state: changed(state, host, () => ({ isIdle: true })), actions: [...report, { action: 'keep', host }] };
  });
}

/** Whether who wants it may have another host in use. One that nobody uses counts for nobody: it gives way. */
function mayUseAnother(
  { hosts, bounds }: FleetState,
  { tenant, environment }: Wanted,
  { views }: FleetMoment,
): boolean {
  let used = 0;
  let workflows = 0;
  let own = 0;
  for (const [host, record] of hosts) {
    if (!isUsed(record, views.get(host))) continue;
    used += 1;
    if (record.environment === 'workflow') workflows += 1;
    if (record.tenant === tenant) own += 1;
  }
  return mayHaveHost({ max: bounds.hosts, used, workflows, own, isAlone: tenant === null }, environment);
}

/** A host for an isolate, perhaps one that starts for it; null where it has to wait. */
type Found = FleetStep & { readonly host: number };

/** A host in which nothing has run yet; null where there may be none, or is none yet. */
function findFresh(state: FleetState, wanted: Wanted, moment: FleetMoment): Found | null {
  if (!mayUseAnother(state, wanted, moment)) return null;
  for (const [host, { domain }] of state.hosts)
    if (domain === null && moment.views.get(host)?.isSound() === true) return { ...only(state), host };
  return mayStart(state) ? { ...start(state, wanted), host: state.started + 1 } : null;
}

/** The host of this domain that has room and makes the fewest isolates, else a fresh one. */
function findHost(state: FleetState, wanted: Wanted, moment: FleetMoment): Found | null {
  const domain = domainOf(wanted);
  const known = [...state.hosts].filter(([host, record]) => {
    const view = moment.views.get(host);
    return record.domain === domain && !record.isReserved && view?.isSound() === true && view.hasRoom();
  });
  const [least] = known
    .filter(([host, record]) => isUsed(record, moment.views.get(host)) || mayUseAnother(state, wanted, moment))
    .sort(([, one], [, other]) => one.opening - other.opening);
  const found = least === undefined ? null : { ...only(state), host: least[0] };
  const isCrowded = known.length < state.bounds.processors && moment.crowd > known.length * CROWD;
  return isCrowded ? (findFresh(state, wanted, moment) ?? found) : (found ?? findFresh(state, wanted, moment));
}

/** Has an isolate made where there is a place for it; null: there is none. */
function place(before: FleetState, entry: WaitingIsolate, moment: FleetMoment): FleetStep | null {
  const { wanted } = entry;
  const found = wanted.isAlone ? findFresh(before, wanted, moment) : findHost(before, wanted, moment);
  if (found === null) return null;
  const { host, state, actions } = found;
  const { environment, heapWords, tenant } = wanted;
  const input = state.assigned + (state.hosts.get(host)?.domain === null ? 1 : 0);
  const next = changed({ ...state, assigned: input }, host, ({ isReserved, opening }) => ({
    domain: domainOf(wanted),
    environment,
    tenant,
    last: { environment, heapWords },
    isReserved: isReserved || wanted.isAlone,
    opening: opening + 1,
    isIdle: false,
  }));
  const weight: readonly FleetAction[] =
    tenant === null ? [] : [{ action: 'weigh', host, isHeavy: state.heavy.has(tenant) }];
  return { state: next, actions: [...actions, ...weight, { action: 'use', host }, { action: 'open', host, entry }] };
}

function enqueued(state: FleetState, entry: WaitingIsolate): FleetState {
  const key = entry.wanted.isAlone ? `alone/${entry.ticket}` : domainOf(entry.wanted);
  return { ...state, waiting: new Map(state.waiting).set(key, [...(state.waiting.get(key) ?? []), entry]) };
}

function withoutTicket(state: FleetState, ticket: number): FleetState {
  for (const [key, entries] of state.waiting) {
    const left = entries.filter((entry) => entry.ticket !== ticket);
    if (left.length === entries.length) continue;
    const waiting = new Map(state.waiting);
    if (left.length === 0) waiting.delete(key);
    else waiting.set(key, left);
    return { ...state, waiting };
  }
  return state;
}

/** Those that are next in their domains; before others those of the tenant with the fewest hosts. */
function heads({ hosts, waiting }: FleetState, { views }: FleetMoment): readonly WaitingIsolate[] {
  const counts = new Map<string | null, number>();
  for (const [host, record] of hosts)
    if (isUsed(record, views.get(host))) counts.set(record.tenant, (counts.get(record.tenant) ?? 0) + 1);
  const own = ({ wanted: { tenant } }: WaitingIsolate): number => counts.get(tenant) ?? 0;
  return [...waiting.values()]
    .flatMap(([entry]) => (entry === undefined ? [] : [entry]))
    .sort((one, other) => own(one) - own(other) || one.ticket - other.ticket);
}

/** Lets in the first that may be by now; when none may, makes room for those that wait on. */
function serve(before: FleetState, moment: FleetMoment): FleetStep {
  if (before.waiting.size === 0 || before.isClosed) return only(before);
  const next = heads(before, moment);
  for (const entry of next) {
    const placed = place(before, entry, moment);
    if (placed === null) continue;
    const { everyMs, lastAt } = before.letIn;
    const letIn = { everyMs: everyMs + SMOOTHING * (moment.now - lastAt - everyMs), lastAt: moment.now };
    return { state: { ...withoutTicket(placed.state, entry.ticket), letIn }, actions: placed.actions };
  }
  return next.reduce((step, { wanted }) => then(step, (state) => giveWay(state, wanted, moment)), only(before));
}

/** Ends a host that nobody uses if it is that which keeps one that waits from another: one for each that does. */
function giveWay(state: FleetState, wanted: Wanted, moment: FleetMoment): FleetStep {
  const { ending, waiting, hosts } = state;
  if (ending.size >= waiting.size || mayStart(state) || !mayUseAnother(state, wanted, moment)) return only(state);
  for (const [host, record] of hosts)
    if (record.domain !== null && !isUsed(record, moment.views.get(host))) return end(state, host);
  return only(state);
}

function endDomain(before: FleetState, domain: string): FleetStep {
  const entries = [...before.waiting.values()].flat().filter(({ wanted }) => domainOf(wanted) === domain);
  const refused: FleetStep = {
    state: entries.reduce((state, { ticket }) => withoutTicket(state, ticket), before),
    actions: entries.map(({ ticket }) => ({ action: 'refuse', ticket })),
  };
  const ended = [...before.hosts].filter(([, record]) => record.domain === domain);
  return ended.reduce((step, [host]) => then(step, (state) => end(state, host)), refused);
}

function weigh(before: FleetState, tenant: string, isHeavy: boolean): FleetStep {
  const heavy = new Set(before.heavy);
  if (isHeavy) heavy.add(tenant);
  else heavy.delete(tenant);
  const own = [...before.hosts].filter(([, record]) => record.tenant === tenant);
  return {
    state: { ...before, heavy },
    actions: own.map(([host]) => ({ action: 'weigh', host, isHeavy })),
  };
}

function close(before: FleetState): FleetStep {
  const tickets = [...before.waiting.values()].flat().map(({ ticket }) => ticket);
  const closed: FleetStep = {
    state: { ...before, isClosed: true, waiting: new Map() },
    actions: tickets.map((ticket) => ({ action: 'refuse', ticket })),
  };
  return [...before.hosts.keys()].reduce((step, host) => then(step, (state) => end(state, host)), closed);
}
