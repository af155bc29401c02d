import { expect } from 'chai';
import fc from 'fast-check';
import {
  countQueue,
  fairShare,
  nextStartAt,
  openFairQueue,
  RETRY_MS,
  stepFairQueue,
  type FairAnswer,
  type FairQueueEvent,
  type FairQueueState,
  type QueueBounds,
  type Share,
  type QueueTicket,
} from './fair-queue.ts';
import { ORDER_CASES, type OrderStep } from './testing/order-cases.ts';

const BOUNDS: QueueBounds = { atOnce: 2, waiting: 4 };
const SHARE: Share = { weight: 1, atOnce: 9, waiting: 9 };

const ask = (ticket: QueueTicket, tenant = 'a', share: Partial<Share> = {}, now = 0): FairQueueEvent => ({
  event: 'request',
  ticket,
  tenant,
  share: { ...SHARE, ...share },
  now,
});
const over = (ticket: QueueTicket, now = 0): FairQueueEvent => ({ event: 'over', ticket, now });
const close: FairQueueEvent = { event: 'close', now: 0 };
const word = (answer: FairAnswer): string => (answer.outcome === 'begins' ? answer.outcome : answer.reason);

/** Plays events and keeps every answer, in the order in which they were given. */
function play(
  events: readonly FairQueueEvent[],
  bounds = BOUNDS,
): { readonly state: FairQueueState; readonly answers: readonly (readonly [QueueTicket, FairAnswer])[] } {
  let state = openFairQueue(bounds);
  const answers: (readonly [QueueTicket, FairAnswer])[] = [];
  for (const event of events) {
    const step = stepFairQueue(state, event);
    ({ state } = step);
    for (const { ticket, answer } of step.answers) answers.push([ticket, answer]);
  }
  return { state, answers };
}

const answersOf = (events: readonly FairQueueEvent[], bounds = BOUNDS): readonly string[] =>
  play(events, bounds).answers.map(([ticket, answer]) => `${ticket} ${word(answer)}`);

/** Tenants of the runs that begin at each step which names some, of one place. */
function playOrder(steps: readonly OrderStep[]): readonly string[] {
  let state = stepFairQueue(openFairQueue({ atOnce: 1, waiting: 99 }), { event: 'pause', now: 0 }).state;
  const tenants = new Map<QueueTicket, string>();
  const started: QueueTicket[] = [];
  const send = (event: FairQueueEvent): void => {
    const step = stepFairQueue(state, event);
    ({ state } = step);
    started.push(...step.answers.map(({ ticket }) => ticket));
  };
  return steps.flatMap((step) => {
    if (!('begins' in step)) {
      for (let run = 0; run < step.runs; run += 1) {
        tenants.set(tenants.size, step.tenant);
        send(ask(tenants.size - 1, step.tenant, { weight: step.weight, waiting: 99 }));
      }
      return [];
    }
    const first = started.length;
    while (started.length < first + step.begins.length) {
      send(started.length === 0 ? { event: 'resume', now: 0 } : over(started.at(-1) ?? -1));
    }
    return [
      started
        .slice(first)
        .map((ticket) => tenants.get(ticket))
        .join(''),
    ];
  });
}

describe('the fair queue (gateway.md §18)', () => {
  const full = [ask(1), ask(2)];
  const cases: readonly (readonly [rule: string, events: readonly FairQueueEvent[], answers: readonly string[]])[] = [
    ['free places are taken at once', full, ['1 begins', '2 begins']],
    [
      'the next waits, and begins with the first place that comes free',
      [...full, ask(3), over(1)],
      ['1 begins', '2 begins', '3 begins'],
    ],
    [
      'one tenant is served in its order',
      [...full, ask(4), ask(3), over(2), over(1)],
      ['1 begins', '2 begins', '4 begins', '3 begins'],
    ],
    [
      'whoever has less than its share goes before one that came earlier',
      [...full, ask(3), ask(4, 'b'), over(1)],
      ['1 begins', '2 begins', '4 begins'],
    ],
    [
      'a share that nobody wants is lent',
      [ask(1, 'b'), ask(2, 'a'), ask(3, 'a'), over(1)],
      ['1 begins', '2 begins', '3 begins'],
    ],
    [
      'a tenant has no more places than it may, free or not',
      [ask(1, 'a', { atOnce: 1 }), ask(2, 'a', { atOnce: 1 })],
      ['1 begins'],
    ],
    [
      'and holds up only itself',
      [ask(1, 'a', { atOnce: 1 }), ask(2, 'a', { atOnce: 1 }), ask(3, 'b')],
      ['1 begins', '3 begins'],
    ],
    ['so many of a tenant may wait', [...full, ask(3, 'a', { waiting: 1 })], ['1 begins', '2 begins']],
    [
      'and one more is told to come again',
      [...full, ask(3, 'a', { waiting: 1 }), ask(4, 'a', { waiting: 1 })],
      ['1 begins', '2 begins', '4 tenant_quota'],
    ],
    [
      'a tenant that may not wait begins or is told',
      [...full, ask(3, 'b', { waiting: 0 })],
      ['1 begins', '2 begins', '3 tenant_quota'],
    ],
    ['so many may wait in all', [...full, ask(3), ask(4), ask(5), ask(6)], ['1 begins', '2 begins']],
    [
      'one more of who has its share is told to come again',
      [...full, ask(3), ask(4), ask(5), ask(6), ask(7)],
      ['1 begins', '2 begins', '7 queue_full'],
    ],
    [
      'one of who has less takes the place of the newest of who has most',
      [...full, ask(3), ask(4), ask(5), ask(6), ask(7, 'b')],
      ['1 begins', '2 begins', '6 queue_full'],
    ],
    [
      'until both have their share',
      [...full, ask(3), ask(4), ask(5), ask(6), ask(7, 'b'), ask(8, 'b'), ask(9, 'b')],
      ['1 begins', '2 begins', '6 queue_full', '5 queue_full', '9 queue_full'],
    ],
    ['one that goes while it waits begins never', [...full, ask(3), over(3), over(1)], ['1 begins', '2 begins']],
    ['of what it does not know it says nothing', [over(9), over(1), ask(1)], ['1 begins']],
    [
      'closed, those that wait are told, those that hold a place keep it',
      [...full, ask(3), close, over(1), ask(4)],
      ['1 begins', '2 begins', '3 draining', '4 draining'],
    ],
  ];
  for (const [rule, events, answers] of cases) {
    it(rule, () => {
      expect(answersOf(events)).to.deep.equal(answers);
    });
  }

  const once = { rate: { everyMs: 100, burst: 1 } };
  const twice = { rate: { everyMs: 100, burst: 2 } };
  const tick = (now: number): FairQueueEvent => ({ event: 'tick', now });
  const paced: typeof cases = [
    [
      'one begins in each interval of its rate',
      [ask(1, 'a', once), ask(2, 'a', once), tick(99), tick(100)],
      ['1 begins', '2 begins'],
    ],
    ['and not before', [ask(1, 'a', once), ask(2, 'a', once), tick(99)], ['1 begins']],
    [
      'so many at once as may, after a while',
      [ask(1, 'a', twice), ask(2, 'a', twice), over(1), over(2), ask(3, 'a', twice), tick(99)],
      ['1 begins', '2 begins'],
    ],
    [
      'and as many again later',
      [ask(1, 'a', twice), ask(2, 'a', twice), over(1), over(2), ask(3, 'a', twice, 200), ask(4, 'a', twice, 200)],
      ['1 begins', '2 begins', '3 begins', '4 begins'],
    ],
    ['a rate holds up only its own', [ask(1, 'a', once), ask(2, 'a', once), ask(3, 'b')], ['1 begins', '3 begins']],
    [
      'a rate is kept when nothing else is known of a tenant',
      [ask(1, 'a', once), over(1), ask(2, 'a', once, 50), tick(100)],
      ['1 begins', '2 begins'],
    ],
    [
      'nobody begins while it is paused',
      [{ event: 'pause', now: 0 }, ask(1), ask(2), { event: 'resume', now: 0 }],
      ['1 begins', '2 begins'],
    ],
    [
      'the newest are shed, of whomever they are',
      [...full, ask(3), ask(4, 'b'), { event: 'shed', count: 1, now: 0 }, over(1), { event: 'shed', count: 9, now: 0 }],
      ['1 begins', '2 begins', '4 unavailable', '3 begins'],
    ],
  ];
  for (const [rule, events, answers] of paced) {
    it(rule, () => {
      expect(answersOf(events)).to.deep.equal(answers);
    });
  }

  for (const { rule, steps } of ORDER_CASES) {
    it(`order: ${rule}`, () => {
      expect(playOrder(steps)).to.deep.equal(steps.flatMap((step) => ('begins' in step ? [step.begins] : [])));
    });
  }

  it('knows when the next may begin whom only his rate keeps from it', () => {
    const at = (events: readonly FairQueueEvent[]): number | null => nextStartAt(play(events).state);
    expect(at([ask(1, 'a', once, 7), ask(2, 'a', once, 8)])).to.equal(107);
    expect(at([ask(1, 'a', twice, 7), ask(2, 'a', twice, 8)])).to.equal(null);
    expect(at([ask(1, 'a', twice, 0), ask(2, 'a', twice, 0), over(1), over(2), ask(3, 'a', twice, 0)])).to.equal(100);
    expect(at([ask(1, 'a', once), ask(2, 'a', once), ask(3, 'b')]), 'no place is free').to.equal(null);
    expect(at([ask(1, 'a', once), ask(2, 'a', once), { event: 'pause', now: 0 }])).to.equal(null);
    expect(
      play([ask(1, 'a', once), over(1), ask(2, 'b', once, 500)]).state.wholeAt.size,
      'whose rate is whole is forgotten',
    ).to.equal(1);
  });

  describe('gives a place back to who had one', () => {
    const back = (ticket: QueueTicket, tenant = 'a', share: Partial<Share> = {}): FairQueueEvent => ({
      event: 'request',
      ticket,
      tenant,
      share: { ...SHARE, ...share },
      now: 0,
      isBack: true,
    });
    const ONE = { atOnce: 1, waiting: 4 };

    it('before all that had none, of its tenant and of others that have no more than their share', () => {
      expect(answersOf([ask(1), ask(2), ask(3, 'b'), back(4), over(1), over(4), over(2)], ONE)).to.deep.equal([
        '1 begins',
        '4 begins',
        '2 begins',
        '3 begins',
      ]);
    });

    it('in the order of their wishes', () => {
      expect(answersOf([ask(1), back(2), back(3), over(1), over(2)], ONE)).to.deep.equal([
        '1 begins',
        '2 begins',
        '3 begins',
      ]);
    });

    it('not beyond what its tenant may have at once, and behind one that is below its share', () => {
      const most = { atOnce: 1 };
      expect(answersOf([ask(1, 'a', most), back(2, 'a', most), ask(3, 'b', most)])).to.deep.equal([
        '1 begins',
        '3 begins',
      ]);
      expect(answersOf([ask(1), ask(2), back(3), ask(4, 'b'), over(1)])).to.deep.equal([
        '1 begins',
        '2 begins',
        '4 begins',
      ]);
    });

    it('however many wait, and however fast its tenant may begin', () => {
      const slow = { waiting: 0, rate: { everyMs: 60_000, burst: 1 } };
      expect(answersOf([ask(1, 'a', slow), ask(2, 'b'), back(3, 'a', slow), over(1)])).to.deep.equal([
        '1 begins',
        '2 begins',
        '3 begins',
      ]);
      expect(answersOf([ask(1, 'a', slow), back(2, 'a', slow), back(3, 'a', slow), ask(4, 'b')])).to.deep.equal([
        '1 begins',
        '2 begins',
      ]);
    });

    it('and turns it away when it is closed, but not to make room', () => {
      expect(answersOf([ask(1), back(2), { event: 'shed', count: 9, now: 0 }, over(1)], ONE)).to.deep.equal([
        '1 begins',
        '2 begins',
      ]);
      expect(answersOf([ask(1), back(2), close], ONE)).to.deep.equal(['1 begins', '2 draining']);
      expect(play([ask(1), back(2), over(2), over(1)], ONE).state.tenants.size).to.equal(0);
    });
  });

  it('forgets a tenant that has and wants nothing', () => {
    expect(play([...full, ask(3), over(3), over(1), over(2)]).state.tenants.size).to.equal(0);
  });

  describe('names a time to come again', () => {
    const refusedAfter = (events: readonly FairQueueEvent[], bounds: QueueBounds): readonly number[] =>
      play(events, bounds).answers.flatMap(([, answer]) => (answer.outcome === 'refused' ? [answer.retryAfterMs] : []));
    const one = { atOnce: 1, waiting: 0 };

    it('as long as places are held, by those that were given back', () => {
      const often = Array.from({ length: 60 }, (_, index): readonly FairQueueEvent[] => [
        ask(index, 'a', {}, index * 400),
        over(index, index * 400 + 400),
      ]).flat();
      const [time] = refusedAfter([...often, ask(100, 'a', {}, 30_000), ask(101, 'a', {}, 30_000)], one);
      expect(time).to.be.within(400, 420);
    });

    it('or by those that are held already, if that is longer', () => {
      expect(refusedAfter([ask(1), ask(2, 'a', {}, 7000)], one)).to.deep.equal([7000]);
    });

    it('later for each that was told before, so that they do not all come at once', () => {
      expect(refusedAfter([ask(1), ask(2), ask(3), ask(4)], one)).to.deep.equal([1000, 2000, 3000]);
    });

    it('sooner again as places come free', () => {
      const events = [ask(1), ask(2), ask(3), ask(4), over(1, 1000), ask(5, 'a', {}, 1000), ask(6, 'a', {}, 1000)];
      expect(refusedAfter(events, { atOnce: 1, waiting: 1 })).to.deep.equal([1000, 2000, 2000]);
    });

    it('sooner for who may have more places', () => {
      const two = { atOnce: 4, waiting: 0 };
      const light = [ask(1, 'a', { weight: 3 }), ask(2, 'a', { weight: 3 }), ask(3, 'a', { weight: 3 }), ask(4, 'b')];
      expect(refusedAfter([...light, ask(5, 'a', { weight: 3 }), ask(6, 'b')], two)).to.deep.equal([334, 1000]);
    });

    it('within its bounds', () => {
      expect(refusedAfter([ask(1), ask(2, 'a', {}, 3_600_000)], one)).to.deep.equal([RETRY_MS.most]);
      const short = Array.from({ length: 60 }, (_, index): readonly FairQueueEvent[] => [
        ask(index),
        over(index),
      ]).flat();
      expect(refusedAfter([...short, ask(100), ask(101)], one)).to.deep.equal([RETRY_MS.least]);
    });
  });

  it('gives two that always wait places by their weights', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 6 }),
        (left, right, atOnce) => {
          const shares = new Map([
            ['a', { ...SHARE, weight: left, atOnce: 9 }],
            ['b', { ...SHARE, weight: right, atOnce: 9 }],
          ]);
          let state = openFairQueue({ atOnce, waiting: 100 });
          const started: Record<string, number> = { a: 0, b: 0 };
          const owner = new Map<QueueTicket, string>();
          const acquired: QueueTicket[] = [];
          let ticket = 0;
          const send = (event: FairQueueEvent): void => {
            const step = stepFairQueue(state, event);
            ({ state } = step);
            for (const { ticket: answered, answer } of step.answers) {
              if (answer.outcome !== 'begins') throw new Error('there is room to wait');
              const tenant = owner.get(answered) ?? '';
              started[tenant] = (started[tenant] ?? 0) + 1;
              acquired.push(answered);
            }
          };
          const keepWaiting = (tenant: string, share: Share): void => {
            while ((state.tenants.get(tenant)?.waiting.length ?? 0) < 3) {
              ticket += 1;
              owner.set(ticket, tenant);
              send({ event: 'request', ticket, tenant, share, now: 0 });
            }
          };
          const rounds = 400;
          for (let round = 0; round < rounds; round += 1) {
            for (const [tenant, share] of shares) keepWaiting(tenant, share);
            const first = acquired.shift();
            if (first !== undefined) send({ event: 'over', ticket: first, now: 0 });
          }
          // Whole places at once are what keeps it from being exact: one place is the least of who wants any.
          const fair = Math.max(left / (left + right), 1 / atOnce);
          const bounds = [Math.min(left / (left + right), 1 - Math.min(1, 1 / atOnce)), fair] as const;
          const got = (started['a'] ?? 0) / ((started['a'] ?? 0) + (started['b'] ?? 0));
          expect(got).to.be.within(bounds[0] - 0.05, bounds[1] + 0.05);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** What was asked and answered, as plain bookkeeping; it does not know who is next. */
interface Model {
  now: number;
  ticket: QueueTicket;
  closed: boolean;
  readonly waiting: Map<string, QueueTicket[]>;
  readonly holding: Map<string, QueueTicket[]>;
  readonly shares: Map<string, Share>;
  readonly answered: Set<QueueTicket>;
}

interface Real {
  state: FairQueueState;
}

const MODEL_BOUNDS: QueueBounds = { atOnce: 5, waiting: 8 };
const TENANTS: readonly (readonly [string, Share])[] = [
  ['a', { weight: 1, atOnce: 5, waiting: 8 }],
  ['b', { weight: 2, atOnce: 3, waiting: 4 }],
  ['c', { weight: 5, atOnce: 1, waiting: 0 }],
];

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
    model.now += this.pick;
    const event = this.event(model);
    if (event === null) return;
    const step = stepFairQueue(real.state, event);
    real.state = step.state;
    if (event.event === 'request') {
      listOf(model.waiting, event.tenant).push(event.ticket);
      model.shares.set(event.tenant, event.share);
    }
    if (event.event === 'close') model.closed = true;
    if (event.event === 'over') removeTicket(model, event.ticket);
    for (const { ticket, answer } of step.answers) this.answered(model, ticket, answer);
    this.invariants(model, real.state);
  }

  answered(model: Model, ticket: QueueTicket, answer: FairAnswer): void {
    expect(model.answered.has(ticket), 'each is answered once').to.equal(false);
    model.answered.add(ticket);
    const tenant = [...model.waiting.keys()].find((name) => listOf(model.waiting, name).includes(ticket)) ?? '';
    if (answer.outcome === 'begins') {
      expect(listOf(model.waiting, tenant)[0], 'first come, first served').to.equal(ticket);
      const share = model.shares.get(tenant)?.atOnce ?? 0;
      expect(listOf(model.holding, tenant).length, 'no more than it may').to.be.below(share);
      for (const other of model.waiting.keys())
        expect(mustGoBefore(model, other, tenant), `${other} is below its share`).to.equal(false);
      listOf(model.holding, tenant).push(ticket);
    } else {
      expect(answer.retryAfterMs).to.be.within(RETRY_MS.least, RETRY_MS.most);
      expect(Number.isInteger(answer.retryAfterMs)).to.equal(true);
      const total = [...model.waiting.values()].reduce((sum, list) => sum + list.length, 0);
      const isFull = {
        draining: model.closed,
        tenant_quota: listOf(model.waiting, tenant).length > (model.shares.get(tenant)?.waiting ?? 0),
        queue_full: total > MODEL_BOUNDS.waiting,
        unavailable: false,
      };
      expect(isFull[answer.reason], answer.reason).to.equal(true);
    }
    removeFrom(model.waiting, ticket);
  }

  invariants(model: Model, state: FairQueueState): void {
    const acquired = [...model.holding.values()].flat();
    const waiting = [...model.waiting.values()].flat();
    expect(countQueue(state)).to.deep.equal({ waiting: waiting.length, holding: acquired.length });
    expect(acquired.length).to.be.at.most(MODEL_BOUNDS.atOnce);
    expect(waiting.length).to.be.at.most(MODEL_BOUNDS.waiting);
    if (model.closed) {
      expect(waiting).to.have.length(0);
      return;
    }
    const couldBegin = [...model.waiting].filter(
      ([tenant, list]) =>
        list.length > 0 && listOf(model.holding, tenant).length < (model.shares.get(tenant)?.atOnce ?? 0),
    );
    if (acquired.length < MODEL_BOUNDS.atOnce)
      expect(
        couldBegin.map(([tenant]) => tenant),
        'no place is free while one waits that may have it',
      ).to.deep.equal([]);
    for (const [tenant, { waiting: queue }] of state.tenants)
      expect(queue).to.deep.equal(listOf(model.waiting, tenant));
  }

  event(model: Model): FairQueueEvent | null {
    const { now } = model;
    const known = [...model.holding.values(), ...model.waiting.values()].flat();
    switch (this.kind) {
      case 'ask': {
        const chosen = TENANTS[this.pick % TENANTS.length];
        if (chosen === undefined) return null;
        model.ticket += 1;
        const [tenant, share] = chosen;
        return { event: 'request', ticket: model.ticket, tenant, share, now };
      }
      case 'over':
        return { event: 'over', ticket: known[this.pick % Math.max(1, known.length)] ?? 0, now };
      default:
        return this.pick === 0 ? { event: 'close', now } : null;
    }
  }

  toString(): string {
    return `${this.kind}(${this.pick})`;
  }
}

/** Whether `other` waits below its share, could begin, and `tenant` has its share already. */
function mustGoBefore(model: Model, other: string, tenant: string): boolean {
  if (other === tenant || listOf(model.waiting, other).length === 0) return false;
  const active = [...model.shares].filter(
    ([name]) => listOf(model.waiting, name).length + listOf(model.holding, name).length > 0,
  );
  const weights = active.reduce((sum, [, { weight }]) => sum + weight, 0);
  const shareOf = (name: string): number =>
    Math.ceil((MODEL_BOUNDS.atOnce * (model.shares.get(name)?.weight ?? 0)) / weights);
  const runningOf = (name: string): number => listOf(model.holding, name).length;
  const isAllowed = runningOf(other) < (model.shares.get(other)?.atOnce ?? 0);
  return isAllowed && runningOf(other) < shareOf(other) && runningOf(tenant) >= shareOf(tenant);
}

function listOf(lists: Map<string, QueueTicket[]>, tenant: string): QueueTicket[] {
  const list = lists.get(tenant) ?? [];
  lists.set(tenant, list);
  return list;
}

function removeFrom(lists: Map<string, QueueTicket[]>, ticket: QueueTicket): void {
  for (const list of lists.values()) if (list.includes(ticket)) list.splice(list.indexOf(ticket), 1);
}

function removeTicket(model: Model, ticket: QueueTicket): void {
  removeFrom(model.waiting, ticket);
  removeFrom(model.holding, ticket);
}

describe('the fair queue, whatever happens in whatever order', () => {
  it('keeps its bounds, serves each tenant in order, leaves no place free, and lets who is below its share go first', () => {
    const command = fc
      .tuple(fc.constantFrom('ask', 'ask', 'ask', 'ask', 'over', 'over', 'close'), fc.nat({ max: 60 }))
      .map(([kind, pick]) => new Play(kind, pick));
    fc.assert(
      fc.property(fc.commands([command], { maxCommands: 80 }), (commands) => {
        fc.modelRun(
          () => ({
            model: {
              now: 0,
              ticket: 0,
              closed: false,
              waiting: new Map(),
              holding: new Map(),
              shares: new Map(),
              answered: new Set<QueueTicket>(),
            },
            real: { state: openFairQueue(MODEL_BOUNDS) },
          }),
          commands,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('tells a share of what there is', () => {
    const { state } = play([ask(1, 'a', { weight: 1 }), ask(2, 'b', { weight: 3 })], { atOnce: 8, waiting: 0 });
    expect([fairShare(state, 'a', 8), fairShare(state, 'b', 8), fairShare(state, 'c', 8)]).to.deep.equal([2, 6, 0]);
  });
});
