import { expect } from 'chai';
import { runNames } from './run-names.ts';

describe('names of runs (gateway.md §16)', () => {
  it('are each of one run, also after it, but not where nothing ran', () => {
    const names = runNames();
    expect([names.take('a'), names.take('a')]).to.deep.equal([true, false]);
    names.end('a', false);
    expect(names.take('a')).to.equal(false);
    expect(names.take('b')).to.equal(true);
    names.end('b', true);
    expect(names.take('b')).to.equal(true);
  });

  it('are forgotten in the order of their ends, those that go on never', () => {
    const names = runNames(2);
    for (const name of ['a', 'b', 'c', 'd']) names.take(name);
    for (const name of ['b', 'a', 'c']) names.end(name, false);
    expect(['a', 'b', 'c', 'd'].map((name) => names.take(name))).to.deep.equal([false, true, false, false]);
  });
});
