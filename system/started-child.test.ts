import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { startedChild } from './started-child.ts';

const file = (name: string): string => JSON.stringify(join(import.meta.dirname, name));

describe('a child that may not come to be', () => {
  it('is given out where it began, and where it only says later that it did not', async () => {
    const child = startedChild(() => spawn(process.execPath, ['-e', ''], { stdio: 'ignore' }));
    expect(await once(child ?? process, 'exit')).to.deep.equal([0, null]);
    const absent = startedChild(() => spawn('/nonexistent/program', [], { stdio: 'ignore' }));
    expect(absent?.pid).to.equal(undefined);
  });

  it('is null where no descriptor is left, and nothing is thrown later', () => {
    const program = `
      import { spawn } from 'node:child_process';
      import { openSync } from 'node:fs';
      const { startedChild } = await import(${file('started-child.ts')});
      try { for (;;) openSync('/dev/null'); } catch {}
      const child = startedChild(() => spawn('/bin/sh', ['-c', ':'], { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] }));
      setImmediate(() => process.exit(child === null ? 7 : 8));
    `;
    const { status, stderr } = spawnSync(
      '/bin/sh',
      ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, '--no-warnings', '--input-type=module', '-e', program],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).to.deep.equal([7, '']);
  });

  it('throws what is a mistake of whoever starts it', () => {
    expect(() => startedChild(() => spawn('/bin/sh', ['\0']))).to.throw(TypeError);
  });
});
