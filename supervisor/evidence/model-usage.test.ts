import { expect } from 'chai';
import { modelUsageFold, type ModelCallEnd } from './model-usage.ts';

const CALL = { alias: 'small', installationRevision: 'r1', resolvedModel: 'vendor:m' };
const USED = { input: 10, output: 5, total_cost: { currency: 'USD', microunits: 7 } } as const;

function rowAfter(...ends: readonly (ModelCallEnd | null)[]) {
  const fold = modelUsageFold();
  for (const end of ends) {
    const stop = fold.start(CALL);
    if (end !== null) stop(end);
  }
  const { usage, ...counts } = fold.detail().llm_usage?.[0] ?? { usage: null };
  return { counts, usage, spend: fold.spend() };
}

describe('usage rows of model calls (runtime.md §11)', () => {
  const rows: readonly (readonly [
    string,
    ModelCallEnd | null,
    readonly [calls: number, successful: number, usage: number, missing: number],
  ])[] = [
    ['a start without stop', null, [1, 0, 0, 1]],
    ['ok, valid usage', { status: 'ok', usage: USED }, [1, 1, 1, 0]],
    ['ok, no usage', { status: 'ok', usage: null }, [1, 1, 0, 1]],
    ['error, usage reported', { status: 'error', usage: USED, dispatched: true }, [1, 0, 1, 0]],
    ['error that may have been sent', { status: 'error', usage: null, dispatched: true }, [1, 0, 0, 1]],
    ['error, surely not sent', { status: 'error', usage: null, dispatched: false }, [1, 0, 0, 0]],
  ];
  for (const [title, end, [calls, successful, used, missing]] of rows) {
    it(title, () => {
      expect(rowAfter(end).counts).to.deep.include({
        calls,
        successful_calls: successful,
        usage_calls: used,
        missing_usage_calls: missing,
        usage_overflow: false,
      });
    });
  }

  it('counts a call that is stopped twice once', () => {
    const fold = modelUsageFold();
    const stop = fold.start(CALL);
    stop({ status: 'ok', usage: USED });
    stop({ status: 'ok', usage: USED });
    expect(fold.detail().llm_usage?.[0]).to.deep.include({
      successful_calls: 1,
      usage_calls: 1,
      missing_usage_calls: 0,
    });
  });

  it('sums what was told and prices a row only when every call of it was priced', () => {
    expect(
      rowAfter({ status: 'ok', usage: USED }, { status: 'ok', usage: { ...USED, cache_read: 3 } }).usage,
    ).to.deep.equal({
      input: 20,
      output: 10,
      cache_read: 3,
      total_cost: { currency: 'USD', microunits: 14 },
    });
    expect(
      rowAfter({ status: 'ok', usage: USED }, { status: 'ok', usage: { input: 1, output: 1 } }).usage,
    ).to.deep.equal({ input: 11, output: 6 });
    expect(rowAfter({ status: 'ok', usage: USED }, null).usage).to.deep.equal({ input: 10, output: 5 });
    expect(
      rowAfter({ status: 'ok', usage: USED }, { status: 'error', usage: null, dispatched: false }).usage,
    ).to.have.property('total_cost');
  });

  const spends: readonly (readonly [string, readonly (ModelCallEnd | null)[], object])[] = [
    ['nothing called', [], { state: 'empty' }],
    ['nothing sent', [{ status: 'error', usage: null, dispatched: false }], { state: 'empty' }],
    ['usage missing', [{ status: 'ok', usage: USED }, null], { state: 'incomplete' }],
    [
      'a count missing in one of two reports',
      [
        { status: 'ok', usage: USED },
        { status: 'ok', usage: { input: 1 } },
      ],
      { state: 'incomplete' },
    ],
    ['unpriced', [{ status: 'ok', usage: { input: 1, output: 0 } }], { state: 'unpriced', input: 1, output: 0 }],
    [
      'priced',
      [{ status: 'ok', usage: USED }],
      { state: 'available', input: 10, output: 5, total_cost: { currency: 'USD', microunits: 7 } },
    ],
    [
      'free',
      [{ status: 'ok', usage: { ...USED, total_cost: { currency: 'USD', microunits: 0 } } }],
      { state: 'available', input: 10, output: 5, total_cost: { currency: 'USD', microunits: 0 } },
    ],
    [
      'too much before anything else',
      [{ status: 'ok', usage: { input: Number.MAX_SAFE_INTEGER, output: 0 } }, { status: 'ok', usage: USED }, null],
      { state: 'overflow' },
    ],
  ];
  for (const [title, ends, spend] of spends) {
    it(`spend of a run: ${title}`, () => {
      expect(rowAfter(...ends).spend).to.deep.equal(spend);
    });
  }

  it('saturates at the largest safe integer and says so; one below it passes', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const at = (input: number) =>
      rowAfter({ status: 'ok', usage: { input, output: 0 } }, { status: 'ok', usage: { input: 1, output: 0 } });
    expect(at(most - 1)).to.deep.include({
      usage: { input: most, output: 0 },
      spend: { state: 'unpriced', input: most, output: 0 },
    });
    expect(at(most).usage).to.deep.equal({ input: most, output: 0 });
    expect(at(most).counts).to.have.property('usage_overflow', true);
  });

  it('sorts rows, keeps revisions apart, and counts calls of no public model', () => {
    const fold = modelUsageFold();
    for (const [alias, installationRevision, resolvedModel] of [
      ['b', 'r1', 'v:x'],
      ['a', 'r2', 'v:x'],
      ['a', 'r1', null],
    ] as const)
      fold.start({ alias, installationRevision, resolvedModel });
    const detail = fold.detail();
    expect(detail.llm_usage?.map(({ alias, installation_revision: revision }) => `${alias}@${revision}`)).to.deep.equal(
      ['a@r1', 'a@r2', 'b@r1'],
    );
    expect(detail.llm_usage_by_model?.map(({ resolved_model: model, calls }) => [model, calls])).to.deep.equal([
      ['v:x', 2],
    ]);
    expect(detail.unattributed_model_calls).to.equal(1);
  });

  it('has detail of 128 rows and of no more', () => {
    const fold = modelUsageFold();
    for (let index = 0; index < 128; index += 1) fold.start({ ...CALL, alias: `a${index}` });
    expect(fold.detail().llm_usage_state).to.equal('available');
    fold.start({ ...CALL, alias: 'one-more' });
    expect(fold.detail()).to.deep.equal({
      llm_usage_state: 'unavailable',
      llm_usage: null,
      llm_usage_by_model: null,
      unattributed_model_calls: null,
    });
  });
});
