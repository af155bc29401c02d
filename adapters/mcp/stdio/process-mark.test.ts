import { expect } from 'chai';
import { isMarked, newProcessMark, type ProcessMark } from './process-mark.ts';

const limits = (soft: bigint | string, hard: bigint | string = soft): string =>
  `Limit                     Soft Limit           Hard Limit           Units\nMax file locks            ${soft}            ${hard}            locks\nMax nice priority         0                    0\n`;

describe('the mark of processes of a server (world.md §2.4)', () => {
  function markIn(around: bigint | 'unlimited'): ProcessMark {
    const mark = newProcessMark(around);
    if (mark === null) throw new Error('there is room for a mark');
    return mark;
  }

  it('is in the limits of a process, soft or hard, within its range alone', () => {
    const mark = markIn('unlimited');
    const { lowest, highest } = mark;
    for (const [at, isFound] of [
      [lowest - 1n, false],
      [lowest, true],
      [lowest + 1n, true],
      [highest - 1n, true],
      [highest, true],
      [highest + 1n, false],
    ] as const) {
      expect(isMarked(limits(at), mark), `${at - lowest}`).to.equal(isFound);
      expect(isMarked(limits(at, 'unlimited'), mark)).to.equal(isFound);
    }
    for (const text of ['', limits('unlimited'), limits(0n)]) expect(isMarked(text, mark)).to.equal(false);
  });

  it('is another one for each server', () => {
    const outer = markIn('unlimited').highest;
    for (const around of ['unlimited', outer] as const) {
      const marks = Array.from({ length: 100 }, () => markIn(around).highest);
      expect(new Set(marks).size).to.equal(100);
    }
  });

  it('lies within that of a process around it, which finds those of both', () => {
    for (let time = 0; time < 100; time += 1) {
      const outer = markIn('unlimited');
      const inner = markIn(outer.highest);
      const innermost = markIn(inner.highest);
      for (const within of [inner, innermost]) expect(isMarked(limits(within.highest), outer)).to.equal(true);
      expect(isMarked(limits(innermost.highest), inner)).to.equal(true);
      expect(isMarked(limits(outer.highest), inner)).to.equal(false);
      expect(isMarked(limits(inner.highest), innermost)).to.equal(false);
    }
  });

  it('is not there where the system has no such limit, or somebody set it', () => {
    expect(newProcessMark(null)).to.equal(null);
    expect(newProcessMark(1000n)).to.equal(null);
  });
});
