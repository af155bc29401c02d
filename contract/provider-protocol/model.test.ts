import { expect } from 'chai';
import { jsonFromPlain } from '../json/plain.ts';
import { isJsonObject } from '../json/value.ts';
import {
  largerLimitOf,
  outputLimitOf,
  requestTokensOf,
  reservationOf,
  type OutputBinding,
  type RequestTerms,
} from './model.ts';

const PRICES = { perMillionInput: 3_000_000, perMillionOutput: 3_000_000, perRequest: 0 };
const TERMS: RequestTerms = {
  kind: 'request',
  installationTokens: null,
  modelTokens: null,
  contextTokens: null,
  prices: PRICES,
};

describe('the output that a model call may ask for (providers.md §5.4)', () => {
  const rows: readonly (readonly [string, Partial<RequestTerms>, number, number, number, readonly OutputBinding[]])[] =
    [
      ['the run alone', {}, 4096, 10, 4096, ['application_limit']],
      ['the installation, which is less', { installationTokens: 100 }, 4096, 10, 100, ['installation_param']],
      ['the model, which is less', { installationTokens: 100, modelTokens: 99 }, 4096, 10, 99, ['model_output_limit']],
      ['what is left of the context', { contextTokens: 1000 }, 4096, 700, 44, ['remaining_context']],
      [
        'all that are equal, in their order',
        { contextTokens: 366, modelTokens: 100, installationTokens: 100 },
        100,
        10,
        100,
        ['application_limit', 'installation_param', 'model_output_limit', 'remaining_context'],
      ],
      ['one token of a context that is full', { contextTokens: 266 }, 4096, 10, 1, ['remaining_context']],
      ['one token of a context that is too small', { contextTokens: 10 }, 4096, 10, 1, ['remaining_context']],
    ];
  for (const [what, terms, applicationTokens, requestBytes, value, bindings] of rows) {
    it(what, () => {
      expect(outputLimitOf({ ...TERMS, ...terms }, applicationTokens, requestBytes)).to.deep.equal({ value, bindings });
    });
  }
});

describe('the tokens that a request can have (providers.md §5.4)', () => {
  const image = { type: 'image', media_type: 'image/png', data: 'A'.repeat(100_000) };
  const rows: readonly (readonly [string, unknown, number])[] = [
    ['one for each byte', [{ role: 'user', content: 'x' }], 0],
    ['those of an image, whatever its bytes', [{ role: 'user', content: [image, { type: 'text', text: 'x' }] }], 1],
    [
      'those of each image',
      [
        { role: 'user', content: [image, image] },
        { role: 'user', content: [image] },
      ],
      3,
    ],
    ['one for each byte of what only looks like an image', [{ role: 'assistant', content: [image] }, image, 7], 0],
    ['one for each byte of an image without data', [{ role: 'user', content: [{ type: 'image' }, null] }], 0],
    ['one for each byte where there are no messages', null, 0],
  ];
  for (const [what, messages, images] of rows) {
    it(what, () => {
      const request = jsonFromPlain({ messages });
      if (!isJsonObject(request)) throw new Error('a request is an object');
      expect(requestTokensOf(request, 1_000_000)).to.equal(1_000_000 + images * (8192 - 100_000));
    });
  }
});

describe('the room of a second try, where a model was cut within its thought (providers.md §5.4)', () => {
  const thinks = { ...TERMS, thinks: true, installationTokens: 100 };
  it('is the least of the other bounds, where the installation alone bounds the first', () => {
    expect(largerLimitOf(thinks, 4096, 10)).to.deep.equal({ value: 4096, bindings: ['application_limit'] });
    expect(largerLimitOf({ ...thinks, modelTokens: 900 }, 4096, 10)).to.deep.equal({
      value: 900,
      bindings: ['model_output_limit'],
    });
  });

  it('is none where it would be no larger, and for a model that does not think', () => {
    expect(largerLimitOf({ ...thinks, modelTokens: 100 }, 4096, 10)).to.equal(null);
    expect(largerLimitOf(thinks, 100, 10)).to.equal(null);
    expect(largerLimitOf({ ...thinks, installationTokens: null }, 4096, 10)).to.equal(null);
    expect(largerLimitOf({ ...thinks, thinks: false }, 4096, 10)).to.equal(null);
    expect(largerLimitOf({ kind: 'fixed', outputTokens: 1, tokens: 5, costMicrousd: 6 }, 4096, 10)).to.equal(null);
  });

  it('is reserved together with the first', () => {
    expect(reservationOf({ ...thinks, prices: { ...PRICES, perRequest: 7 } }, 1000, 44, true)).to.deep.equal({
      outputTokens: 100,
      tokens: 2 * (44 + 256) + 100 + 1000,
      costMicrousd: 3 * 1700 + 14,
    });
  });
});

describe('what a model call reserves (providers.md §5.6, runtime.md §11)', () => {
  const at = (perMillionInput: number, perMillionOutput: number, perRequest = 0): RequestTerms => ({
    ...TERMS,
    prices: { perMillionInput, perMillionOutput, perRequest },
  });
  const costs: readonly (readonly [string, RequestTerms, number])[] = [
    ['its bytes and 256 tokens at the rate of input, and its output at its own', at(2_000_000, 10_000_000), 1600],
    ['rounded up once', at(1, 1), 1],
    ['with the price of a request', at(0, 0, 7), 7],
    ['of all three', at(1_000_000, 3_000_000, 5), 605],
  ];
  for (const [what, terms, costMicrousd] of costs) {
    it(`is ${what}`, () => {
      expect(reservationOf(terms, 100, 44, true)).to.deep.equal({ outputTokens: 100, tokens: 400, costMicrousd });
    });
  }

  it('has no cost without a price, and is none where the cost is bounded', () => {
    const unpriced = { ...TERMS, prices: null };
    expect(reservationOf(unpriced, 100, 44, false)).to.deep.equal({ outputTokens: 100, tokens: 400, costMicrousd: 0 });
    expect(reservationOf(unpriced, 100, 44, true)).to.equal(null);
  });

  it('saturates', () => {
    const dear = at(Number.MAX_SAFE_INTEGER, 0);
    expect(reservationOf(dear, 1_000_000, 1_000_000, true)).to.deep.include({ costMicrousd: Number.MAX_SAFE_INTEGER });
  });

  it('is what the installation says where the terms are fixed', () => {
    expect(reservationOf({ kind: 'fixed', outputTokens: null, tokens: 5, costMicrousd: 6 }, 1, 1, true)).to.deep.equal({
      outputTokens: null,
      tokens: 5,
      costMicrousd: 6,
    });
    for (const [declared, expected] of [
      [9, 9],
      [10, 10],
      [11, 10],
    ] as const) {
      expect(
        reservationOf({ kind: 'fixed', outputTokens: declared, tokens: declared, costMicrousd: 6 }, 10, 1, true),
      ).to.deep.equal({ outputTokens: expected, tokens: declared, costMicrousd: 6 });
    }
  });
});
