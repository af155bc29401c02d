import { expect } from 'chai';
import { describeModel } from '../describe-model.ts';
import { routeOf } from '../route.ts';
import { catalogued, entryOn } from './catalogue.ts';
import { costOfCall, highestRates, type Counts, type CountedApart } from './cost.ts';
import type { Prices } from './entry.ts';

const DAY = '2026-11-24';

function pricesOf(selector: string): { readonly prices: Prices | null; readonly inputIncludesCached: boolean } {
  const route = routeOf(selector);
  if (route === null) throw new Error(`no route for ${selector}`);
  const { vendor, model } = route;
  return {
    prices: catalogued(vendor, model, DAY)?.prices ?? null,
    inputIncludesCached: vendor.inputIncludesCached,
  };
}

describe('what a call costs (world.md §1.8)', () => {
  // Each sum is made by hand from the price list: tokens x dollars per million are microdollars, rounded up.
  const rows: readonly (readonly [selector: string, counts: Counts & CountedApart, microdollars: number])[] = [
    ['openai:gpt-5', { input: 1000, output: 500, reasoning: 400 }, 1250 + 5000],
    ['openai:gpt-5-mini', { input: 1000, output: 333, cache_read: 600 }, 100 + 15 + 666],
    ['openai:gpt-5-nano', { input: 1, output: 1 }, 1],
    ['openai:gpt-4.1', { input: 2000, output: 100, cache_read: 2000 }, 1000 + 800],
    ['openai:o3', { input: 100, output: 2000, reasoning: 1900 }, 200 + 16_000],
    ['openai:o4-mini', { input: 1000, output: 1000 }, 1100 + 4400],
    ['anthropic:claude-haiku-4-5', { input: 1000, output: 100, cache_read: 4000 }, 1000 + 500 + 400],
    [
      'anthropic:claude-sonnet-4-5',
      { input: 1000, output: 100, cache_creation: 2000, cache_read: 100 },
      3000 + 1500 + 7500 + 30,
    ],
    ['google:gemini-2.5-flash', { input: 1000, output: 100, reasoning: 90 }, 300 + 250],
    ['google:gemini-2.5-pro', { input: 1000, output: 100 }, 1250 + 1000],
    ['google:gemini-2.5-pro', { input: 200_001, output: 10 }, 500_002 + 1 + 150],
    ['google:gemini-3.6-flash', { input: 1000, output: 100 }, 750 + 375],
    ['deepseek:deepseek-v4-flash', { input: 1000, output: 100, cache_read: 500 }, 220 + 7 + 132],
    ['deepseek:deepseek-chat', { input: 1000, output: 100 }, 270 + 110],
    // Those of today's pages, with what they read from a cache and what they thought.
    ['openai:gpt-5.6-luna', { input: 1000, output: 500, cache_read: 400, reasoning: 300 }, 120 + 8 + 600],
    ['openai:gpt-5.6-sol', { input: 300_000, output: 100 }, 2_400_000 + 3000],
    ['openai:gpt-6-astra', { input: 2000, output: 1000, cache_read: 1500, reasoning: 900 }, 5000 + 1500 + 50_000],
    [
      'anthropic:claude-opus-4-8',
      { input: 1000, output: 200, cache_creation: 3000, cache_read: 8000 },
      5000 + 5000 + 18_750 + 4000,
    ],
    ['google:gemini-3.6-flash', { input: 1000, output: 200, cache_read: 800, reasoning: 150 }, 150 + 60 + 750],
    ['deepseek:deepseek-v4-pro', { input: 1000, output: 300, cache_read: 900 }, 132 + 40 + 1188],
    ['groq:openai/gpt-oss-120b', { input: 1000, output: 500, cache_read: 200, reasoning: 100 }, 120 + 15 + 300],
    ['xai:grok-4.6', { input: 1000, output: 400, cache_read: 200, reasoning: 350 }, 1600 + 100 + 2400],
    ['mistral:mistral-medium-3-5', { input: 1000, output: 100 }, 1500 + 750],
    [
      'amazon_bedrock:global.anthropic.claude-haiku-4-5-20251001-v1:0',
      { input: 1000, output: 100, cache_creation: 400, cache_read: 500 },
      1000 + 500 + 500 + 50,
    ],
    ['openrouter:deepseek/deepseek-v4-flash', { input: 10_000, output: 1000, cache_read: 5000 }, 787],
    ['openrouter:perplexity/sonar-deep-research', { input: 1000, output: 500, reasoning: 300 }, 2000 + 1600 + 900],
  ];
  for (const [selector, counts, microdollars] of rows) {
    it(`${selector} for ${JSON.stringify(counts)}`, () => {
      const { prices, inputIncludesCached } = pricesOf(selector);
      expect(costOfCall(counts, prices, inputIncludesCached)).to.equal(microdollars);
    });
  }

  it('is at the prices of its day', () => {
    const entry = {
      prices: { input: { base: '1' } },
      changes: [
        { from: '2027-01-01', prices: { input: { base: '2' } } },
        { from: '2027-06-01', prices: { input: { base: '3' } } },
      ],
    };
    const on = (day: string): unknown => entryOn(entry, day).prices?.input?.base;
    expect(['2026-12-31', '2027-01-01', '2027-05-31', '2027-06-01'].map(on)).to.deep.equal(['1', '2', '2', '3']);
  });

  it('is not known without a price or without its counts', () => {
    const prices = { input: { base: '1' }, output: { base: '1' } };
    expect(costOfCall({ input: 1, output: 1 }, null, true)).to.equal(null);
    expect(costOfCall({ input: 1 }, prices, true)).to.equal(null);
    expect(costOfCall({ output: 1 }, prices, true)).to.equal(null);
    expect(costOfCall({ input: 1, output: 1 }, { input: prices.input }, true)).to.equal(null);
  });

  it('counts no reasoning that is more than the output', () => {
    const prices = { input: { base: '1' }, output: { base: '1' }, reasoning: { base: '5' } };
    expect(costOfCall({ input: 0, output: 10, reasoning: 11 }, prices, true)).to.equal(50);
    expect(costOfCall({ input: 0, output: 10, reasoning: 10 }, prices, true)).to.equal(50);
    expect(costOfCall({ input: 0, output: 10, reasoning: 9 }, prices, true)).to.equal(46);
  });
});

describe('the most that a call can cost (world.md §1.8)', () => {
  it('takes the highest rate of each side, tiers included', () => {
    const prices: Prices = {
      input: { base: '2', tiers: [[100, '4']] },
      cacheRead: { base: '0.2' },
      cacheWrite: { base: '2.5' },
      output: { base: '8' },
      reasoning: { base: '12.0000001' },
      request: { base: '5' },
    };
    expect(highestRates(prices)).to.deep.equal({
      perMillionInput: 4_000_000,
      perMillionOutput: 12_000_001,
      perRequest: 5000,
    });
  });

  it('is not known without a price of input and one of output', () => {
    expect([null, {}, { input: { base: '1' } }, { output: { base: '1' } }].map(highestRates)).to.deep.equal([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('the catalogue', () => {
  it('says of which day it is', () => {
    expect(describeModel('openai:gpt-5')?.catalogueDate).to.match(/^20\d\d-\d\d-\d\d$/);
  });
});
