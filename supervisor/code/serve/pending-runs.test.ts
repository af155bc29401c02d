import { expect } from 'chai';
import { PendingRuns, type RunTimers } from './pending-runs.ts';

/** Timers that go off when they are told to. */
function manualTimers() {
  const due: { readonly milliseconds: number; readonly act: () => void }[] = [];
  const timers: RunTimers = {
    after: (milliseconds, act) => {
      const timer = { milliseconds, act };
      due.push(timer);
      return () => {
        const at = due.indexOf(timer);
        if (at !== -1) due.splice(at, 1);
      };
    },
  };
  const fire = (milliseconds: number): void => {
    for (const timer of due.filter((each) => each.milliseconds === milliseconds)) {
      due.splice(due.indexOf(timer), 1);
      timer.act();
    }
  };
  return { timers, fire };
}

const NEVER = new AbortController().signal;
const settle = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('runs of one session (code-mode.md §9, 38 and 39)', () => {
  it('one goes on, eight wait, the tenth is refused', async () => {
    const { timers } = manualTimers();
    const runs = new PendingRuns<number>(50_000, timers);
    const started: number[] = [];
    const ends = Array.from({ length: 9 }, () => Promise.withResolvers<number>());
    const answers = ends.map(async ({ promise }, index) =>
      runs.run(async () => {
        started.push(index);
        return promise;
      }, NEVER),
    );
    await settle();
    expect(started).to.deep.equal([0]);
    expect(await runs.run(async () => 0, NEVER)).to.deep.equal({ kind: 'busy' });
    for (const [index, { resolve }] of ends.entries()) resolve(index);
    expect(await Promise.all(answers)).to.deep.equal(ends.map((_, index) => ({ kind: 'ended', end: index })));
    expect(started).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(await runs.run(async () => 9, NEVER)).to.deep.equal({ kind: 'ended', end: 9 });
  });

  it('one that is slow goes on and is asked for again, twice, until its end was told', async () => {
    const { timers, fire } = manualTimers();
    const runs = new PendingRuns<number>(50_000, timers);
    const end = Promise.withResolvers<number>();
    const first = runs.run(async () => end.promise, NEVER);
    await settle();
    fire(50_000);
    expect(await first).to.deep.equal({ kind: 'running', id: 'c-1' });
    const second = runs.continue('c-1', NEVER);
    await settle();
    fire(50_000);
    expect(await second).to.deep.equal({ kind: 'running', id: 'c-1' });
    end.resolve(7);
    await settle();
    expect(await runs.continue('c-1', NEVER)).to.deep.equal({ kind: 'ended', end: 7 });
    expect(await runs.continue('c-1', NEVER)).to.deep.equal({ kind: 'unknown' });
  });

  it('one that nobody asks for is cancelled, and an end that nobody fetches is forgotten', async () => {
    const { timers, fire } = manualTimers();
    const runs = new PendingRuns<string>(50_000, timers);
    const untilStopped = async (signal: AbortSignal): Promise<string> =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve('cancelled');
        });
      });
    const first = runs.run(untilStopped, NEVER);
    await settle();
    fire(50_000);
    await first;
    fire(600_000);
    await settle();
    expect(await runs.run(async () => 'next', NEVER)).to.deep.equal({ kind: 'ended', end: 'next' });
    fire(900_000);
    expect(await runs.continue('c-1', NEVER)).to.deep.equal({ kind: 'unknown' });
  });

  it('one whose client is gone is cancelled', async () => {
    const { timers } = manualTimers();
    const runs = new PendingRuns<boolean>(50_000, timers);
    const closed = new AbortController();
    const answer = runs.run(
      async (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve(signal.aborted);
          });
        }),
      closed.signal,
    );
    await settle();
    closed.abort();
    expect(await answer).to.deep.equal({ kind: 'ended', end: true });
    await runs.close();
  });
});
