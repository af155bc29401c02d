import { expect } from 'chai';
import { unwrapFence } from './unwrap-fence.ts';

describe('a fence around a program (code-mode.md §9, 37)', () => {
  it('is taken off, whatever it names, and lines keep their numbers', () => {
    expect(unwrapFence('```clojure\n(+ 1 2)\n```')).to.equal('\n(+ 1 2)');
    expect(unwrapFence('\n```\n(def a 1)\na\n```\n')).to.equal('\n\n(def a 1)\na');
    expect(unwrapFence('~~~clj\n1\n~~~')).to.equal('\n1');
  });

  it('within a program is left, and so is one that does not end', () => {
    for (const program of ['(str "```\n1\n```")', '```clojure\n(+ 1 2)', '(+ 1 2)', ''])
      expect(unwrapFence(program)).to.equal(program);
  });
});
