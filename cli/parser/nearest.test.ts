import { expect } from 'chai';
import { nearestNames } from './nearest.ts';

describe('nearest names (cli.md §12.4)', () => {
  const names = ['run', 'repl', 'prune', 'validate'];

  it('counts insertions, deletions, replacements and swaps', () => {
    expect(nearestNames('rnu', names)).to.deep.equal(['run']);
    expect(nearestNames('prunes', names)).to.deep.equal(['prune']);
    expect(nearestNames('valiate', names)).to.deep.equal(['validate']);
    expect(nearestNames('rapl', names)).to.deep.equal(['repl']);
  });

  it('puts the nearest first and gives nothing beyond two edits', () => {
    expect(nearestNames('rune', names)).to.deep.equal(['run', 'prune']);
    expect(nearestNames('frobnicate', names)).to.deep.equal([]);
    expect(nearestNames('', names)).to.deep.equal([]);
  });
});
