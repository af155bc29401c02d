/**
 * A bounded queue in front of a number of places, fair between tenants, as a pure state machine: events in, the next
 * state and the answers to waiting requests out (gateway.md §18). Requests of one tenant are served in their order.
 * Between tenants, one that has fewer places than its share goes before one that has as many, and among equals anyone
 * who got fewer for its weight so far; shares that nobody wants are lent. What has started is never interrupted. Times
 * are milliseconds of one monotonic clock.
 */

/** Names one request; unique as long as the queue lives. */
export type QueueTicket = number;

/** What one tenant may have. */
export interface Share {
  /** 1 to 100: places beside those of other tenants. */
  readonly weight: number;
  /** Places at once, however many are free. */
  readonly atOnce: number;
  /** Requests that may wait. */
  readonly waiting: number;
  /** How fast they may begin; absent: as fast as places come free. */
  readonly rate?: StartRate;
}

/** So many may begin at once after a while, and then one in each interval. */
export interface StartRate {
  readonly everyMs: number;
  /** 1 or more. */
  readonly burst: number;
}

/** What all tenants together may have. */
export interface QueueBounds {
  readonly atOnce: number;
  readonly waiting: number;
}

interface Holding {
  readonly ticket: QueueTicket;
  readonly since: number;
}

/** What the queue knows of one tenant. */
export interface TenantQueue {
  /** As its last request brought it. */
  readonly share: Share;
  readonly waiting: readonly QueueTicket[];
  /** Those that gave their place up while they had nothing to do, and want one again; in the order of their wishes. */
  readonly back: readonly QueueTicket[];
  readonly holding: readonly Holding[];
  /** Places it got, each divided by its weight; counted on from where the others are. */
  readonly served: number;
  /**
   * Requests that were refused because the queue was full, less the places that came free since: each comes again
   * behind those before it.
   */
  readonly turnedAway: number;
}

/** All that the queue knows; plain data, which a step replaces. */
export interface FairQueueState {
  readonly bounds: QueueBounds;
  readonly closed: boolean;
  /** Nobody begins, and who waits goes on to wait. */
  readonly isPaused: boolean;
  /** Of tenants whose rate is not whole again: when it will be. */
  readonly wholeAt: ReadonlyMap<string, number>;
  /** Those that hold a place or wait for one. */
  readonly tenants: ReadonlyMap<string, TenantQueue>;
  /** How long a place is held, by those that gave one back. */
  readonly holdMs: number;
}

/** What happened; `now` is in milliseconds of a clock that only goes on. */
export type FairQueueEvent =
  | {
      readonly event: 'request';
      readonly ticket: QueueTicket;
      readonly tenant: string;
      readonly share: Share;
      readonly now: number;
      /** It had a place before: it waits before all that had none, and is turned away by `close` alone. */
      readonly isBack?: boolean;
    }
  /** Its work has ended, or nobody waits for it any more. Of an unknown ticket: nothing. */
  | { readonly event: 'over'; readonly ticket: QueueTicket; readonly now: number }
  /** Nobody begins until `resume`. */
  | { readonly event: 'pause' | 'resume'; readonly now: number }
  /** Time has passed, so that somebody may begin whom only his rate kept from it. */
  | { readonly event: 'tick'; readonly now: number }
  /** So many of those that wait, the newest first, are asked to come again. */
  | { readonly event: 'shed'; readonly count: number; readonly now: number }
  /** Nobody begins any more. */
  | { readonly event: 'close'; readonly now: number };

/** Why a request may not even wait. */
export type QueueRefusalReason =
  /** As many of this tenant wait as may. */
  | 'tenant_quota'
  /** As many wait as may, over all tenants, and this one has its share of them. */
  | 'queue_full'
  /** There is no memory for it. */
  | 'unavailable'
  | 'draining';

/** A request that may not even wait: nothing was done for it. */
export interface Refusal {
  readonly outcome: 'refused';
  readonly reason: QueueRefusalReason;
  /** When a place is likely to be free for it, milliseconds from now; 1 or more. */
  readonly retryAfterMs: number;
}

/** What a ticket gets. */
export type FairAnswer = { readonly outcome: 'begins' } | Refusal;

/** What an event came to. */
export interface FairQueueStep {
  readonly state: FairQueueState;
  /** In the order in which they were decided; each ticket is answered once. */
  readonly answers: readonly { readonly ticket: QueueTicket; readonly answer: FairAnswer }[];
}

/** Assumed until the first place was given back. */
const FIRST_HOLD_MS = 1000;
/** How much the last place that was given back counts. */
const HOLD_SMOOTHING = 0.125;
/** Sooner is not worth asking again; later is only a guess. */
export const RETRY_MS = { least: 100, most: 60_000 } as const;

/** A queue in which nobody waits and no place is held. */
export function openFairQueue(bounds: QueueBounds): FairQueueState {
  return { bounds, closed: false, isPaused: false, wholeAt: new Map(), tenants: new Map(), holdMs: FIRST_HOLD_MS };
}

/**
 * What an event makes of the queue, and the answers that it decides. Times in the event are milliseconds of one
 * monotonic clock.
 */
export function stepFairQueue(state: FairQueueState, event: FairQueueEvent): FairQueueStep {
  switch (event.event) {
    case 'request':
      return request(state, event);
    case 'over':
      return startWaiting(over(state, event.ticket, event.now), event.now);
    case 'pause':
      return { state: { ...state, isPaused: true }, answers: [] };
    case 'resume':
      return startWaiting({ ...state, isPaused: false }, event.now);
    case 'tick':
      return startWaiting(state, event.now);
    case 'shed':
      return shed(state, event.count, event.now);
    case 'close':
      return close(state, event.now);
  }
}

/** When the next may begin whom only his rate keeps from it; null where nobody is kept by that alone. */
export function nextStartAt(state: FairQueueState): number | null {
  if (state.closed || state.isPaused || countQueue(state).holding >= state.bounds.atOnce) return null;
  const times = [...state.tenants]
    .filter(([, { share, waiting, holding }]) => waiting.length > 0 && holding.length < share.atOnce)
    .map(([name, { share }]) => mayStartAt(state, name, share));
  return times.length === 0 ? null : Math.min(...times);
}

/** Any time that has passed says: now. */
function mayStartAt({ wholeAt }: FairQueueState, name: string, { rate }: Share): number {
  return rate === undefined ? -Infinity : (wholeAt.get(name) ?? -Infinity) - (rate.burst - 1) * rate.everyMs;
}

/** One start takes an interval of the rate; whose is whole again is forgotten. */
function afterStart(
  { wholeAt }: FairQueueState,
  name: string,
  { rate }: Share,
  now: number,
): ReadonlyMap<string, number> {
  if (rate === undefined && wholeAt.size === 0) return wholeAt;
  const next = new Map([...wholeAt].filter(([, at]) => at > now));
  if (rate !== undefined) next.set(name, Math.max(now, next.get(name) ?? now) + rate.everyMs);
  return next;
}

function shed(state: FairQueueState, count: number, now: number): FairQueueStep {
  const newest = [...state.tenants]
    .flatMap(([name, { waiting }]) => waiting.map((ticket) => ({ name, ticket })))
    .toSorted((a, b) => b.ticket - a.ticket)
    .slice(0, count);
  const removed = new Set(newest.map(({ ticket }) => ticket));
  const answers = newest.map(({ name, ticket }) => ({ ticket, answer: refusal(state, name, 'unavailable', now) }));
  const left = [...state.tenants].map(
    ([name, tenant]) =>
      [name, { ...tenant, waiting: tenant.waiting.filter((ticket) => !removed.has(ticket)) }] as const,
  );
  return { state: { ...state, tenants: new Map(left.filter(([, tenant]) => isActive(tenant))) }, answers };
}

/** Requests of all tenants that wait, and places that are held. */
export function countQueue({ tenants }: FairQueueState): { readonly waiting: number; readonly holding: number } {
  let waiting = 0;
  let holding = 0;
  for (const tenant of tenants.values()) {
    waiting += tenant.waiting.length;
    holding += tenant.holding.length;
  }
  return { waiting, holding };
}

/** The same of each tenant that has or wants something. */
export function countsByTenant({
  tenants,
}: FairQueueState): ReadonlyMap<string, { readonly waiting: number; readonly holding: number }> {
  return new Map(
    [...tenants].map(([name, { waiting, holding }]) => [name, { waiting: waiting.length, holding: holding.length }]),
  );
}

/** Of `total` that are shared by those who have or want some of it, what one tenant may have while others wait. */
export function fairShare(state: FairQueueState, tenant: string, total: number): number {
  return shareAmong(weightsOf(state), state.tenants.get(tenant)?.share.weight ?? 0, total);
}

function weightsOf({ tenants }: FairQueueState): number {
  let weights = 0;
  for (const { share } of tenants.values()) weights += share.weight;
  return weights;
}

function shareAmong(weights: number, own: number, total: number): number {
  return weights === 0 ? total : Math.ceil((total * own) / weights);
}

function request(
  state: FairQueueState,
  { ticket, tenant: name, share, now, isBack = false }: Extract<FairQueueEvent, { event: 'request' }>,
): FairQueueStep {
  if (state.closed) return { state, answers: [{ ticket, answer: refusal(state, name, 'draining', now) }] };
  const known = state.tenants.get(name) ?? {
    waiting: [],
    back: [],
    holding: [],
    served: leastServed(state),
    turnedAway: 0,
  };
  if (isBack) return startWaiting(withTenant(state, name, { ...known, share, back: [...known.back, ticket] }), now);
  const next = startWaiting(withTenant(state, name, { ...known, share, waiting: [...known.waiting, ticket] }), now);
  const tenant = next.state.tenants.get(name);
  if (tenant === undefined || !tenant.waiting.includes(ticket)) return next;
  if (tenant.waiting.length > share.waiting) return turnAway(next.state, name, 'tenant_quota', now);
  if (countQueue(next.state).waiting <= state.bounds.waiting) return next;
  return turnAway(next.state, furthestAboveShare(next.state, name), 'queue_full', now);
}

/** The newest of a tenant that waits is asked to come again. */
function turnAway(state: FairQueueState, name: string, reason: QueueRefusalReason, now: number): FairQueueStep {
  const tenant = state.tenants.get(name);
  const ticket = tenant?.waiting.at(-1);
  if (tenant === undefined || ticket === undefined) throw new Error('only a tenant that waits is turned away');
  const left = { ...tenant, waiting: tenant.waiting.slice(0, -1), turnedAway: tenant.turnedAway + 1 };
  return { state: withTenant(state, name, left), answers: [{ ticket, answer: refusal(state, name, reason, now) }] };
}

/** Whose waiting requests are the most beyond its share of the queue; of equals the one that asks. */
function furthestAboveShare(state: FairQueueState, asking: string): string {
  const weights = weightsOf(state);
  const excess = (name: string): number => {
    const { waiting = [], share } = state.tenants.get(name) ?? {};
    return waiting.length - shareAmong(weights, share?.weight ?? 0, state.bounds.waiting);
  };
  return [...state.tenants.keys()].reduce((most, name) => (excess(name) > excess(most) ? name : most), asking);
}

function refusal(state: FairQueueState, name: string, reason: QueueRefusalReason, now: number): Refusal {
  return { outcome: 'refused', reason, retryAfterMs: retryAfterMs(state, name, now) };
}

/**
 * One place comes free for the tenant as often as one of its own is given back; those that were asked before come
 * first.
 */
function retryAfterMs(state: FairQueueState, name: string, now: number): number {
  const tenant = state.tenants.get(name);
  const places = Math.max(1, Math.min(tenant?.share.atOnce ?? 1, fairShare(state, name, state.bounds.atOnce)));
  const holding = [...state.tenants.values()].flatMap((each) => each.holding);
  const age = holding.reduce((sum, { since }) => sum + (now - since), 0) / Math.max(1, holding.length);
  const each = Math.max(state.holdMs, age) / places;
  return Math.ceil(Math.min(RETRY_MS.most, Math.max(RETRY_MS.least, each * ((tenant?.turnedAway ?? 0) + 1))));
}

/** Gives free places to those that wait. */
function startWaiting(state: FairQueueState, now: number): FairQueueStep {
  const answers: FairQueueStep['answers'][number][] = [];
  let current = state;
  while (!current.closed && !current.isPaused && countQueue(current).holding < current.bounds.atOnce) {
    const name = next(current, now);
    const tenant = name === null ? undefined : current.tenants.get(name);
    const [returning] = tenant?.back ?? [];
    const ticket = returning ?? tenant?.waiting[0];
    if (name === null || tenant === undefined || ticket === undefined) break;
    answers.push({ ticket, answer: { outcome: 'begins' } });
    if (returning !== undefined) {
      // It was counted when it had its first place.
      const holding = [...tenant.holding, { ticket, since: now }];
      current = withTenant(current, name, { ...tenant, back: tenant.back.slice(1), holding });
      continue;
    }
    current = withTenant({ ...current, wholeAt: afterStart(current, name, tenant.share, now) }, name, {
      ...tenant,
      waiting: tenant.waiting.slice(1),
      holding: [...tenant.holding, { ticket, since: now }],
      served: tenant.served + 1 / tenant.share.weight,
      turnedAway: Math.max(0, tenant.turnedAway - 1),
    });
  }
  return { state: current, answers };
}

/**
 * Whose turn it is; null where nobody waits who may begin. Of tenants below their share, and of those that have it, one
 * whose work had started before goes first.
 */
function next(state: FairQueueState, now: number): string | null {
  const weights = weightsOf(state);
  let chosen: Candidate | null = null;
  for (const [name, { share, waiting, back, holding, served }] of state.tenants) {
    const isBack = back.length > 0;
    const mayBegin = isBack || (waiting.length > 0 && mayStartAt(state, name, share) <= now);
    if (!mayBegin || holding.length >= share.atOnce) continue;
    const isBelow = holding.length < shareAmong(weights, share.weight, state.bounds.atOnce);
    const candidate = { name, isBelow, isBack, served };
    if (chosen === null || goesBefore(candidate, chosen)) chosen = candidate;
  }
  return chosen?.name ?? null;
}

interface Candidate {
  readonly name: string;
  /** It has fewer places than its share. */
  readonly isBelow: boolean;
  readonly isBack: boolean;
  readonly served: number;
}

function goesBefore(one: Candidate, other: Candidate): boolean {
  if (one.isBelow !== other.isBelow) return one.isBelow;
  return one.isBack === other.isBack ? one.served < other.served : one.isBack;
}

function over(state: FairQueueState, ticket: QueueTicket, now: number): FairQueueState {
  for (const [name, tenant] of state.tenants) {
    const acquired = tenant.holding.find((holding) => holding.ticket === ticket);
    if (acquired === undefined && !tenant.waiting.includes(ticket) && !tenant.back.includes(ticket)) continue;
    const left = {
      ...tenant,
      waiting: tenant.waiting.filter((each) => each !== ticket),
      back: tenant.back.filter((each) => each !== ticket),
      holding: tenant.holding.filter((each) => each !== acquired),
    };
    const holdMs =
      acquired === undefined ? state.holdMs : state.holdMs + HOLD_SMOOTHING * (now - acquired.since - state.holdMs);
    return withTenant({ ...state, holdMs }, name, left);
  }
  return state;
}

function close(state: FairQueueState, now: number): FairQueueStep {
  const answers = [...state.tenants].flatMap(([name, { waiting, back }]) =>
    [...back, ...waiting].map((ticket) => ({ ticket, answer: refusal(state, name, 'draining', now) })),
  );
  const left = [...state.tenants]
    .map(([name, tenant]) => [name, { ...tenant, waiting: [], back: [] }] as const)
    .filter(([, tenant]) => isActive(tenant));
  return { state: { ...state, closed: true, tenants: new Map(left) }, answers };
}

/** One that comes begins where the others are: it has no claim for the time when it asked nothing. */
function leastServed({ tenants }: FairQueueState): number {
  return tenants.size === 0 ? 0 : Math.min(...[...tenants.values()].map(({ served }) => served));
}

function isActive({ waiting, back, holding }: TenantQueue): boolean {
  return waiting.length + back.length + holding.length > 0;
}

/** Forgets a tenant that has and wants nothing. */
function withTenant(state: FairQueueState, name: string, tenant: TenantQueue): FairQueueState {
  const tenants = new Map(state.tenants);
  if (isActive(tenant)) tenants.set(name, tenant);
  else tenants.delete(name);
  return { ...state, tenants };
}
