import { expect } from 'chai';
import fc from 'fast-check';
import { selectRuns, type Marked, type PruneLimits, type StoredRun } from './select.ts';
import { NOW, run } from './testing/artifact-tree.ts';

const DAY_MS = 86_400_000;
const FREE: Marked = { kept: new Set(), inProgress: new Set() };
const stored = (nth: number, daysAgo: number, bytes = 100): StoredRun => ({
  runRef: run(nth),
  newestAt: NOW - daysAgo * DAY_MS,
  bytes,
});

describe('which runs a prune takes', () => {
  const RUNS = [stored(1, 1), stored(2, 30), stored(3, 10), stored(4, 10)];
  for (const [what, limits, marked, due, skipped] of [
    ['none that is younger than its age', { maxAgeDays: 30, maxBytes: null }, FREE, [], []],
    ['those that are older, the oldest first', { maxAgeDays: 9, maxBytes: null }, FREE, [2, 3, 4], []],
    ['all with an age of 0', { maxAgeDays: 0, maxBytes: null }, FREE, [2, 3, 4, 1], []],
    ['none while all fit', { maxAgeDays: null, maxBytes: 400 }, FREE, [], []],
    ['the oldest when one byte is too many', { maxAgeDays: null, maxBytes: 399 }, FREE, [2], []],
    ['of equal age by name', { maxAgeDays: null, maxBytes: 200 }, FREE, [2, 3], []],
    ['all with no bytes', { maxAgeDays: null, maxBytes: 0 }, FREE, [2, 3, 4, 1], []],
    ['what either limit asks for', { maxAgeDays: 29, maxBytes: 200 }, FREE, [2, 3], []],
    [
      'never one that is kept, in whose place others go',
      { maxAgeDays: null, maxBytes: 300 },
      { ...FREE, kept: new Set([run(2)]) },
      [3],
      [],
    ],
    [
      'none that is in progress, which it says',
      { maxAgeDays: 9, maxBytes: null },
      { ...FREE, inProgress: new Set([run(3), run(1)]) },
      [2, 4],
      [3],
    ],
    [
      'none when anybody may be publishing',
      { maxAgeDays: 9, maxBytes: null },
      { ...FREE, inProgress: 'all' },
      [],
      [2, 3, 4],
    ],
  ] as const satisfies readonly (readonly [string, PruneLimits, Marked, readonly number[], readonly number[]])[]) {
    it(`takes ${what}`, () => {
      expect(selectRuns(RUNS, limits, marked, NOW)).to.deep.equal({ due: due.map(run), skipped: skipped.map(run) });
    });
  }

  it('takes one whose age is a millisecond more, and none at it', () => {
    expect(selectRuns([stored(1, 7)], { maxAgeDays: 7, maxBytes: null }, FREE, NOW).due).to.deep.equal([]);
    expect(selectRuns([stored(1, 7)], { maxAgeDays: 7, maxBytes: null }, FREE, NOW + 1).due).to.deep.equal([run(1)]);
  });

  it('leaves no more bytes than asked for, where nothing holds it back, and takes no run that it need not', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { maxLength: 40 }), fc.nat(20_000), (sizes, maxBytes) => {
        const runs = sizes.map((bytes, nth) => stored(nth, sizes.length - nth, bytes));
        const { due } = selectRuns(runs, { maxAgeDays: null, maxBytes }, FREE, NOW);
        const left = (closed: number): number => sizes.slice(closed).reduce((sum, size) => sum + size, 0);
        expect(due).to.deep.equal(runs.slice(0, due.length).map(({ runRef }) => runRef));
        expect(left(due.length)).to.be.at.most(maxBytes);
        if (due.length > 0) expect(left(due.length - 1)).to.be.above(maxBytes);
      }),
    );
  });
});
