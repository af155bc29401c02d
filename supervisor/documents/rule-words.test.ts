import { expect } from 'chai';
import { allowedRemedy, brokenRuleText, withoutQuotes, type BrokenRule } from './rule-words.ts';

const text = (known: Partial<BrokenRule> & Pick<BrokenRule, 'rule'>) =>
  brokenRuleText({ bound: null, unit: 'bytes', kind: null, allowed: null, ...known });

describe('a broken rule in words', () => {
  it('tells the bound, the type, or the allowed values', () => {
    expect(text({ rule: 'maximum', bound: 9 })).to.equal('the number is above 9');
    expect(text({ rule: 'max_length', bound: 20, unit: 'characters' })).to.equal(
      'the text is longer than 20 characters',
    );
    expect(text({ rule: 'min_items', bound: 1 })).to.equal('the list is empty');
    expect(text({ rule: 'type', kind: 'an integer' })).to.equal('an integer is wanted here');
    expect(text({ rule: 'enum', allowed: ['"a"', '"b"'] })).to.equal('the value is none of "a", "b"');
    expect(text({ rule: 'const', allowed: ['1'] })).to.equal('the value is not 1');
  });

  it('is the words of the catalogue where no more is known', () => {
    expect(text({ rule: 'minimum' })).to.equal('the number is too small');
    expect(text({ rule: 'pattern' })).to.equal('the text does not have the form that is asked for');
  });
});

describe('what to write instead of a value', () => {
  it('is the near one, the only one, or one of those that the problem lists', () => {
    expect(allowedRemedy('tset', ['"test"', '"production"'])).to.equal('did you mean test?');
    expect(allowedRemedy('s3cret', ['"svc-project"'])).to.equal('write "svc-project"');
    expect(allowedRemedy('s3cret', ['"a"', '"b"'])).to.equal('write one of these');
  });

  it('is the same without quotation marks for a number or a flag that has them', () => {
    expect(allowedRemedy('1', ['1'])).to.equal('write 1 without quotation marks');
    expect(['60', '-1.5', '60s', 'true'].map((input) => withoutQuotes(input, ['integer']))).to.deep.equal([
      ', without quotation marks',
      ', without quotation marks',
      '',
      '',
    ]);
    expect([withoutQuotes('true', ['boolean']), withoutQuotes(null, ['boolean'])]).to.deep.equal([
      ', without quotation marks',
      '',
    ]);
  });
});
