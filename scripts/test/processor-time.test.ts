import { expect } from 'chai';
import { readProcessorMs } from './processor-time.ts';

describe('processor time of a process and its children', () => {
  it('is the sum of what the system counts', () => {
    const stat = '7 (a ) S (name) S 1 7 7 0 -1 4194560 100 0 0 0 3 2 900 95 20 0 11 0 1000';
    expect(readProcessorMs(() => stat)).to.equal(10_000);
  });

  it('is that of the process alone, where the system does not tell', () => {
    const fails = (): never => {
      throw new Error('no such file');
    };
    expect(readProcessorMs(fails)).to.be.greaterThan(0);
  });
});
