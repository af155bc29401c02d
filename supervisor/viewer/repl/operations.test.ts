import { expect } from 'chai';
import { Operations, refused, type Done, type Lifecycle } from './operations.ts';

const DONE: Done = { ok: true, answer: new Map() };
const noBug = (error: unknown): void => {
  throw error;
};

describe('operations on the session of a viewer (evidence.md §11)', () => {
  it('are one at a time, and leave the lifecycle that follows', async () => {
    const operations = new Operations(noBug);
    const { promise, resolve } = Promise.withResolvers<Done>();
    const first = operations.alone(
      'evaluating',
      async () => promise,
      () => 'open',
    );
    expect([operations.lifecycle(), operations.revision()]).to.deep.equal(['evaluating', 1]);
    const second = operations.alone(
      'templating',
      async () => DONE,
      () => 'closed',
    );
    expect(await second).to.deep.equal(refused('operation_active'));
    resolve(DONE);
    expect(await first).to.equal(DONE);
    expect([operations.lifecycle(), operations.revision()]).to.deep.equal(['open', 2]);
  });

  it('keep the lifecycle that the work itself led to', async () => {
    const operations = new Operations(noBug);
    const work = async (): Promise<Done> => {
      operations.become('terminal');
      return DONE;
    };
    await operations.alone('evaluating', work, () => 'open');
    expect(operations.lifecycle()).to.equal('terminal');
  });

  it('that throw are reported, and are the end of the session', async () => {
    const bugs: unknown[] = [];
    const operations = new Operations((error) => {
      bugs.push(error);
    });
    const work = async (): Promise<Done> => {
      throw new Error('of the backend');
    };
    expect(await operations.alone('evaluating', work, () => 'open')).to.deep.equal(refused('adapter_failure'));
    expect([bugs.length, operations.lifecycle()]).to.deep.equal([1, 'backend_failed']);
  });

  const ends: readonly (readonly [Lifecycle, Done])[] = [
    ['terminal', refused('session_terminal')],
    ['terminal_unpersisted', refused('session_terminal')],
    ['closed', refused('session_closed')],
    ['persistence_failed', refused('session_closed')],
    ['backend_failed', refused('session_closed')],
  ];
  for (const [lifecycle, fault] of ends) {
    it(`are refused in a session that is ${lifecycle}, but for those that open another`, async () => {
      const operations = new Operations(noBug);
      operations.become(lifecycle);
      const requested: Parameters<Operations['alone']> = ['evaluating', async () => DONE, () => 'open'];
      expect(await operations.aloneWhileLiving(...requested)).to.deep.equal(fault);
      expect(operations.lifecycle()).to.equal(lifecycle);
      expect(await operations.alone(...requested)).to.equal(DONE);
    });
  }

  it('can be waited for', async () => {
    const operations = new Operations(noBug);
    const { promise, resolve } = Promise.withResolvers<Done>();
    const working = operations.alone(
      'evaluating',
      async () => promise,
      () => 'open',
    );
    const idle = operations.idle().then(() => operations.lifecycle());
    resolve(DONE);
    expect(await idle).to.equal('open');
    await working;
  });
});
