import { expect } from 'chai';
import * as fc from 'fast-check';
import { remainingOf } from './budget.ts';
import { openLedger, type LedgerRequest, type Ledger, type LedgerLimits } from './ledger.ts';
import type { ModelUse } from './model-budgets.ts';

const LIMITS: LedgerLimits = {
  calls: { workflow: { total: 4, perName: 3 }, mission: { total: 2, perName: 2 } },
  liveTasks: 2,
  protocolErrors: 2,
  requestOutputTokens: 100,
  totalTokens: null,
  costMicrousd: null,
  deadlineAt: 1000,
};

function request(over: Partial<LedgerRequest> = {}): LedgerRequest {
  return { environment: 'workflow', name: 'find', caller: 'w', alias: null, model: null, ...over };
}

function opened(over: Partial<LedgerLimits> = {}, ...callers: readonly string[]): Ledger {
  const ledger = openLedger({ ...LIMITS, ...over });
  for (const caller of ['w', ...callers]) ledger.openCaller(caller);
  return ledger;
}

/** One whole call; the refusal where there is one. */
function call(
  ledger: Ledger,
  over: Partial<LedgerRequest> = {},
  use: ModelUse | 'undispatched' = { tokens: null, costMicrousd: null },
): string {
  const decision = ledger.reserve(0, request(over));
  if (!decision.granted) return decision.refusal.reason;
  ledger.openGate(0, decision.reservation);
  return ledger.settle(decision.reservation, use).exceeded ? 'exceeded' : 'granted';
}

function reserveGranted(ledger: Ledger, over: Partial<LedgerRequest> = {}): number {
  const decision = ledger.reserve(0, request(over));
  if (!decision.granted) throw new Error(decision.refusal.reason);
  return decision.reservation;
}

describe('the ledger of a run (runtime.md §5 step 10)', () => {
  it('grants exactly the quota of a name, then of the environment, and counts grants alone', () => {
    const ledger = opened();
    expect([1, 2, 3, 4].map(() => call(ledger))).to.deep.equal(['granted', 'granted', 'granted', 'capability_quota']);
    expect([1, 2].map(() => call(ledger, { name: 'other' }))).to.deep.equal(['granted', 'capability_quota']);
    expect(ledger.counts().capabilityCalls).to.deep.equal({ 'workflow/find': 3, 'workflow/other': 1 });
  });

  it('says which quota, of what value, and counts missions together and apart from the workflow', () => {
    const ledger = opened({}, 'm1', 'm2');
    call(ledger, { environment: 'mission', caller: 'm1' });
    call(ledger, { environment: 'mission', caller: 'm2' });
    expect(ledger.reserve(0, request({ environment: 'mission', caller: 'm1', name: 'other' }))).to.deep.equal({
      granted: false,
      refusal: { reason: 'capability_quota', limit: 'mission_capability_calls', name: 'other', value: 2 },
    });
    expect(ledger.reserve(0, request({ environment: 'mission', caller: 'm1' }))).to.have.nested.property(
      'refusal.limit',
      'mission_capability_calls_per_name',
    );
    expect(call(ledger)).to.equal('granted');
  });

  it('holds an alias to its calls where they are fewer than those of the name', () => {
    const ledger = opened();
    const alias = { name: 'small', maxCalls: 2 };
    expect([1, 2, 3].map(() => call(ledger, { alias }))).to.deep.equal(['granted', 'granted', 'alias_quota']);
    expect(call(ledger, { alias: { name: 'large', maxCalls: 3 } })).to.equal('granted');
    expect(call(ledger, { alias: { name: 'large', maxCalls: 3 } })).to.equal('capability_quota');
  });

  it('lets one caller hold one reservation and all callers the live ones', () => {
    const ledger = opened({}, 'b', 'c');
    const first = reserveGranted(ledger);
    expect(call(ledger)).to.equal('reservation_held');
    reserveGranted(ledger, { caller: 'b' });
    expect(call(ledger, { caller: 'c' })).to.equal('live_provider_tasks');
    ledger.settle(first, 'undispatched');
    expect(call(ledger, { caller: 'c' })).to.equal('granted');
  });

  it('tells the first of several refusals', () => {
    const overdrawn = () => {
      const ledger = opened({
        calls: { workflow: { total: 1, perName: 1 }, mission: { total: 1, perName: 1 } },
        liveTasks: 1,
        totalTokens: 1,
        costMicrousd: 1,
      });
      reserveGranted(ledger, { alias: { name: 'a', maxCalls: 1 } });
      return ledger;
    };
    const model = { outputTokens: null, tokens: 5, costMicrousd: 5 };
    const ledgerRequest = request({ model, alias: { name: 'a', maxCalls: 0 } });
    expect(overdrawn().reserve(1000, ledgerRequest)).to.have.nested.property('refusal.reason', 'run_closed');
    const stale = overdrawn();
    stale.closeCaller('w');
    expect(stale.reserve(999, ledgerRequest)).to.have.nested.property('refusal.reason', 'stale_evaluation');
    expect(overdrawn().reserve(999, ledgerRequest)).to.have.nested.property('refusal.reason', 'live_provider_tasks');
  });

  it('opens no gate for a run that is over or a caller that is gone', () => {
    const ledger = opened({}, 'b');
    const first = reserveGranted(ledger);
    expect(ledger.openGate(999, first)).to.equal(true);
    const second = reserveGranted(ledger, { caller: 'b' });
    expect(ledger.openGate(1000, second)).to.equal(false);
    ledger.closeCaller('b');
    expect(ledger.openGate(0, second)).to.equal(false);
    expect(ledger.openGate(0, 99)).to.equal(false);
    ledger.close();
    expect(ledger.openGate(0, first)).to.equal(false);
    expect(call(ledger)).to.equal('run_closed');
  });

  it('counts protocol errors and ends with the one beyond the limit', () => {
    const ledger = opened();
    expect([1, 2, 3].map(() => ledger.protocolError())).to.deep.equal(['counted', 'counted', 'exhausted']);
    expect(ledger.counts().protocolErrors).to.equal(3);
  });

  it('names two classes of refusals and denials', () => {
    const ledger = opened();
    for (const key of ['a', 'b', 'c', 'a', 'd']) ledger.countRefusal(key);
    ledger.countDenial('unknown_tool');
    expect(ledger.counts().refusals).to.deep.equal({ a: 2, b: 1, $overflow: 2 });
    expect(ledger.counts().denials).to.deep.equal({ unknown_tool: 1 });
  });

  it('gives parallel branches their own slots', () => {
    const ledger = opened();
    reserveGranted(ledger);
    expect([ledger.takeBranches(1), ledger.takeBranches(5), ledger.takeBranches(1)]).to.deep.equal([1, 1, 0]);
    ledger.releaseBranches(1);
    expect(ledger.takeBranches(2)).to.equal(1);
    ledger.close();
    ledger.releaseBranches(2);
    expect(ledger.takeBranches(1)).to.equal(0);
  });
});

describe('the budgets of a run (runtime.md §11)', () => {
  const MODEL = { outputTokens: 10, tokens: 40, costMicrousd: 30 };
  const budgets = (over: Partial<LedgerLimits> = {}) =>
    opened({ totalTokens: 100, costMicrousd: 100, ...over }, 'b', 'c');

  const rows: readonly (readonly [string, ModelUse | 'undispatched', object])[] = [
    ['surely not sent', 'undispatched', { charged: 0, state: 'available' }],
    ['used as promised', { tokens: 40, costMicrousd: 30 }, { charged: 40, state: 'available' }],
    ['used less', { tokens: 39, costMicrousd: 30 }, { charged: 39, state: 'available' }],
    ['use unknown', { tokens: null, costMicrousd: 30 }, { charged: 40, state: 'incomplete' }],
    ['used more', { tokens: 41, costMicrousd: 30 }, { charged: 41, state: 'overrun' }],
    [
      'used beyond measure',
      { tokens: Infinity, costMicrousd: 30 },
      { charged: Number.MAX_SAFE_INTEGER, state: 'overrun' },
    ],
  ];
  for (const [title, use, end] of rows) {
    it(title, () => {
      const ledger = budgets();
      call(ledger, { model: MODEL }, use);
      expect(ledger.counts().tokens).to.deep.include({ ...end, reserved: 0 });
    });
  }

  it('charges nothing before the gate and everything at the close after it', () => {
    const ledger = budgets();
    const sent = reserveGranted(ledger, { model: MODEL });
    reserveGranted(ledger, { caller: 'b', model: MODEL });
    ledger.openGate(0, sent);
    ledger.close();
    expect(ledger.counts().tokens, 'closed is not yet sealed').to.deep.include({ reserved: 80 });
    ledger.seal();
    expect(ledger.counts().tokens).to.deep.include({ charged: 40, reserved: 0, state: 'incomplete' });
    expect(ledger.settle(sent, { tokens: 1, costMicrousd: 1 }), 'a late end changes nothing').to.deep.equal({
      exceeded: false,
    });
    expect(ledger.counts().cost).to.deep.include({ charged: 30, state: 'incomplete' });
  });

  it('reserves both or neither, tokens first, and the one that refuses counts', () => {
    const ledger = budgets({ totalTokens: 40 });
    reserveGranted(ledger, { model: MODEL });
    expect(ledger.reserve(0, request({ caller: 'b', model: { ...MODEL, tokens: 1 } }))).to.deep.equal({
      granted: false,
      refusal: { reason: 'llm_total_tokens', value: 40, requested: 1, remaining: 0 },
    });
    expect(ledger.counts()).to.deep.include({
      tokens: { limit: 40, reserved: 40, charged: 0, refused: 1, state: 'available' },
      cost: { limit: 100, reserved: 30, charged: 0, refused: 0, state: 'available' },
    });
    const dear = budgets();
    expect(call(dear, { model: { ...MODEL, costMicrousd: 101 } })).to.equal('llm_cost_microusd');
    expect(dear.counts().tokens).to.deep.include({ reserved: 0, refused: 0 });
    expect(call(dear, { model: { ...MODEL, costMicrousd: 100 } })).to.equal('granted');
  });

  it('refuses everything after an overrun', () => {
    const ledger = budgets();
    expect(call(ledger, { model: MODEL }, { tokens: 41, costMicrousd: 0 })).to.equal('exceeded');
    expect(call(ledger, { model: { outputTokens: 1, tokens: 0, costMicrousd: 0 } })).to.equal('llm_total_tokens');
  });

  it('asks for authorised output tokens up to the limit', () => {
    const ledger = opened();
    const asking = (outputTokens: number | null) => call(ledger, { model: { ...MODEL, outputTokens } });
    expect([asking(99), asking(100), asking(101), asking(null)]).to.deep.equal([
      'granted',
      'granted',
      'output_unauthorised',
      'output_unauthorised',
    ]);
  });
});

/** What the model of the ledger remembers of one caller. */
interface Model {
  readonly live: Map<number, { readonly caller: string; readonly tokens: number }>;
  granted: number;
  refusedTokens: number;
  isClosed: boolean;
}

const CALLERS = ['w', 'a', 'b', 'c'];
const MODEL_LIMITS: LedgerLimits = {
  ...LIMITS,
  calls: { workflow: { total: 12, perName: 12 }, mission: LIMITS.calls.mission },
  liveTasks: 3,
  totalTokens: 60,
  costMicrousd: 45,
  requestOutputTokens: 1000,
};

class Reserve implements fc.Command<Model, Ledger> {
  readonly #caller: string;
  readonly #tokens: number;
  readonly #cost: number;

  constructor(caller: string, tokens: number, cost: number) {
    this.#caller = caller;
    this.#tokens = tokens;
    this.#cost = cost;
  }

  check(): boolean {
    return true;
  }

  run(model: Model, ledger: Ledger): void {
    const before = ledger.counts();
    const decision = ledger.reserve(
      0,
      request({ caller: this.#caller, model: { outputTokens: 1, tokens: this.#tokens, costMicrousd: this.#cost } }),
    );
    if (decision.granted) {
      expect(model.isClosed).to.equal(false);
      expect(
        [...model.live.values()].some(({ caller }) => caller === this.#caller),
        'one reservation a caller',
      ).to.equal(false);
      model.live.set(decision.reservation, { caller: this.#caller, tokens: this.#tokens });
      model.granted += 1;
    } else {
      if (decision.refusal.reason === 'llm_total_tokens') model.refusedTokens += 1;
      const after = ledger.counts();
      expect(after.capabilityCalls, 'a refusal consumes nothing').to.deep.equal(before.capabilityCalls);
      expect([after.tokens?.reserved, after.cost?.reserved]).to.deep.equal([
        before.tokens?.reserved,
        before.cost?.reserved,
      ]);
    }
    expectLaws(model, ledger);
  }

  toString(): string {
    return `reserve ${this.#caller} ${this.#tokens} ${this.#cost}`;
  }
}

class Settle implements fc.Command<Model, Ledger> {
  readonly #which: number;
  readonly #use: ModelUse | 'undispatched';

  constructor(which: number, use: ModelUse | 'undispatched') {
    this.#which = which;
    this.#use = use;
  }

  check(model: Readonly<Model>): boolean {
    return model.live.size > 0;
  }

  run(model: Model, ledger: Ledger): void {
    const id = [...model.live.keys()][this.#which % model.live.size] ?? 0;
    ledger.openGate(0, id);
    ledger.settle(id, this.#use);
    model.live.delete(id);
    expectLaws(model, ledger);
  }

  toString(): string {
    return `settle ${this.#which} ${JSON.stringify(this.#use)}`;
  }
}

class Seal implements fc.Command<Model, Ledger> {
  check(): boolean {
    return true;
  }

  run(model: Model, ledger: Ledger): void {
    ledger.seal();
    model.isClosed = true;
    model.live.clear();
    expectLaws(model, ledger);
  }

  toString(): string {
    return 'seal';
  }
}

function expectLaws(model: Model, ledger: Ledger): void {
  const { capabilityCalls, tokens, cost } = ledger.counts();
  for (const budget of [tokens, cost]) {
    if (budget === null) throw new Error('both budgets are on');
    expect(
      budget.state === 'overrun' || budget.charged + budget.reserved <= budget.limit,
      'charged and reserved stay below the limit',
    ).to.equal(true);
    expect(remainingOf(budget)).to.be.at.least(0);
    expect(budget.reserved).to.be.at.least(0);
  }
  expect(tokens?.reserved).to.equal([...model.live.values()].reduce((total, live) => total + live.tokens, 0));
  expect(tokens?.refused).to.equal(model.refusedTokens);
  expect(capabilityCalls['workflow/find'] ?? 0).to.equal(model.granted);
  expect(model.live.size).to.be.at.most(MODEL_LIMITS.liveTasks);
  expect(model.granted).to.be.at.most(12);
}

describe('the ledger under any order of events', () => {
  it('keeps its budgets, its slots and its counts', () => {
    const use = fc.oneof(
      fc.constant('undispatched' as const),
      fc.record({ tokens: fc.option(fc.nat(30)), costMicrousd: fc.option(fc.nat(30)) }),
    );
    const commands = fc.commands(
      [
        fc
          .tuple(fc.constantFrom(...CALLERS), fc.integer({ min: 1, max: 30 }), fc.nat(30))
          .map((facts) => new Reserve(...facts)),
        fc.tuple(fc.nat(5), use).map((facts) => new Settle(...facts)),
        fc.constant(new Seal()),
      ],
      { maxCommands: 60 },
    );
    fc.assert(
      fc.property(commands, (sequence) => {
        const setup = () => {
          const real = openLedger(MODEL_LIMITS);
          for (const caller of CALLERS) real.openCaller(caller);
          return { model: { live: new Map(), granted: 0, refusedTokens: 0, isClosed: false }, real };
        };
        fc.modelRun(setup, sequence);
      }),
      { numRuns: 300 },
    );
  });
});
