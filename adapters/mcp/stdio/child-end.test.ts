import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { ChildEnd } from './child-end.ts';
import type { ChildExit } from './guarded-child.ts';

function child(): {
  readonly stderr: PassThrough;
  readonly exited: Promise<ChildExit>;
  readonly exit: (how: ChildExit) => void;
} {
  const { promise: exited, resolve: exit } = Promise.withResolvers<ChildExit>();
  return { stderr: new PassThrough(), exited, exit };
}
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('the last words of a server over standard streams', () => {
  it('are what it wrote so far, while it goes on', async () => {
    const { stderr, exited } = child();
    const end = new ChildEnd({ stderr, exited }, () => undefined);
    stderr.write('Listening');
    await turn();
    expect(await end.lastWords(false)).to.deep.equal({
      end: null,
      stderr: { text: 'Listening', isTruncated: false },
    });
  });

  for (const [how, end] of [
    [{ code: 3, signal: null }, 'it exited with status 3'],
    [{ code: null, signal: 'SIGKILL' }, 'it was ended by SIGKILL'],
  ] as const) {
    it(`are waited for where it is over: ${end}`, async () => {
      const { stderr, exited, exit } = child();
      const words = new ChildEnd({ stderr, exited }, () => undefined).lastWords(true);
      exit(how);
      stderr.end('no such file');
      expect(await words).to.deep.equal({ end, stderr: { text: 'no such file', isTruncated: false } });
    });
  }

  it('are not waited for without end where a process that it started holds its output', async () => {
    const { stderr, exited, exit } = child();
    const closed = Promise.withResolvers<void>();
    const end = new ChildEnd({ stderr, exited }, () => closed.resolve());
    exit({ code: 0, signal: null });
    stderr.write('held');
    // What waits for it keeps no process alive.
    const alive = setInterval(() => undefined, 1000);
    await closed.promise;
    expect(await end.lastWords(true)).to.deep.equal({
      end: 'it exited with status 0',
      stderr: { text: 'held', isTruncated: false },
    });
    clearInterval(alive);
  });
});
