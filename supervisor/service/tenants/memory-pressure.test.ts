import { expect } from 'chai';
import { watchMemoryPressure } from './memory-pressure.ts';

describe('a process without memory (gateway.md §18)', () => {
  /** What was done at each look, with so much used and so many waiting. */
  function looked(looks: readonly (readonly [used: number, waiting: number])[]): readonly string[] {
    const done: string[] = [];
    let [used, waiting] = [0, 0];
    const pressure = watchMemoryPressure({
      usedBytes: () => used,
      limitBytes: 100,
      places: {
        pause: () => {
          done.push('pause');
        },
        resume: () => {
          done.push('resume');
        },
        shed: (count) => {
          done.push(`shed ${count}`);
        },
        counts: () => ({ waiting, holding: 0 }),
      },
      endLargest: () => {
        done.push('end');
      },
    });
    for (const look of looks) {
      [used, waiting] = look;
      pressure.look();
      done.push(pressure.isPressed() ? '|' : '-');
    }
    pressure.stop();
    return done;
  }

  const CASES: readonly (readonly [
    what: string,
    looks: readonly (readonly [number, number])[],
    done: readonly string[],
  ])[] = [
    [
      'does nothing up to its bound',
      [
        [84, 9],
        [85, 9],
      ],
      ['-', '-'],
    ],
    [
      'takes nothing on beyond it, and sheds a quarter of those that wait',
      [
        [86, 9],
        [86, 6],
      ],
      ['pause', 'shed 3', '|', 'pause', 'shed 2', '|'],
    ],
    [
      'ends the largest host when nobody waits any more and it does not get better',
      [
        [86, 0],
        [86, 0],
        [86, 0],
      ],
      ['pause', '|', 'pause', 'end', '|', 'pause', 'end', '|'],
    ],
    [
      'goes on when there is memory again',
      [
        [86, 1],
        [85, 0],
        [85, 0],
      ],
      ['pause', 'shed 1', '|', 'resume', '-', '-'],
    ],
  ];
  for (const [what, looks, done] of CASES)
    it(what, () => {
      expect(looked(looks)).to.deep.equal(done);
    });
});
