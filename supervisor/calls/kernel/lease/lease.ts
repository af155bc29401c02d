/**
 * The one evaluation lease of a run (runtime.md §6, "Evaluation lease") as a pure state machine: events in, the next
 * state and the answers to waiting requests out. Times are milliseconds of the run's monotonic clock.
 */

/** Names one request for the lease; unique within a run. */
export type Ticket = number;

export interface LeaseLimits {
  /** `subordinate_evaluations`: leases that may be granted in the run. */
  readonly evaluations: number;
  /** The run's deadline. */
  readonly runDeadlineAt: number;
  /** `evaluation_admission_timeout_ms`. */
  readonly admissionTimeoutMs: number;
}

interface Waiting {
  readonly ticket: Ticket;
  /** When its own wait ends, at the run's deadline at the latest. */
  readonly admissionDeadlineAt: number;
  /** Its owner has died; it is passed over. */
  readonly dead: boolean;
}

interface Holder {
  readonly ticket: Ticket;
  /** Calls reserved under the lease that have not ended. */
  readonly calls: number;
  /** Its evaluation is over; the lease is free as soon as no call is alive. */
  readonly released: boolean;
}

export interface LeaseState {
  readonly limits: LeaseLimits;
  readonly closed: boolean;
  readonly granted: number;
  readonly holder: Holder | null;
  readonly queue: readonly Waiting[];
}

export type LeaseEvent =
  | {
      readonly event: 'request';
      readonly ticket: Ticket;
      readonly requestedAt: number;
      readonly now: number;
    }
  /** The holder's evaluation is over. Of any other ticket: nothing. */
  | { readonly event: 'release'; readonly ticket: Ticket; readonly now: number }
  | { readonly event: 'call_reserved'; readonly ticket: Ticket }
  | { readonly event: 'call_ended'; readonly ticket: Ticket; readonly now: number }
  /** The caller is gone: a waiting request is passed over, a held lease ends without commit. */
  | { readonly event: 'owner_died'; readonly ticket: Ticket; readonly now: number }
  /** Time has passed. */
  | { readonly event: 'tick'; readonly now: number }
  | { readonly event: 'close'; readonly now: number };

export type LeaseAnswer =
  | { readonly outcome: 'granted' }
  | { readonly outcome: 'busy'; readonly reason: 'admission_timeout' }
  | {
      readonly outcome: 'limit_exceeded';
      readonly reason: 'subordinate_evaluations' | 'run_closed' | 'deadline_expired';
    }
  | { readonly outcome: 'owner_died' };

export interface TicketAnswer {
  readonly ticket: Ticket;
  readonly answer: LeaseAnswer;
}

export interface LeaseStep {
  readonly state: LeaseState;
  /** In the order in which they were decided; each ticket is answered once. */
  readonly answers: readonly TicketAnswer[];
}

const GRANTED: LeaseAnswer = { outcome: 'granted' };
const ADMISSION_TIMEOUT: LeaseAnswer = { outcome: 'busy', reason: 'admission_timeout' };
const SPENT: LeaseAnswer = { outcome: 'limit_exceeded', reason: 'subordinate_evaluations' };
const RUN_CLOSED: LeaseAnswer = { outcome: 'limit_exceeded', reason: 'run_closed' };
const DEADLINE_EXPIRED: LeaseAnswer = { outcome: 'limit_exceeded', reason: 'deadline_expired' };
const OWNER_DIED: LeaseAnswer = { outcome: 'owner_died' };

export function openLease(limits: LeaseLimits): LeaseState {
  return { limits, closed: false, granted: 0, holder: null, queue: [] };
}

/** Whether a ticket may reserve a call: it holds the lease and its evaluation is not over. */
export function isCurrent({ holder, closed }: LeaseState, ticket: Ticket): boolean {
  return !closed && holder !== null && holder.ticket === ticket && !holder.released;
}

/** When the next waiting request expires; null when none waits. */
export function nextExpiry({ queue }: LeaseState): number | null {
  return queue.length === 0 ? null : Math.min(...queue.map(({ admissionDeadlineAt }) => admissionDeadlineAt));
}

export function stepLease(state: LeaseState, event: LeaseEvent): LeaseStep {
  switch (event.event) {
    case 'request':
      return request(state, event);
    case 'release':
      return advance(
        withHolder(state, event.ticket, (holder) => ({ ...holder, released: true })),
        event.now,
      );
    case 'call_reserved':
      return {
        state: withHolder(state, event.ticket, (holder) => ({ ...holder, calls: holder.calls + 1 })),
        answers: [],
      };
    case 'call_ended':
      return advance(
        withHolder(state, event.ticket, (holder) => ({ ...holder, calls: Math.max(0, holder.calls - 1) })),
        event.now,
      );
    case 'owner_died':
      return advance(withoutOwner(state, event.ticket), event.now);
    case 'tick':
      return advance(state, event.now);
    case 'close':
      return advance({ ...state, closed: true }, event.now);
  }
}

/** The tests of a request, in the order of runtime.md §6. */
function request(
  state: LeaseState,
  { ticket, requestedAt, now }: Extract<LeaseEvent, { event: 'request' }>,
): LeaseStep {
  const { limits, queue } = state;
  const admissionDeadlineAt = Math.min(requestedAt + limits.admissionTimeoutMs, limits.runDeadlineAt);
  const refusal = runRefusal(state, now) ?? waitRefusal(state, admissionDeadlineAt, now);
  if (refusal !== null) return { state, answers: [{ ticket, answer: refusal }] };
  return advance({ ...state, queue: [...queue, { ticket, admissionDeadlineAt, dead: false }] }, now);
}

function runRefusal({ closed, limits }: LeaseState, now: number): LeaseAnswer | null {
  if (closed) return RUN_CLOSED;
  return now >= limits.runDeadlineAt ? DEADLINE_EXPIRED : null;
}

function waitRefusal({ granted, limits }: LeaseState, admissionDeadlineAt: number, now: number): LeaseAnswer | null {
  if (now >= admissionDeadlineAt) return ADMISSION_TIMEOUT;
  return granted >= limits.evaluations ? SPENT : null;
}

/**
 * Frees a lease that nothing uses any more, answers every request that can wait no longer, at any place in the queue,
 * and grants the lease to the head. The quota is charged here.
 */
function advance(state: LeaseState, now: number): LeaseStep {
  const answers: TicketAnswer[] = [];
  const isFree = state.holder === null || (state.holder.released && state.holder.calls === 0);
  let holder = isFree ? null : state.holder;
  let { granted } = state;
  const queue: Waiting[] = [];
  for (const waiting of state.queue) {
    const answer = answerOf({ ...state, granted }, waiting, now) ?? (holder === null ? GRANTED : null);
    if (answer === null) {
      queue.push(waiting);
      continue;
    }
    answers.push({ ticket: waiting.ticket, answer });
    if (answer.outcome === 'granted') {
      granted += 1;
      holder = { ticket: waiting.ticket, calls: 0, released: false };
    }
  }
  return { state: { ...state, granted, holder, queue }, answers };
}

/** Why a waiting request waits no longer; null while it may. */
function answerOf(state: LeaseState, { dead, admissionDeadlineAt }: Waiting, now: number): LeaseAnswer | null {
  if (dead) return OWNER_DIED;
  return runRefusal(state, now) ?? waitRefusal(state, admissionDeadlineAt, now);
}

function withHolder(state: LeaseState, ticket: Ticket, change: (holder: Holder) => Holder): LeaseState {
  const { holder } = state;
  return holder === null || holder.ticket !== ticket ? state : { ...state, holder: change(holder) };
}

function withoutOwner(state: LeaseState, ticket: Ticket): LeaseState {
  const queue = state.queue.map((waiting) => (waiting.ticket === ticket ? { ...waiting, dead: true } : waiting));
  return withHolder({ ...state, queue }, ticket, (holder) => ({ ...holder, released: true }));
}
