import { expect } from 'chai';
import { suspectWords } from './suspect-words.ts';

describe('words for forms that need not end', () => {
  it('name at most three with their places, and nothing where there is none', () => {
    expect(suspectWords('(def é 1)\n (loop [] (recur))')).to.equal('; perhaps through the loop at 2:2');
    expect(suspectWords('(defn f [n] (+ 1 (f n)))\n(vec (iterate inc 1)) (while true 1) (while true 2)')).to.equal(
      '; perhaps through the call of a function by itself at 1:18 or the seq without end at 2:6 or the loop at 2:23',
    );
    expect(suspectWords('(reduce + [1 2])')).to.equal('');
  });
});
