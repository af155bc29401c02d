import { Writable } from 'node:stream';
import { expect } from 'chai';
import { OutgoingLines } from './outgoing-lines.ts';

/** A stream that takes a line when the test says so. */
function stepwise(): {
  readonly lines: OutgoingLines;
  readonly said: string[];
  readonly faults: string[];
  readonly take: (error?: Error) => void;
} {
  const said: string[] = [];
  const faults: string[] = [];
  let used: ((error?: Error) => void) | null = null;
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      said.push(chunk.toString());
      used = done;
    },
  });
  stream.on('error', () => undefined);
  const lines = new OutgoingLines(stream, () => void faults.push('fault'));
  return { lines, said, faults, take: (error) => used?.(error) };
}
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('lines to a server', () => {
  it('are written one after the other, each once the one before was taken', async () => {
    const { lines, said, take } = stepwise();
    const [first, second] = [lines.add('request', 'a'), lines.add('request', 'b')];
    expect([first.state, second.state, said]).to.deep.equal(['writing', 'waiting', ['a\n']]);
    take();
    await turn();
    expect([first.state, second.state, said]).to.deep.equal(['written', 'writing', ['a\n', 'b\n']]);
  });

  it('are taken back while they wait, and no later', async () => {
    const { lines, said, take } = stepwise();
    const [first, second] = [lines.add('request', 'a'), lines.add('request', 'b')];
    lines.withdraw(first);
    lines.withdraw(second);
    take();
    await turn();
    expect([first.state, second.state, said]).to.deep.equal(['written', 'waiting', ['a\n']]);
  });

  it('are counted while they wait where they are messages', () => {
    const { lines } = stepwise();
    lines.add('message', 'a');
    lines.add('request', 'b');
    lines.add('message', 'c');
    expect(lines.waitingMessages).to.equal(1);
  });

  it('are not written once that was stopped, or where the stream failed', async () => {
    const { lines, said, faults, take } = stepwise();
    lines.add('request', 'a');
    lines.add('request', 'b');
    lines.stop();
    take();
    await turn();
    lines.add('request', 'c');
    expect([said, faults]).to.deep.equal([['a\n'], []]);

    const failing = stepwise();
    failing.lines.add('request', 'a');
    failing.lines.add('request', 'b');
    failing.take(new Error('gone'));
    await turn();
    expect([failing.said, failing.faults]).to.deep.equal([['a\n'], ['fault']]);
  });
});
