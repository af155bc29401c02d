import { expect } from 'chai';
import { didYouMean, insteadOf, oneOfNames } from './suggestion.ts';

describe('names of a closed list in a sentence', () => {
  it('are one, two, a few, or the first of many', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(oneOfNames)).to.deep.equal([
      'nothing',
      'a',
      'a or b',
      'one of a, b, c',
    ]);
    expect(oneOfNames(Array.from({ length: 30 }, (_, index) => `n${String(index)}`))).to.match(
      /^one of n0, .*, n23 and 6 more$/u,
    );
  });

  it('are guessed from a near word, which is never told', () => {
    expect(didYouMean('worflow', ['workflow', 'input'])).to.equal('did you mean workflow?');
    expect(didYouMean('frobnicate', ['workflow'])).to.equal(null);
    expect(didYouMean('input', ['input'])).to.equal(null);
    expect(insteadOf('frobnicate', ['workflow', 'input'])).to.equal('write workflow or input');
    expect(insteadOf('imput', ['workflow', 'input'])).to.equal('did you mean input?');
  });
});
