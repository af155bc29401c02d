import { expect } from 'chai';
import {
  LOCAL_TENANT,
  RUN_LIMITS,
  boundsOf,
  defaultPolicy,
  isTenantName,
  policyOf,
  shareOf,
  type TenantPolicy,
} from './tenant.ts';

describe('what a tenant may have (gateway.md §18)', () => {
  it('is all there is where it is the only one, and a part where others may come', () => {
    expect(defaultPolicy(LOCAL_TENANT, RUN_LIMITS)).to.include({ weight: 1, maxRuns: 32, maxQueued: 1000 });
    expect(defaultPolicy('other', RUN_LIMITS)).to.deep.equal({
      weight: 1,
      maxRuns: 4,
      maxQueued: 100,
      maxQueuedBytes: null,
      maxProviderCalls: null,
      startsPerMinute: null,
      burst: 1,
      llmTokensPerDay: null,
      costMicrousdPerDay: null,
      artifactBytes: null,
      isolation: 'process',
      suspended: false,
    });
  });

  it('is told to the queue as a share', () => {
    expect(shareOf(policyOf({ weight: 3, maxRuns: 2, maxQueued: 5 }))).to.deep.equal({
      weight: 3,
      atOnce: 2,
      waiting: 5,
    });
    expect(shareOf(policyOf({ startsPerMinute: 120, burst: 3 })).rate).to.deep.equal({ everyMs: 500, burst: 3 });
  });

  const REFUSED: readonly (readonly [string, Partial<TenantPolicy>])[] = [
    ['a weight below 1', { weight: 0.99 }],
    ['a weight above 100', { weight: 100.01 }],
    ['a weight that is no number', { weight: Number.NaN }],
    ['no run', { maxRuns: 0 }],
    ['half a run', { maxRuns: 1.5 }],
    ['fewer than none that wait', { maxQueued: -1 }],
    ['no start in a minute', { startsPerMinute: 0 }],
    ['no call of a provider', { maxProviderCalls: 0 }],
    ['half a token', { llmTokensPerDay: 0.5 }],
    ['fewer than no bytes', { artifactBytes: -1 }],
    ['an isolation that nobody knows', { isolation: Object('other') }],
  ];
  for (const [title, over] of REFUSED) {
    it(`refuses ${title}`, () => {
      expect(() => policyOf(over)).to.throw(TypeError);
    });
  }

  it('is of a name that can be a folder', () => {
    for (const name of ['a', '0', 'A-b_c.d', 'a'.repeat(128)]) expect(isTenantName(name), name).to.equal(true);
    for (const name of ['', '.', '..', '-a', 'a/b', 'a\n', 'ä', 'a'.repeat(129)])
      expect(isTenantName(name), name).to.equal(false);
  });

  it('takes what is just within', () => {
    for (const weight of [1, 100]) expect(policyOf({ weight })).to.include({ weight });
    const bounds = { ...RUN_LIMITS, maxRuns: 1, maxQueued: 0 };
    expect(boundsOf(bounds)).to.deep.equal({ atOnce: 1, waiting: 0 });
    expect(() => boundsOf({ ...bounds, maxRuns: 0 })).to.throw(TypeError);
    expect(() => boundsOf({ ...bounds, maxQueued: -1 })).to.throw(TypeError);
  });
});
