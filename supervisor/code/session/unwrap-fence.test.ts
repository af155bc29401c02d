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

  it('keeps lines where the fence says what the program does', () => {
    expect(unwrapFence('```clj\nclj\n```')).to.equal('\nclj');
    expect(unwrapFence('```\n```')).to.equal('\n');
    expect(unwrapFence('```\na \n \t```  \n')).to.equal('\na ');
  });

  it('is looked for in one pass, however long the program', () => {
    const gap = ' '.repeat(4_000_000);
    expect(unwrapFence(`\`\`\`\n${gap}x`)).to.equal(`\`\`\`\n${gap}x`);
    expect(unwrapFence(`\`\`\`\n${gap}x${gap}\`\`\``)).to.equal(`\n${gap}x`);
  });
});
