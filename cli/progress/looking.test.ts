import { expect } from 'chai';
import { reportLooking } from './looking.ts';
import { recordedStream } from './testing/recorded-stream.ts';

describe('the line of a look through runs', () => {
  function written(isTerminal: boolean, times: readonly number[], columns = 40): string {
    const stream = recordedStream({ isTerminal, columns });
    let time = 0;
    const report = reportLooking(
      () => stream,
      () => time,
    );
    for (const [index, at] of times.entries()) {
      time = at;
      report(256 * (index + 1), 20_000);
    }
    report(20_000, 20_000);
    return stream.text();
  }

  it('is there after one second, and not before', () => {
    expect(written(true, [1, 999])).to.equal('');
    expect(written(true, [1, 1000])).to.include('looking at runs: 512 of 20000');
  });

  it('is written twice a second at most, and cleared at the end', () => {
    const text = written(true, [1000, 1100, 1499, 1500]);
    expect(text.split('looking')).to.have.lengthOf(3);
    expect(text.endsWith(`\r${' '.repeat(39)}\r`)).to.equal(true);
  });

  it('is there at a terminal without a size', () => {
    expect(written(true, [1000], 0)).to.include('looking at runs: 256 of 20000');
  });

  it('is for terminals alone', () => {
    expect(written(false, [1000, 5000])).to.equal('');
  });
});
