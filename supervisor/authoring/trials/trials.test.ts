import { expect } from 'chai';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { TestCase } from '../../documents/cases/load.ts';
import { NO_FIGURES, type TrialAttempt } from './attempt.ts';
import { MoneyBudget } from './budget.ts';
import { hostWithModel, networkAliases, replayHost } from './case-host.ts';
import { findDifferences } from './differences.ts';
import { judgeAttempt } from './expectations.ts';
import { prettyJson } from './pretty-json.ts';
import { runTrials, type TrialRunner } from './run-trials.ts';
import { rateOf, spreadOf } from './statistics.ts';
import { planTrials, type Trial, type TrialResult } from './trial.ts';

function json(plain: unknown): JsonValue {
  return jsonFromPlain(plain) ?? expect.fail('a test writes JSON');
}

function jsonObject(plain: object): JsonObject {
  return new Map(Object.entries(plain).map(([key, value]) => [key, json(value)]));
}

const CASE: TestCase = {
  name: 'a',
  file: '/p/tests/a.json',
  at: [],
  input: null,
  fixtures: null,
  isLive: false,
  expect: {},
  schema: null,
  repeat: 1,
  model: null,
  tags: [],
};
const ATTEMPT: TrialAttempt = {
  runRef: 'cmd-1',
  status: 'ok',
  code: null,
  message: null,
  explained: null,
  isPrivate: false,
  value: null,
  figures: NO_FIGURES,
  missed: [],
};

describe('a pass rate with its interval (first-day.md §2)', () => {
  // Of Wilson's formula with z = 1.96, as published tables have it.
  for (const [passed, runs, low, high] of [
    [0, 10, 0, 0.278],
    [5, 10, 0.237, 0.763],
    [10, 10, 0.722, 1],
    [1, 1, 0.207, 1],
    [95, 100, 0.888, 0.978],
  ] as const)
    it(`${passed} of ${runs}`, () => {
      const rate = rateOf(passed, runs);
      expect(rate?.low).to.be.closeTo(low, 0.001);
      expect(rate?.high).to.be.closeTo(high, 0.001);
    });

  it('is none of nothing, and a figure that is not known leaves no mean', () => {
    expect(rateOf(0, 0)).to.equal(null);
    expect(spreadOf([1, 3])).to.deep.equal({ mean: 2, worst: 3 });
    expect(spreadOf([1, null])).to.equal(null);
  });
});

describe('a budget that is not passed', () => {
  it('sets aside what a run may spend, and waits while others may give back', async () => {
    const budget = new MoneyBudget(100);
    expect(await budget.reserve(60)).to.equal(60);
    const order: string[] = [];
    const second = budget.reserve(60).then((share) => order.push(`begun with ${share}`));
    order.push('settled');
    budget.settle(60, 10);
    await second;
    expect(order).to.deep.equal(['settled', 'begun with 60']);
    budget.settle(60, 60);
    expect(await budget.reserve(60)).to.equal(30);
    budget.settle(30, null);
    expect(await budget.reserve(null)).to.equal(null);
  });

  it('gives a run without a bound all that is left', async () => {
    const budget = new MoneyBudget(100);
    expect(await budget.reserve(null)).to.equal(100);
    budget.settle(100, 40);
    expect(await budget.reserve(null)).to.equal(60);
  });
});

describe('host documents of trials', () => {
  const host = {
    directory: '/p',
    document: jsonObject({
      install: {
        small: { source: 'llm', installation_revision: 'r1', model: 'a:b', credential: 'key' },
        large: { source: 'llm', installation_revision: 'r2', model: 'c:d', credential: 'other' },
        files: { source: 'mcp', transport: { type: 'stdio', command: 'x' } },
        remote: { source: 'mcp', transport: { type: 'streamable_http', endpoint: 'https://x' } },
      },
      credentials: { key: { file: 'key.txt' } },
    }),
  };

  it('replay every model, and start tools where they were started', () => {
    const made = replayHost(host, '/p/tests/f/a.jsonl', { directory: '/p/tests/f', paths: 'relative' });
    expect(made).to.deep.equal(
      jsonObject({
        install: {
          small: { source: 'llm_replay', installation_revision: 'r1', fixtures: 'a.jsonl' },
          large: { source: 'llm_replay', installation_revision: 'r2', fixtures: 'a.jsonl' },
          files: { source: 'mcp', transport: { type: 'stdio', command: 'x', cwd: '../..' } },
          remote: { source: 'mcp', transport: { type: 'streamable_http', endpoint: 'https://x' } },
        },
        credentials: { key: { file: '/p/key.txt' } },
      }),
    );
  });

  it('put a model in the place of others, by alias or by selector', () => {
    const place = { directory: '/tmp', paths: 'absolute' } as const;
    const install = (model: string) => Object(hostWithModel(host, model, place)?.get('install'));
    expect(install('large').get('small')).to.deep.equal(install('large').get('large'));
    expect(install('x:y').get('small').get('model')).to.equal('x:y');
    expect(hostWithModel(host, 'nobody', place)).to.equal(null);
  });

  it('are known to reach over a network', () => {
    expect(networkAliases(host, new Set(['small', 'files', 'remote']))).to.deep.equal(['small', 'remote']);
  });
});

describe('a run that is held against its case', () => {
  const yes = async () => ({ ok: true, value: true }) as const;

  it('differs at each place by itself', () => {
    expect(findDifferences(json({ a: [1, 2], b: 1 }), json({ a: [1], b: 1, c: 2 }), 'whole')).to.deep.equal([
      { path: ['a', '1'], expected: '2', actual: null },
      { path: ['c'], expected: null, actual: '2' },
    ]);
    expect(findDifferences(json({ b: 1 }), json({ b: 1, c: 2 }), 'partial')).to.deep.equal([]);
  });

  it('shows no value that is private', async () => {
    const attempt = { ...ATTEMPT, isPrivate: true, value: json({ secret: 'planted' }) };
    const { misses } = await judgeAttempt(attempt, { expect: { value: json({ secret: 'x' }) }, schema: null }, yes);
    expect(misses).to.have.length(1);
    expect(JSON.stringify(misses)).not.to.include('planted');
  });

  it('may take as many turns and cost as much as its case says, and not more', async () => {
    const bounds = { max_turns: 3, max_cost_usd: 0.000002 };
    for (const { turns, costMicrousd, expected } of [
      { turns: 2, costMicrousd: 1, expected: [] },
      { turns: 3, costMicrousd: 2, expected: [] },
      {
        turns: 4,
        costMicrousd: 3,
        expected: [
          { expectation: 'max_cost_usd', problem: 'the run cost more', expected: '0.000002', actual: '0.000003' },
          { expectation: 'max_turns', problem: 'the run took more turns', expected: '3', actual: '4' },
        ],
      },
    ]) {
      const attempt = { ...ATTEMPT, figures: { ...NO_FIGURES, turns, costMicrousd } };
      const { misses } = await judgeAttempt(attempt, { expect: bounds, schema: null }, yes);
      expect(misses.map((one) => ({ ...one }))).to.deep.equal(expected.map((one) => ({ ...one, path: [] })));
    }
  });

  it('of an unknown cost does not hold a bound of it', async () => {
    const attempt = { ...ATTEMPT, figures: { ...NO_FIGURES, costMicrousd: null } };
    const { misses } = await judgeAttempt(attempt, { expect: { max_cost_usd: 1 }, schema: null }, yes);
    expect(misses.map(({ expectation }) => expectation)).to.deep.equal(['max_cost_usd']);
  });
});

describe('trials that are run so many at once', () => {
  const run = { attempt: ATTEMPT, misses: [], scores: null };
  const runner = (more: Partial<TrialRunner> = {}): TrialRunner => ({
    perform: async () => ({ ok: true, run }),
    mode: 'live',
    jobs: 2,
    budget: null,
    boundOf: async () => null,
    signal: new AbortController().signal,
    onResult: () => undefined,
    ...more,
  });
  const live = (name: string): Trial => ({
    subject: { ...CASE, name, isLive: true },
    mode: 'live',
    model: null,
    runs: 1,
  });

  it('are told in the order of the cases, whichever is over first', async () => {
    const reported: string[] = [];
    let release = (): void => undefined;
    const acquired = new Promise<void>((resolve) => {
      release = resolve;
    });
    await runTrials([live('a'), live('b')], {
      ...runner(),
      perform: async ({ subject }) => {
        if (subject.name === 'a') await acquired;
        else release();
        return { ok: true, run };
      },
      onResult: ({ trial }: TrialResult) => reported.push(trial.subject.name),
    });
    expect(reported).to.deep.equal(['a', 'b']);
  });

  it('are not begun once the budget is spent', async () => {
    const spending = { ...run, attempt: { ...ATTEMPT, figures: { ...NO_FIGURES, costMicrousd: 10 } } };
    const shares: (number | null)[] = [];
    const results = await runTrials(
      [live('a'), live('b'), live('c')],
      runner({
        budget: new MoneyBudget(15),
        boundOf: async () => 10,
        perform: async (_, share) => {
          shares.push(share);
          return { ok: true, run: spending };
        },
      }),
    );
    expect(shares).to.deep.equal([10, 5]);
    expect(results.map(({ status }) => status)).to.deep.equal(['passed', 'passed', 'skipped']);
  });

  it('run live cases with each model, and replayed ones once', () => {
    const planned = planTrials([CASE, { ...CASE, name: 'b', isLive: true }], { mode: 'live', models: ['x', 'y'] });
    expect(planned.map(({ mode, model }) => [mode, model])).to.deep.equal([
      ['replay', null],
      ['live', 'x'],
      ['live', 'y'],
    ]);
  });
});

describe('JSON as an author writes it', () => {
  it('stays on a line while it fits, and keeps its indentation', () => {
    expect(prettyJson(json({ a: 1 }), '  ')).to.equal('{"a":1}');
    expect(prettyJson(json([{ a: 'x'.repeat(80) }]), '  ')).to.equal(
      `[\n    {\n      "a": "${'x'.repeat(80)}"\n    }\n  ]`,
    );
  });
});
