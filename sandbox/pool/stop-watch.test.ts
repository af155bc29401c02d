import { expect } from 'chai';
import { isStopped, stopWatch } from './stop-watch.ts';

describe('a host that somebody stopped', () => {
  const looks = (...states: readonly (readonly [owesAnswer: boolean, isStopped: boolean])[]): readonly boolean[] => {
    const noted = stopWatch();
    return states.map(([owesAnswer, stopped]) => noted({ owesAnswer, isStopped: stopped }));
  };

  it('is given up at the third look in a row that finds it so', () => {
    expect(looks([true, true], [true, true], [true, true])).to.deep.equal([false, false, true]);
  });

  it('is not given up where somebody let it go on, or nobody waits for it', () => {
    expect(looks([true, true], [true, true], [true, false], [true, true], [true, true])).to.not.include(true);
    expect(looks([false, true], [false, true], [false, true], [true, true], [true, true])).to.not.include(true);
  });

  const states: Readonly<Record<string, boolean>> = {
    T: true,
    // Runnable, asleep, waiting for a disk, held by a debugger, dead: busy machines have many of the first three.
    R: false,
    S: false,
    D: false,
    t: false,
    Z: false,
  };
  for (const [state, expected] of Object.entries(states)) {
    it(`${expected ? 'is' : 'is not'} one in the state ${state}`, () => {
      const read = (path: string): string => {
        expect(path).to.equal('/proc/7/stat');
        return `7 (a ) T (name) ${state} 1 7 7 0 -1 4194560 100`;
      };
      expect(isStopped(7, read, () => [])).to.equal(expected);
    });
  }

  it('is found below what started it', () => {
    const read = (path: string): string => `1 (node) ${path === '/proc/9/stat' ? 'T' : 'S'} 1 1`;
    const children = (pid: number): readonly number[] => (pid < 9 ? [pid + 1] : []);
    expect(isStopped(7, read, children)).to.equal(true);
    expect(isStopped(7, read, (pid) => (pid < 8 ? [pid + 1] : []))).to.equal(false);
  });

  it('is none where the system does not tell', () => {
    expect(
      isStopped(
        7,
        () => {
          throw new Error('no such file');
        },
        () => [],
      ),
    ).to.equal(false);
    expect(isStopped(undefined)).to.equal(false);
  });
});
