import { expect } from 'chai';
import fc from 'fast-check';
import { nextStep, type AttemptEnd } from './next-step.ts';

const POLICY = { attempts: 3, maxWaitMs: 30_000 };
const FIRST = { made: 1, remainingMs: 120_000, jitter: 0.5 };
const refused = (status: number, requestedMs: number | null = null, isSpent = false): AttemptEnd => ({
  kind: 'refused',
  status,
  requestedMs,
  isSpent,
});

describe('whether a call is tried again (world.md §1.4)', () => {
  for (const status of [408, 429, 500, 502, 503, 504, 529]) {
    it(`${status} is`, () => {
      expect(nextStep(POLICY, refused(status), FIRST)).to.deep.equal({ kind: 'again', afterMs: 250 });
    });
  }
  for (const status of [300, 301, 304, 400, 401, 402, 403, 404, 409, 413, 422, 425, 501, 505, 521]) {
    it(`${status} is not`, () => {
      expect(nextStep(POLICY, refused(status, 10), FIRST)).to.deep.equal({ kind: 'end', retryAfterMs: null });
    });
  }
  const rows: readonly (readonly [string, AttemptEnd, Partial<typeof FIRST>, object])[] = [
    ['a connection refused or reset before a status', { kind: 'unanswered' }, {}, { kind: 'again', afterMs: 250 }],
    ['anything after a status of success', { kind: 'settled' }, {}, { kind: 'end', retryAfterMs: null }],
    ['a quota that is spent', refused(429, 10, true), {}, { kind: 'end', retryAfterMs: null }],
    ['the wait that was told', refused(429, 1234), {}, { kind: 'again', afterMs: 1234 }],
    ['at once, if that was told', refused(503, 0), {}, { kind: 'again', afterMs: 0 }],
    ['twice the first wait for the second', refused(500), { made: 2 }, { kind: 'again', afterMs: 500 }],
    ['full jitter: nothing', refused(500), { jitter: 0 }, { kind: 'again', afterMs: 0 }],
    ['full jitter: nearly all', refused(500), { jitter: 0.999 }, { kind: 'again', afterMs: 499 }],
    ['the last attempt', refused(500), { made: 3 }, { kind: 'end', retryAfterMs: null }],
    ['the last attempt, told to wait', refused(429, 700), { made: 3 }, { kind: 'end', retryAfterMs: 700 }],
    ['the longest wait', refused(429, 30_000), {}, { kind: 'again', afterMs: 30_000 }],
    ['more than the longest wait', refused(429, 30_001), {}, { kind: 'end', retryAfterMs: 30_001 }],
    ['as long as the deadline', refused(429, 900), { remainingMs: 900 }, { kind: 'end', retryAfterMs: 900 }],
    ['just before the deadline', refused(429, 899), { remainingMs: 900 }, { kind: 'again', afterMs: 899 }],
    ['an own wait beyond the deadline', refused(500), { remainingMs: 250 }, { kind: 'end', retryAfterMs: 250 }],
  ];
  for (const [title, end, moment, step] of rows) {
    it(title, () => {
      expect(nextStep(POLICY, end, { ...FIRST, ...moment })).to.deep.equal(step);
    });
  }

  it('waits 8 seconds of its own at most, and never longer than the installation allows', () => {
    const long = { attempts: 5, maxWaitMs: 120_000 };
    const last = { made: 4, remainingMs: 1e6, jitter: 0.999_999 };
    expect(nextStep(long, refused(500), last)).to.deep.equal({ kind: 'again', afterMs: 3999 });
    expect(nextStep({ attempts: 9, maxWaitMs: 120_000 }, refused(500), { ...last, made: 8 })).to.deep.equal({
      kind: 'again',
      afterMs: 7999,
    });
    expect(nextStep({ attempts: 5, maxWaitMs: 0 }, refused(500), last)).to.deep.equal({ kind: 'again', afterMs: 0 });
  });

  it('asks once where one attempt is allowed', () => {
    expect(nextStep({ attempts: 1, maxWaitMs: 30_000 }, refused(429), FIRST)).to.deep.equal({
      kind: 'end',
      retryAfterMs: null,
    });
  });

  it('always comes to an end in time', () => {
    const ends = fc.oneof(
      fc.constant<AttemptEnd>({ kind: 'unanswered' }),
      fc.record({
        kind: fc.constant('refused' as const),
        status: fc.constantFrom(408, 429, 500, 503, 529),
        requestedMs: fc.option(fc.integer({ min: 0, max: 100_000 })),
        isSpent: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(
        fc.array(ends, { minLength: 6, maxLength: 6 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 120_000 }),
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (outcomes, attempts, maxWaitMs, deadlineMs, jitter) => {
          let [made, now] = [0, 0];
          for (const end of outcomes) {
            made += 1;
            const step = nextStep({ attempts, maxWaitMs }, end, { made, remainingMs: deadlineMs - now, jitter });
            if (step.kind === 'end') break;
            expect(step.afterMs).to.be.at.least(0).and.at.most(maxWaitMs);
            now += step.afterMs;
          }
          expect(made).to.be.at.most(attempts);
          expect(now).to.be.below(deadlineMs);
        },
      ),
    );
  });
});
