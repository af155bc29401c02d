import { expect } from 'chai';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { taskPool, type TaskPool } from './task-pool.ts';
import type { TestTask } from './testing/job.ts';
import { workerBudget } from './worker-budget.ts';

describe('workers of one kind (providers.md §14)', () => {
  let pool: TaskPool<TestTask, number>;
  beforeEach(() => {
    pool = taskPool({ file: join(import.meta.dirname, 'testing/job.ts'), heapWords: 1, threads: 1 });
  });
  afterEach(async () => pool.close());

  const never = new AbortController().signal;
  async function thread(): Promise<number> {
    const end = await pool.run('thread', never);
    if (end.kind !== 'done') throw new Error(end.kind);
    return end.value;
  }

  it('do one task after the other, and outlive one that throws', async () => {
    const first = await thread();
    expect(await pool.run('wrong', never)).to.have.property('kind', 'threw');
    expect(await thread()).to.equal(first);
  });

  it('begin nothing that was given up before', async () => {
    const first = await thread();
    expect(await pool.run('endless', AbortSignal.abort())).to.deep.equal({ kind: 'cancelled' });
    const stop = new AbortController();
    const input = pool.run('thread', stop.signal);
    stop.abort();
    expect(await input).to.deep.equal({ kind: 'cancelled' });
    expect(await thread(), 'the worker is the same').to.equal(first);
  });

  it('are ended over what does not come to its end, and replaced', async () => {
    const first = await thread();
    const stop = new AbortController();
    const input = pool.run('endless', stop.signal);
    const next = thread();
    await pause(20);
    stop.abort();
    expect(await input).to.deep.equal({ kind: 'cancelled' });
    expect(await next).not.to.equal(first);
  });

  it('are ended over more memory than they have, alone: who waits behind them has another', async () => {
    const first = await thread();
    const [eaten, next, another] = await Promise.all([pool.run('memory', never), thread(), thread()]);
    expect(eaten).to.deep.equal({ kind: 'heap_exceeded' });
    expect(next).not.to.equal(first);
    expect(another).to.equal(next);
  });

  it('beyond the budget of all pools end where nobody uses them, and are started anew', async () => {
    const budget = workerBudget(1);
    const [one, other] = ['a', 'b'].map(() =>
      taskPool<TestTask, number>({
        file: join(import.meta.dirname, 'testing/job.ts'),
        heapWords: 1,
        threads: 1,
        budget,
      }),
    );
    if (one === undefined || other === undefined) throw new Error('there are two');
    const threadOf = async (of: TaskPool<TestTask, number>): Promise<number> => {
      const end = await of.run('thread', never);
      if (end.kind !== 'done') throw new Error(end.kind);
      return end.value;
    };
    const first = await threadOf(one);
    expect(await threadOf(one)).to.equal(first);
    const theirs = await threadOf(other);
    expect(await threadOf(other)).to.equal(theirs);
    expect(await threadOf(one)).not.to.equal(first);
    await Promise.all([one.close(), other.close()]);
  });

  it('are left by who gives up before its turn, and begin nothing once they are closed', async () => {
    const [stop, leaving] = [new AbortController(), new AbortController()];
    const endless = pool.run('endless', stop.signal);
    const left = pool.run('endless', leaving.signal);
    const waiting = pool.run('thread', never);
    leaving.abort();
    expect(await left).to.deep.equal({ kind: 'cancelled' });
    await pool.close();
    expect([(await endless).kind, (await waiting).kind]).to.deep.equal(['threw', 'lost']);
  });
});
