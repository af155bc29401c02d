import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { progressOf, type CallProgress } from './progress.ts';

describe('progress of a call (gateway.md §5)', () => {
  let clock: SinonFakeTimers;
  let messages: { readonly progress: number; readonly message: string }[];
  let progress: CallProgress;
  beforeEach(() => {
    clock = useFakeTimers();
    messages = [];
    progress = progressOf(
      't',
      (text) => {
        const {
          params: { progressToken, ...said },
        } = JSON.parse(text);
        expect(progressToken).to.equal('t');
        messages.push(said);
      },
      () => Date.now(),
    );
  });
  afterEach(() => {
    clock.restore();
  });

  const words = (): readonly string[] => messages.map(({ message }) => message);

  it('is of the phase, every ten seconds of silence and no sooner', () => {
    progress.begin();
    progress.onEvent('phase', { stage: 'mission' });
    expect(words()).to.deep.equal(['mission']);
    clock.tick(9999);
    expect(words()).to.deep.equal(['mission']);
    clock.tick(1);
    expect(words()).to.deep.equal(['mission', 'mission']);
    clock.tick(50_000);
    expect(messages).to.have.length(7);
    expect(messages.map(({ progress: count }) => count)).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
  });

  it('counts its silence from the last notification', () => {
    progress.begin();
    clock.tick(9999);
    progress.onEvent('capability', {});
    clock.tick(9999);
    expect(words()).to.deep.equal(['capability']);
    clock.tick(1);
    expect(words()).to.deep.equal(['capability', 'started']);
  });

  it('goes on in silence when a hundred events were told', () => {
    progress.begin();
    for (let nth = 0; nth < 101; nth += 1) {
      progress.onEvent('usage', {});
      clock.tick(1000);
    }
    expect(messages).to.have.length(100);
    clock.tick(10_000);
    expect(words().at(-1)).to.equal('started');
  });

  it('is three events at once, and then one a second', () => {
    progress.begin();
    for (let nth = 0; nth < 5; nth += 1) progress.onEvent('usage', {});
    expect(messages).to.have.length(3);
    clock.tick(999);
    progress.onEvent('usage', {});
    expect(messages).to.have.length(3);
    clock.tick(1);
    progress.onEvent('usage', {});
    expect(messages).to.have.length(4);
  });

  it('is none before the stream is open, and none after its end', () => {
    progress.onEvent('phase', { stage: 'mission' });
    clock.tick(10_000);
    expect(messages).to.deep.equal([]);
    progress.begin();
    clock.tick(10_000);
    expect(words()).to.deep.equal(['mission']);
    progress.end();
    clock.tick(100_000);
    expect(messages).to.have.length(1);
  });
});
