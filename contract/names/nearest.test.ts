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

  it('overlooks case and separators, and knows the one name that goes on where a word ends', () => {
    const limits = ['run_duration_ms', 'run_count', 'max-length'];
    expect(nearestNames('runDurationMs', limits)).to.deep.equal(['run_duration_ms']);
    expect(nearestNames('max_length', limits)).to.deep.equal(['max-length']);
    expect(nearestNames('run_duration', limits)).to.deep.equal(['run_duration_ms']);
    expect(nearestNames('run', limits)).to.deep.equal([]);
  });

  it('takes no short word for another of which half is different', () => {
    expect(nearestNames('age', ['name'])).to.deep.equal([]);
    expect(nearestNames('', ['a-'])).to.deep.equal([]);
  });

  it('puts the nearest first and gives nothing beyond two edits', () => {
    expect(nearestNames('rune', names)).to.deep.equal(['run', 'prune']);
    expect(nearestNames('frobnicate', names)).to.deep.equal([]);
    expect(nearestNames('', names)).to.deep.equal([]);
  });
});
