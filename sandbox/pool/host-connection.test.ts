import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { until } from '../testing/until.ts';
import { connectHost, type HostConnection } from './host-connection.ts';

const OPEN = { type: 'open', isolate: '1', environment: 'workflow', heapWords: 8 } as const;

/** Takes what is written and says nothing. */
function silentPipe(): Duplex {
  return new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
}

/** As a host does, whose events lead back to what it is asked by. */
function connected(pipe: Duplex): HostConnection {
  const remote: HostConnection = connectHost(pipe, {
    onOpened: () => void remote,
    admitsCall: () => false,
    answerCall: async () => '',
    onViolation: () => undefined,
  });
  return remote;
}

async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  void answer.finally(() => {
    isSettled = true;
  });
  for (let turns = 0; turns < 5; turns += 1) await turn();
  return isSettled;
}

describe('the connection to a host', () => {
  it('answers nothing once the pipe has closed, and throws nothing', async () => {
    const pipe = silentPipe();
    const remote = connected(pipe);
    const before = remote.ask(OPEN);
    pipe.destroy();
    await until('its end', () => (pipe.closed ? true : undefined));
    for (const answer of [
      before,
      remote.ask({ ...OPEN, isolate: '2' }),
      remote.ask({ type: 'request', isolate: '1', timeoutMs: 1, load: '', text: '', wantsHeap: false }),
      remote.ask({ type: 'heap_use', isolate: '1' }),
      remote.ask({ type: 'dispose', isolate: '1' }),
    ])
      expect(await isAnswered(answer)).to.equal(false);
  });

  it('leaves nothing of a host that has ended', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    // The isolates of other tests are not to have it.
    setFlagsFromString('--no-expose-gc');
    const closed = await (async (): Promise<WeakRef<Duplex>> => {
      const pipe = silentPipe();
      const remote = connected(pipe);
      void remote.ask(OPEN);
      pipe.destroy();
      await turn();
      return new WeakRef(pipe);
    })();
    await until('its end', async () => {
      await turn();
      collect();
      return closed.deref() === undefined ? true : undefined;
    });
  });
});
