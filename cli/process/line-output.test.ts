import { expect } from 'chai';
import { PassThrough, Writable } from 'node:stream';
import { openLineOutput } from './line-output.ts';

describe('lines for a reader', () => {
  it('come in the order in which they were sent, and are all there when it has settled', async () => {
    const stream = new PassThrough();
    const output = openLineOutput(stream);
    for (const line of ['one', 'two']) output.send(line);
    expect(await output.settle()).to.equal('written');
    expect(String(stream.read())).to.equal('one\ntwo\n');
  });

  it('go nowhere once it has closed its end, or cannot be written to', async () => {
    for (const [code, outcome] of [
      ['EPIPE', 'pipe-closed'],
      ['ENOSPC', 'failed'],
    ] as const) {
      const stream = new Writable({
        write: (_chunk, _encoding, done) => {
          done(Object.assign(new Error(code), { code }));
        },
      });
      const output = openLineOutput(stream);
      const closed = new Promise((resolve) => {
        output.closed.addEventListener('abort', resolve);
      });
      output.send('one');
      await closed;
      output.send('two');
      expect(await output.settle()).to.equal(outcome);
    }
  });

  it('are no more than it may leave unread', () => {
    const output = openLineOutput(new Writable({ write: () => undefined }));
    const line = 'x'.repeat(16_777_216);
    for (let count = 0; count < 4; count += 1) output.send(line);
    expect(output.closed.aborted).to.equal(false);
    for (let count = 0; count < 2; count += 1) output.send(line);
    expect(output.closed.aborted).to.equal(true);
  });
});
