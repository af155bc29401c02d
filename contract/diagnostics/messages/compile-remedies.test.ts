import { expect } from 'chai';
import { compileRemedyOf } from './compile-remedies.ts';

describe('what to do about a fault of the compiler', () => {
  it('is told where its words only say what is wrong', () => {
    expect(compileRemedyOf('Unclosed ( opened at line 2, column 1')).to.match(/^write the bracket that closes it/);
    expect(compileRemedyOf('loop requires an even number of forms in its binding vector')).to.equal(
      'give each name a value',
    );
    expect(compileRemedyOf('Unable to resolve symbol: totl')).to.equal('define it, or correct its name');
  });

  it('is left to words that say it', () => {
    expect(compileRemedyOf('Unable to resolve symbol: totl (did you mean total?)')).to.equal(null);
    expect(compileRemedyOf('No such var: helper/calclate; did you mean calculate?')).to.equal(null);
    expect(compileRemedyOf('')).to.equal(null);
  });
});
