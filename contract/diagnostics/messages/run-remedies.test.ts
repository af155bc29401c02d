import { expect } from 'chai';
import { remedyOf } from './remedies.ts';

describe('what to do about a run-time error', () => {
  it('is told where its words only say what is wrong', () => {
    expect(remedyOf('index_error', 'nth: index 9 is out of range; the indices are 0 to 2')).to.match(
      /^test it against \(count coll\)/,
    );
    expect(remedyOf('type_error', '+: argument 2 must be a number, not string')).to.match(
      /^convert it with \(parse-long s\)/,
    );
    expect(remedyOf('type_error', 'f: argument 1 must be a text, not nil')).to.match(/^give nil a value/);
    expect(
      remedyOf(
        'type_error',
        'inc: argument 1 must be a number, not nil (:firstName found nothing; the map has :first-name)',
      ),
    ).to.equal('write the key as the map has it');
    expect(remedyOf('not_callable', '5 is not a function; map needs one')).to.match(/^write a function there/);
  });

  it('depends on the reason, and may be all that is known of it', () => {
    expect(remedyOf('value_error', 'Divide by zero')).to.equal(null);
    expect(remedyOf('uncaught_exception', 'Divide by zero')).to.match(/^catch it/);
  });

  it('is left to words that say it', () => {
    expect(remedyOf('arity_error', 'Wrong number of args (1) passed to: main/add; it takes [a b]')).to.equal(null);
    expect(remedyOf('index_error', 'find: what it wants')).to.equal(null);
  });
});
