import { expect } from 'chai';
import { narrowLimits, resolveLimits } from './resolve.ts';

describe('limits that one run narrows (gateway.md §16)', () => {
  const resolved = resolveLimits({ llm_total_tokens: 100 }, { llm_total_tokens: 200 });
  if (resolved === null) throw new Error('they are right');

  it('are lower, and no other is touched', () => {
    const { values, origins } = narrowLimits(resolved, { run_duration_ms: 29_999, llm_total_tokens: 99 });
    expect(values).to.deep.equal({ ...resolved.values, run_duration_ms: 29_999, llm_total_tokens: 99 });
    expect(origins).to.equal(resolved.origins);
    expect(narrowLimits(resolved, {})).to.equal(resolved);
  });

  const EDGES: readonly (readonly [what: string, value: number, isTaken: boolean])[] = [
    ['below the value', 29_999, true],
    ['the value', 30_000, true],
    ['above it', 30_001, false],
    ['the least', 1, true],
    ['below the least', 0, false],
    ['a fraction', 1.5, false],
    ['no number', Number.NaN, false],
  ];
  for (const [what, value, isUsed] of EDGES) {
    it(`${what}: ${isUsed ? 'taken' : 'refused'}`, () => {
      const narrow = (): unknown => narrowLimits(resolved, { run_duration_ms: value });
      if (isUsed) expect(narrow()).to.have.nested.property('values.run_duration_ms', value);
      else expect(narrow).to.throw(RangeError);
    });
  }

  it('are none that is off', () => {
    expect(() => narrowLimits(resolved, { llm_cost_microusd: 1 })).to.throw(RangeError);
  });
});
