import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { endingOf } from './ending.ts';

const never = new Promise<never>(() => undefined);

/** Whether what was waited for is still there once the wait is over. */
const KEEPS = `
  import { endingOf } from ${JSON.stringify(join(import.meta.dirname, 'ending.ts'))};
  const ending = endingOf(new Promise(() => undefined));
  const value = async () => new WeakRef(await ending.race(Promise.resolve({ of: 'somebody' })));
  const known = await value();
  await new Promise((done) => { setImmediate(done); });
  gc();
  process.stdout.write(known.deref() === undefined ? 'gone' : 'kept');
`;

describe('an end that many wait for', () => {
  it('is told to whoever waits, and at once to whoever comes later', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const ending = endingOf(promise);
    const waiting = [ending.race(never), ending.watch().ended];
    expect(await ending.race(Promise.resolve(1))).to.equal(1);
    expect(await ending.race(Promise.reject(new Error('x'))).catch(() => 'threw')).to.equal('threw');
    resolve('over');
    expect(await Promise.all(waiting)).to.deep.equal(['over', 'over']);
    expect(await ending.race(never)).to.equal('over');
    expect(await ending.watch().ended).to.equal('over');
  });

  it('is not told to whoever left', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const ending = endingOf(promise);
    const { ended, leave } = ending.watch();
    const reported = Promise.race([
      ended,
      new Promise<null>((done) => {
        setImmediate(done, null);
      }),
    ]);
    leave();
    resolve('over');
    await ending.watch().ended;
    expect(await reported).to.equal(null);
  });

  it('keeps nothing of what was waited for', () => {
    expect(
      execFileSync(process.execPath, ['--no-warnings', '--expose-gc', '--input-type=module', '-e', KEEPS], {
        encoding: 'utf8',
      }),
    ).to.equal('gone');
  });
});
