import { expect } from 'chai';
import { FifoTurns } from './fifo-turns.ts';

const settled = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/** Asks for turns by name, and notes who gets one, or leaves. */
function asking(turns: FifoTurns): {
  readonly got: string[];
  readonly ask: (name: string, signal?: AbortSignal) => void;
} {
  const got: string[] = [];
  const ask = (name: string, signal?: AbortSignal): void =>
    void turns.take(signal).then((hasTurn) => got.push(hasTurn ? name : `${name} left`));
  return { got, ask };
}

describe('turns in the order in which they were asked for', () => {
  it('are so many at once, and each that is given back goes to who waits longest', async () => {
    const turns = new FifoTurns(2);
    const { got, ask } = asking(turns);
    for (const name of ['a', 'b', 'c', 'd']) ask(name);
    await settled();
    expect(got).to.deep.equal(['a', 'b']);
    turns.give();
    await settled();
    expect(got).to.deep.equal(['a', 'b', 'c']);
    turns.give();
    turns.give();
    ask('e');
    await settled();
    expect(got).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
  });

  it('are not for those who left before, in whatever place', async () => {
    const turns = new FifoTurns(1);
    const { got, ask } = asking(turns);
    const leaving = new AbortController();
    ask('a');
    ask('b', leaving.signal);
    ask('c');
    leaving.abort();
    turns.give();
    await settled();
    expect(got).to.deep.equal(['a', 'b left', 'c']);
  });

  it('are not for those who left before they asked, though one is free', async () => {
    const turns = new FifoTurns(1);
    const { got, ask } = asking(turns);
    ask('a', AbortSignal.abort());
    ask('b');
    await settled();
    expect(got).to.deep.equal(['a left', 'b']);
  });

  it('stay with those who got one, whatever becomes of their signal', async () => {
    const turns = new FifoTurns(1);
    const { got, ask } = asking(turns);
    const leaving = new AbortController();
    ask('a');
    ask('b', leaving.signal);
    ask('c');
    turns.give();
    await settled();
    leaving.abort();
    await settled();
    expect(got).to.deep.equal(['a', 'b']);
    turns.give();
    await settled();
    expect(got).to.deep.equal(['a', 'b', 'c']);
  });

  it('are lent while nothing is done with them, and then had again at once, beyond their number', async () => {
    const turns = new FifoTurns(1);
    const { got, ask } = asking(turns);
    const waiting = Promise.withResolvers<string>();
    ask('a');
    await settled();
    const without = turns.without(() => waiting.promise);
    ask('b');
    ask('c');
    await settled();
    expect(got).to.deep.equal(['a', 'b']);
    waiting.resolve('done');
    expect(await without).to.equal('done');
    // Two go on now: one of them gives a turn that there is not.
    turns.give();
    await settled();
    expect(got).to.deep.equal(['a', 'b']);
    turns.give();
    await settled();
    expect(got).to.deep.equal(['a', 'b', 'c']);
  });

  it('are had again where the wait fails', async () => {
    const turns = new FifoTurns(1);
    const { got, ask } = asking(turns);
    ask('a');
    const failing = await turns.without(() => Promise.reject(new Error('no'))).catch((error: unknown) => error);
    expect(failing).to.be.an('error');
    ask('b');
    await settled();
    expect(got).to.deep.equal(['a']);
  });
});
