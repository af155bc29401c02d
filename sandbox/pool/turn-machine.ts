import { heavier, orderOf, spentUntil, type Account, type RunningTurn, type AccountState } from './turn-accounts.ts';
import { mayHaveMore } from './share.ts';

/**
 * Who computes when, as a pure machine: an event and a state make the next state and what begins. Each tenant has an
 * account of the processor time that its turns took, which fades; the tenant that used least goes first, and the turns
 * of one that used far more do not count against it. Times are milliseconds of one monotonic clock.
 */

/**
 * `again`: goes on after a call. `next`: another step of what has an isolate. `new`: an isolate is made. In this order,
 * but for every eighth turn, which goes to what is new.
 */
export type Work = 'again' | 'next' | 'new';

export interface TurnBounds {
  /** Turns at a time. A turn that has become long is no longer one of them. */
  readonly slots: number;
  /** Turns of one tenant that compute, long ones included; so many more may go on after a call. */
  readonly computing: number;
  /** Among how many processors the time is shared. */
  readonly processors: number;
}

export interface TurnState {
  readonly bounds: TurnBounds;
  /** Until when the accounts are charged. */
  readonly now: number;
  readonly accounts: ReadonlyMap<string | null, Account>;
  /** Turns that began. */
  readonly started: number;
}

interface Of {
  readonly ticket: number;
  /** Null: shares the turns with nobody, and may have all. */
  readonly tenant: string | null;
  readonly now: number;
}

export type TurnEvent =
  | (Of & { readonly event: 'ask'; readonly work: Work })
  /** It ends, waits for something that takes a while, or no longer wants a turn. Of an unknown ticket: nothing. */
  | (Of & { readonly event: 'leave' })
  /** It had a call that was answered at once, and has its turn still; it may have to wait for the next. */
  | (Of & { readonly event: 'called' })
  /** What made something wants to compute. */
  | (Of & { readonly event: 'compute' })
  /** It lasts longer than a turn is counted. */
  | (Of & { readonly event: 'long' })
  /**
   * It has waited as long as it wanted to; `isLast`: as long as it can. Another one like it may follow after `waitMs`.
   */
  | (Of & { readonly event: 'impatient'; readonly waitMs: number; readonly isLast: boolean })
  /** The event loop has turned: one that waits may begin. */
  | { readonly event: 'serve'; readonly now: number }
  /** Some time has passed. */
  | { readonly event: 'review'; readonly now: number };

export type TurnAction =
  | { readonly action: 'begin'; readonly ticket: number; readonly state: AccountState }
  /** The processes of this tenant give way to those of others, or no longer. */
  | { readonly action: 'weigh'; readonly tenant: string; readonly isHeavy: boolean }
  /** Is to ask again at this time: one more than compute already is not due yet. */
  | { readonly action: 'wait'; readonly ticket: number; readonly untilAt: number };

export interface TurnStep {
  readonly state: TurnState;
  readonly actions: readonly TurnAction[];
}

/** One turn in so many goes to what is new, however much there is to go on with. */
const SHARE_OF_NEW = 8;
/** A program that calls all the time gives its turn to another that waits after so long. */
export const SLICE_MS = 5;
/** What used less is not worth remembering. */
const ORPHAN_MS = 5;
/**
 * A tenant whose account says so much takes a fourteenth of a processor, and may be heavy beside others; with half as
 * much it no longer is.
 */
const HEAVY_MS = 100;
/** Turns that are shorter come and go by their order alone, whatever their tenant used; how long one counts. */
const [STRETCH_MS, STRETCHED_MS] = [20, 2000];

const EMPTY: Account = {
  usedMs: 0,
  waiting: { again: [], next: [], new: [] },
  running: new Map(),
  extraAt: 0,
  last: 0,
  stretchedAt: -Infinity,
  isHeavy: false,
};

export function openTurns(bounds: TurnBounds): TurnState {
  return { bounds, now: 0, accounts: new Map(), started: 0 };
}

/** What an event makes of the turns. */
export function stepTurns(before: TurnState, event: TurnEvent): TurnStep {
  const state = charged(before, event.now);
  switch (event.event) {
    case 'ask':
      return ask(state, event);
    case 'leave':
      return { state: removed(state, event), actions: [] };
    case 'called':
      return called(state, event);
    case 'compute':
      return compute(state, event);
    case 'long':
      return { state: becomeLong(state, event), actions: [] };
    case 'impatient':
      return impatient(state, event);
    case 'serve':
      return serve(state);
    case 'review':
      return review(state);
  }
}

/** Whether `serve` would let anyone begin. */
export function hasCandidate(state: TurnState): boolean {
  return candidate(state) !== null;
}

/** Those that wait, of all tenants. */
export function waitingCount({ accounts }: TurnState, work: Work): number {
  let count = 0;
  for (const { waiting } of accounts.values()) count += waiting[work].length;
  return count;
}

/** Charges each turn that is held with its part of the processors since the last event. */
function charged(state: TurnState, now: number): TurnState {
  const passedMs = now - state.now;
  if (passedMs <= 0 || state.accounts.size === 0) return passedMs <= 0 ? state : { ...state, now };
  let running = 0;
  for (const { running: acquired } of state.accounts.values()) running += acquired.size;
  const each = running === 0 ? 0 : Math.min(1, state.bounds.processors / running);
  const accounts = new Map<string | null, Account>();
  for (const [tenant, account] of state.accounts) {
    const usedMs = spentUntil(account.usedMs, each * account.running.size, passedMs);
    accounts.set(tenant, { ...account, usedMs, stretchedAt: isStretched(account, now) ? now : account.stretchedAt });
  }
  return { ...state, now, accounts };
}

function isStretched({ running: turns }: Account, now: number): boolean {
  for (const { state, since } of turns.values()) if (state !== 'making' && now - since >= STRETCH_MS) return true;
  return false;
}

function accountOf({ accounts }: TurnState, tenant: string | null): Account {
  return accounts.get(tenant) ?? EMPTY;
}

function withAccount(state: TurnState, tenant: string | null, account: Account): TurnState {
  const accounts = new Map(state.accounts);
  accounts.set(tenant, account);
  return { ...state, accounts };
}

function holdTurn(state: TurnState, tenant: string | null, ticket: number, turn: RunningTurn): TurnState {
  const account = accountOf(state, tenant);
  return withAccount(state, tenant, { ...account, running: new Map(account.running).set(ticket, turn) });
}

function removed(state: TurnState, { ticket, tenant }: Of): TurnState {
  const account = state.accounts.get(tenant);
  if (account === undefined) return state;
  if (account.running.has(ticket)) {
    const left = new Map(account.running);
    left.delete(ticket);
    return withAccount(state, tenant, { ...account, running: left });
  }
  const works: readonly Work[] = ['again', 'next', 'new'];
  const work = works.find((each) => account.waiting[each].includes(ticket));
  if (work === undefined) return state;
  const waiting = { ...account.waiting, [work]: account.waiting[work].filter((each) => each !== ticket) };
  return withAccount(state, tenant, { ...account, waiting });
}

function ask(state: TurnState, of: Extract<TurnEvent, { event: 'ask' }>): TurnStep {
  const { ticket, tenant, work } = of;
  const account = accountOf(state, tenant);
  const waiting = { ...account.waiting, [work]: [...account.waiting[work], ticket] };
  const turnState = withAccount(state, tenant, { ...account, waiting });
  // What goes on needs no turn of the event loop to begin.
  const found = work !== 'again' ? null : tenant === null ? { tenant, ticket, work } : candidate(turnState);
  if (found?.ticket === ticket) return begin(turnState, found);
  // One that comes is not to wait for the next review until those beside it give way.
  return state.accounts.has(tenant) ? { state: turnState, actions: [] } : review(turnState);
}

/** Keeps its turn, unless it has had it for a while and another would have it. */
function called(state: TurnState, of: Extract<TurnEvent, { event: 'called' }>): TurnStep {
  const { ticket, tenant } = of;
  const turn = accountOf(state, tenant).running.get(ticket);
  if (turn === undefined) return ask(state, { ...of, event: 'ask', work: 'again' });
  const goesOn: TurnAction = { action: 'begin', ticket, state: turn.state };
  if (tenant === null || state.now - turn.since < SLICE_MS) return { state, actions: [goesOn] };
  return ask(removed(state, of), { ...of, event: 'ask', work: 'again' });
}

function compute(state: TurnState, { ticket, tenant }: Of): TurnStep {
  const account = accountOf(state, tenant);
  const turn = account.running.get(ticket);
  if (turn === undefined || !mayCompute(state, tenant, account)) return { state, actions: [] };
  const next = holdTurn(state, tenant, ticket, { state: 'computing', since: state.now });
  return { state: next, actions: [{ action: 'begin', ticket, state: 'computing' }] };
}

/** One that made something is no computation: of it nothing is known any more. */
function becomeLong(state: TurnState, of: Of): TurnState {
  const turn = accountOf(state, of.tenant).running.get(of.ticket);
  if (turn === undefined || turn.state === 'long') return state;
  if (turn.state === 'making') return removed(state, of);
  return holdTurn(state, of.tenant, of.ticket, { ...turn, state: 'long' });
}

/** Nothing shows from the first which one never ends: one more goes on after a while, the later the more there are. */
function impatient(state: TurnState, of: Extract<TurnEvent, { event: 'impatient' }>): TurnStep {
  const { ticket, tenant, waitMs, isLast } = of;
  const account = accountOf(state, tenant);
  const isExtra = !mayCompute(state, tenant, account);
  if (isExtra && !isLast && state.now < account.extraAt) {
    return { state, actions: [{ action: 'wait', ticket, untilAt: account.extraAt }] };
  }
  const left = removed(state, of);
  const next = holdTurn(left, tenant, ticket, { state: 'long', since: state.now });
  const extraAt = state.now + waitMs * (countOf(accountOf(next, tenant), 'long') - state.bounds.computing + 1);
  const after = isExtra ? withAccount(next, tenant, { ...accountOf(next, tenant), extraAt }) : next;
  return { state: after, actions: [{ action: 'begin', ticket, state: 'long' }] };
}

function serve(state: TurnState): TurnStep {
  const found = candidate(state);
  return found === null ? { state, actions: [] } : begin(state, found);
}

/** Says which tenants became heavy beside others, or no longer are, and forgets those that used next to nothing. */
function review(state: TurnState): TurnStep {
  const actions: TurnAction[] = [];
  const accounts = new Map<string | null, Account>();
  for (const [tenant, account] of state.accounts) {
    const isActive = account.running.size > 0 || hasWaiting(account);
    if (!isActive && account.usedMs < ORPHAN_MS && !account.isHeavy) continue;
    const isHeavy = tenant !== null && isHeavyBesideOthers(state, tenant, account);
    if (tenant !== null && isHeavy !== account.isHeavy) actions.push({ action: 'weigh', tenant, isHeavy });
    accounts.set(tenant, { ...account, isHeavy });
  }
  return { state: { ...state, accounts }, actions };
}

/**
 * Once heavy it is so until it used half of what makes it so, or others as much: its weight does not change at each
 * turn.
 */
function isHeavyBesideOthers({ accounts, now }: TurnState, tenant: string, account: Account): boolean {
  const { usedMs, stretchedAt, isHeavy } = account;
  if (usedMs < (isHeavy ? HEAVY_MS / 2 : HEAVY_MS) || now - stretchedAt > STRETCHED_MS) return false;
  for (const [other, { usedMs: otherMs }] of accounts) {
    const isBeside = other !== null && other !== tenant;
    if (isBeside && (isHeavy ? usedMs > otherMs : heavier(usedMs, otherMs))) return true;
  }
  return false;
}

interface Candidate {
  readonly tenant: string | null;
  readonly ticket: number;
  readonly work: Work;
}

function begin(state: TurnState, { tenant, ticket, work }: Candidate): TurnStep {
  const account = accountOf(state, tenant);
  const waiting = { ...account.waiting, [work]: account.waiting[work].filter((each) => each !== ticket) };
  const precedence = work === 'new' ? 'making' : 'computing';
  const started = state.started + 1;
  const next = withAccount({ ...state, started }, tenant, { ...account, waiting, last: started });
  const turn: RunningTurn = { state: precedence, since: state.now };
  return { state: holdTurn(next, tenant, ticket, turn), actions: [{ action: 'begin', ticket, state: precedence }] };
}

/** Who is next: of the tenants that may have another turn the one that used least. */
function candidate(state: TurnState): Candidate | null {
  let chosen: { readonly tenant: string | null; readonly account: Account; readonly order: number } | null = null;
  for (const [tenant, account] of state.accounts) {
    if (firstOf(state, tenant, account) === null || !mayBegin(state, tenant, account)) continue;
    const order = orderOf(account);
    const isTie = chosen !== null && order === chosen.order;
    if (chosen === null || (isTie ? account.last < chosen.account.last : order < chosen.order))
      chosen = { tenant, account, order };
  }
  return chosen === null ? null : firstOf(state, chosen.tenant, chosen.account);
}

/** What a tenant would do next, of what it may. */
function firstOf(state: TurnState, tenant: string | null, account: Account): Candidate | null {
  const { again, next, new: fresh } = account.waiting;
  const isTurnOfNew = (state.started + 1) % SHARE_OF_NEW === 0;
  const [made] = fresh;
  if (isTurnOfNew && made !== undefined) return { tenant, ticket: made, work: 'new' };
  const [goesOn] = again;
  if (goesOn !== undefined && mayGoOn(state, tenant, account)) return { tenant, ticket: goesOn, work: 'again' };
  const [computes] = next;
  if (computes !== undefined && mayCompute(state, tenant, account)) return { tenant, ticket: computes, work: 'next' };
  return made === undefined ? null : { tenant, ticket: made, work: 'new' };
}

function mayCompute({ bounds }: TurnState, tenant: string | null, account: Account): boolean {
  return tenant === null || computingOf(account) < bounds.computing;
}

/** A program that has started does not wait for what else its own tenant computes, up to a bound. */
function mayGoOn({ bounds }: TurnState, tenant: string | null, account: Account): boolean {
  return tenant === null || computingOf(account) < 2 * bounds.computing;
}

function computingOf(account: Account): number {
  return countOf(account, 'computing') + countOf(account, 'long');
}

function mayBegin({ bounds: { slots }, accounts }: TurnState, tenant: string | null, account: Account): boolean {
  const own = countedOf(account);
  let used = own;
  for (const [other, { usedMs, ...rest }] of accounts) {
    if (other !== tenant && !heavier(usedMs, account.usedMs)) used += countedOf(rest);
  }
  if (tenant === null) return used < slots;
  // Who never can have a second one while another is left has at least this one.
  return mayHaveMore({ max: slots, used, own }) || (slots === 1 && used === 0);
}

/** Turns that are counted among all: those that make something or compute, and not for long. */
function countedOf(account: Pick<Account, 'running'>): number {
  return account.running.size - countOf(account, 'long');
}

function countOf({ running: turns }: Pick<Account, 'running'>, accountState: AccountState): number {
  let count = 0;
  for (const turn of turns.values()) if (turn.state === accountState) count += 1;
  return count;
}

function hasWaiting({ waiting }: Account): boolean {
  return waiting.again.length + waiting.next.length + waiting.new.length > 0;
}
