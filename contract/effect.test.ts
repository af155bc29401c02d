import { expect } from 'chai';
import { EFFECTS, worstEffect, type Effect } from './effect.ts';

describe('the join of effects (language.md §13)', () => {
  const joins: readonly (readonly [readonly Effect[], Effect | null])[] = [
    [[], null],
    [['read'], 'read'],
    [['read', 'unknown'], 'unknown'],
    [['unknown', 'write', 'read'], 'write'],
    [EFFECTS, 'write'],
  ];
  for (const [effects, worst] of joins) {
    it(`${effects.join(', ') || 'none'}: ${worst}`, () => {
      expect(worstEffect(effects)).to.equal(worst);
    });
  }
});
