import { Readable } from 'node:stream';
import { expect } from 'chai';
import { readUpTo } from './read-stream.ts';

const never = new AbortController().signal;
const text = (read: Awaited<ReturnType<typeof readUpTo>>): string =>
  read.ok ? Buffer.from(read.bytes).toString() : read.fault;

describe('reading a stream', () => {
  it('to its end, whatever its pieces', async () => {
    expect(text(await readUpTo(Readable.from([]), 9, never))).to.equal('');
    expect(text(await readUpTo(Readable.from([Buffer.from('ab'), 'c', 'déf']), 99, never))).to.equal('abcdéf');
  });

  it('no further than the bound, and closes it', async () => {
    for (const [limit, expected] of [
      [5, 'abcde'],
      [6, 'abcdef'],
      [7, 'abcdef'],
    ] as const) {
      const stream = Readable.from(['abc', 'def']);
      expect(text(await readUpTo(stream, limit, never))).to.equal(expected);
      expect(stream.destroyed).to.equal(true);
    }
    let input = 0;
    const endless = new Readable({
      read() {
        input += 1;
        this.push('x'.repeat(1000));
      },
    });
    expect(text(await readUpTo(endless, 2500, never))).to.have.lengthOf(2500);
    expect(input).to.be.lessThan(100);
  });

  it('tells a broken one from one that nobody waits for any more', async () => {
    const broken = new Readable({
      read() {
        this.destroy(new Error('EIO'));
      },
    });
    expect(text(await readUpTo(broken, 9, never))).to.equal('unreadable');
    const stop = new AbortController();
    const silent = new Readable({
      read() {
        stop.abort();
      },
    });
    expect(text(await readUpTo(silent, 9, stop.signal))).to.equal('interrupted');
    expect(text(await readUpTo(Readable.from(['late']), 9, stop.signal))).to.equal('interrupted');
  });
});
