import { expect } from 'chai';
import fc from 'fast-check';
import {
  isCurrent,
  nextExpiry,
  openLease,
  stepLease,
  type LeaseAnswer,
  type LeaseEvent,
  type LeaseState,
  type Ticket,
} from './lease.ts';

const LIMITS = { evaluations: 3, runDeadlineAt: 1000, admissionTimeoutMs: 100 };

/** Plays events and keeps every answer. */
function play(
  events: readonly LeaseEvent[],
  limits = LIMITS,
): { readonly state: LeaseState; readonly answers: Readonly<Record<Ticket, string>> } {
  let state = openLease(limits);
  const answers: Record<Ticket, string> = {};
  for (const event of events) {
    const step = stepLease(state, event);
    state = step.state;
    for (const { ticket, answer } of step.answers) answers[ticket] = word(answer);
  }
  return { state, answers };
}

function word(answer: LeaseAnswer): string {
  return 'reason' in answer ? answer.reason : answer.outcome;
}

const ask = (ticket: Ticket, now = 0): LeaseEvent => ({
  event: 'request',
  ticket,
  requestedAt: now,
  now,
});
const release = (ticket: Ticket, now = 0): LeaseEvent => ({ event: 'release', ticket, now });

describe('the evaluation lease', () => {
  const cases: readonly (readonly [
    rule: string,
    events: readonly LeaseEvent[],
    answers: Readonly<Record<Ticket, string>>,
  ])[] = [
    ['a free lease is granted at once', [ask(1)], { 1: 'granted' }],
    ['the second request waits', [ask(1), ask(2)], { 1: 'granted' }],
    ['and is granted when the first is over', [ask(1), ask(2), release(1)], { 1: 'granted', 2: 'granted' }],
    ['first come, first served', [ask(1), ask(3), ask(2), release(1)], { 1: 'granted', 3: 'granted' }],
    [
      'closed wins over everything',
      [ask(1), { event: 'close', now: 0 }, ask(2, 5000)],
      { 1: 'granted', 2: 'run_closed' },
    ],
    [
      'the run deadline wins over a lease that is held',
      [ask(1), ask(2, 1000)],
      { 1: 'granted', 2: 'deadline_expired' },
    ],
    ['one tick before the run deadline is in time', [ask(1, 999)], { 1: 'granted' }],
    [
      'its own admission deadline, before the quota',
      [{ event: 'request', ticket: 1, requestedAt: 0, now: 100 }],
      { 1: 'admission_timeout' },
    ],
    ['waits until just before its deadline', [ask(1), ask(2), { event: 'tick', now: 99 }], { 1: 'granted' }],
    ['and no longer', [ask(1), ask(2), { event: 'tick', now: 100 }], { 1: 'granted', 2: 'admission_timeout' }],
    [
      'a wait never outlasts the run',
      [ask(1, 950), ask(2, 950), { event: 'tick', now: 1000 }],
      { 1: 'granted', 2: 'deadline_expired' },
    ],
    [
      'an expired head makes way for the next',
      [ask(1), ask(2), ask(3, 50), release(1, 100)],
      { 1: 'granted', 2: 'admission_timeout', 3: 'granted' },
    ],
    [
      'a dead head makes way for the next',
      [ask(1), ask(2), ask(3), { event: 'owner_died', ticket: 2, now: 0 }, release(1)],
      { 1: 'granted', 2: 'owner_died', 3: 'granted' },
    ],
    [
      'the death of the holder frees the lease',
      [ask(1), ask(2), { event: 'owner_died', ticket: 1, now: 0 }],
      { 1: 'granted', 2: 'granted' },
    ],
    [
      'n evaluations are granted, the next is refused',
      [ask(1), release(1), ask(2), release(2), ask(3), release(3), ask(4)],
      { 1: 'granted', 2: 'granted', 3: 'granted', 4: 'subordinate_evaluations' },
    ],
    [
      'the quota is charged at the grant: heads that are over it are told',
      [ask(1), release(1), ask(2), release(2), ask(3), ask(4), release(3)],
      { 1: 'granted', 2: 'granted', 3: 'granted', 4: 'subordinate_evaluations' },
    ],
    [
      'not free while a call of it is alive',
      [ask(1), ask(2), { event: 'call_reserved', ticket: 1 }, release(1)],
      { 1: 'granted' },
    ],
    [
      'free with the end of its last call',
      [ask(1), ask(2), { event: 'call_reserved', ticket: 1 }, release(1), { event: 'call_ended', ticket: 1, now: 0 }],
      { 1: 'granted', 2: 'granted' },
    ],
    ['nobody can release what another holds', [ask(1), ask(2), release(2), release(9)], { 1: 'granted' }],
    [
      'closing answers who waits, and leaves the holder',
      [ask(1), ask(2), { event: 'close', now: 0 }],
      { 1: 'granted', 2: 'run_closed' },
    ],
  ];
  for (const [rule, events, answers] of cases) {
    it(rule, () => {
      expect(play(events).answers).to.deep.equal(answers);
    });
  }

  it('a ticket is current from its grant to its release, while the run is open', () => {
    const leaseState = play([ask(1), ask(2)]).state;
    expect([isCurrent(leaseState, 1), isCurrent(leaseState, 2)]).to.deep.equal([true, false]);
    const releasing = play([ask(1), { event: 'call_reserved', ticket: 1 }, release(1)]).state;
    expect(isCurrent(releasing, 1)).to.equal(false);
    expect(isCurrent(play([ask(1), { event: 'close', now: 0 }]).state, 1)).to.equal(false);
  });

  it('tells when the next wait ends', () => {
    expect(nextExpiry(play([ask(1)]).state)).to.equal(null);
    expect(nextExpiry(play([ask(1), ask(2, 10), ask(3, 20)]).state)).to.equal(110);
  });
});

/** What the machine must do, written as plain bookkeeping over what was asked and answered. */
interface Model {
  now: number;
  nextTicket: Ticket;
  closed: boolean;
  /** Waiting tickets in order of arrival, with the end of their wait. */
  waiting: { readonly ticket: Ticket; readonly expires: number; dead: boolean }[];
  holder: Ticket | null;
  released: boolean;
  calls: number;
  granted: number;
}

interface Real {
  state: LeaseState;
  readonly answered: Map<Ticket, string>;
}

class Play implements fc.Command<Model, Real> {
  readonly kind: string;
  readonly pick: number;

  constructor(kind: string, pick: number) {
    this.kind = kind;
    this.pick = pick;
  }

  check(): boolean {
    return true;
  }

  run(model: Model, real: Real): void {
    const event = this.event(model);
    if (event === null) return;
    const expected = expectedAnswers(model, event);
    const step = stepLease(real.state, event);
    real.state = step.state;
    expect(step.answers.map(({ ticket, answer }) => [ticket, word(answer)])).to.deep.equal(expected);
    for (const { ticket, answer } of step.answers) {
      expect(real.answered.has(ticket), 'answered once').to.equal(false);
      real.answered.set(ticket, word(answer));
    }
    expect(real.state.granted)
      .to.equal(model.granted)
      .and.at.most(LIMITS.evaluations * 3);
    expect(real.state.holder?.ticket ?? null).to.equal(model.holder);
    expect(real.state.queue.map(({ ticket }) => ticket)).to.deep.equal(model.waiting.map(({ ticket }) => ticket));
  }

  event(model: Model): LeaseEvent | null {
    const { now } = model;
    const known = [...model.waiting.map(({ ticket }) => ticket), ...(model.holder === null ? [] : [model.holder])];
    const ticket = known[this.pick % Math.max(1, known.length)] ?? 0;
    switch (this.kind) {
      case 'ask':
        model.nextTicket += 1;
        return ask(model.nextTicket, now);
      case 'release':
        return { event: 'release', ticket, now };
      case 'reserve':
        return model.holder === null ? null : { event: 'call_reserved', ticket: model.holder };
      case 'end':
        return model.holder === null || model.calls === 0 ? null : { event: 'call_ended', ticket: model.holder, now };
      case 'die':
        return { event: 'owner_died', ticket, now };
      case 'wait':
        model.now += this.pick;
        return { event: 'tick', now: model.now };
      default:
        return this.pick === 0 ? { event: 'close', now } : null;
    }
  }

  toString(): string {
    return `${this.kind}(${this.pick})`;
  }
}

const MODEL_LIMITS = { ...LIMITS, evaluations: 9 };

function expectedAnswers(model: Model, event: LeaseEvent): [Ticket, string][] {
  const answers: [Ticket, string][] = [];
  if (event.event === 'request') {
    const { ticket } = event;
    const refused = model.closed
      ? 'run_closed'
      : model.now >= MODEL_LIMITS.runDeadlineAt
        ? 'deadline_expired'
        : model.granted >= MODEL_LIMITS.evaluations
          ? 'subordinate_evaluations'
          : null;
    if (refused !== null) return [[ticket, refused]];
    model.waiting.push({
      ticket,
      expires: Math.min(model.now + MODEL_LIMITS.admissionTimeoutMs, MODEL_LIMITS.runDeadlineAt),
      dead: false,
    });
  }
  if (event.event === 'call_reserved') model.calls += 1;
  if (event.event === 'call_ended') model.calls -= 1;
  if (event.event === 'close') model.closed = true;
  if (event.event === 'release' && event.ticket === model.holder) model.released = true;
  if (event.event === 'owner_died') {
    if (event.ticket === model.holder) model.released = true;
    for (const waiting of model.waiting) if (waiting.ticket === event.ticket) waiting.dead = true;
  }
  if (event.event === 'call_reserved') return answers;
  if (model.released && model.calls === 0) {
    model.holder = null;
    model.released = false;
  }
  model.waiting = model.waiting.filter(({ ticket, expires, dead }) => {
    const ended = dead
      ? 'owner_died'
      : model.closed
        ? 'run_closed'
        : model.now >= MODEL_LIMITS.runDeadlineAt
          ? 'deadline_expired'
          : model.now >= expires
            ? 'admission_timeout'
            : model.granted >= MODEL_LIMITS.evaluations
              ? 'subordinate_evaluations'
              : null;
    if (ended !== null) {
      answers.push([ticket, ended]);
      return false;
    }
    if (model.holder !== null) return true;
    model.holder = ticket;
    model.granted += 1;
    answers.push([ticket, 'granted']);
    return false;
  });
  return answers;
}

describe('the evaluation lease, whatever happens in whatever order', () => {
  it('has one holder, serves in order, answers each request once and keeps its quota', () => {
    const command = fc
      .tuple(
        fc.constantFrom('ask', 'ask', 'ask', 'ask', 'release', 'release', 'reserve', 'end', 'die', 'wait', 'close'),
        fc.nat({ max: 60 }),
      )
      .map(([kind, pick]) => new Play(kind, pick));
    fc.assert(
      fc.property(fc.commands([command], { maxCommands: 60 }), (commands) => {
        fc.modelRun(
          () => ({
            model: {
              now: 0,
              nextTicket: 0,
              closed: false,
              waiting: [],
              holder: null,
              released: false,
              calls: 0,
              granted: 0,
            },
            real: { state: openLease(MODEL_LIMITS), answered: new Map() },
          }),
          commands,
        );
      }),
      { numRuns: 500 },
    );
  });
});
