import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import sinon from 'sinon';
import { watchMemory } from './memory-watch.ts';

describe('a host that watches its memory', () => {
  let clock: sinon.SinonFakeTimers;
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    clock.restore();
  });

  it('goes on at its limit, and ends beyond it at the next look', () => {
    let acquired = 99;
    let ends = 0;
    watchMemory(100, {
      usedBytes: () => acquired,
      end: () => {
        ends += 1;
      },
    });
    for (const now of [99, 100]) {
      acquired = now;
      clock.tick(1000);
      expect(ends).to.equal(0);
    }
    acquired = 101;
    clock.next();
    expect(ends).to.equal(1);
  });

  it('really ends as V8 does when it finds no memory, and only then', async () => {
    const module = JSON.stringify(join(import.meta.dirname, 'memory-watch.ts'));
    const run = async (allowed: number): Promise<NodeJS.Signals | null> => {
      const text = `import { watchMemory } from ${module}; watchMemory(process.memoryUsage.rss() + ${allowed}); const kept = [];
        const grow = () => { kept.push(Buffer.alloc(8e6, 1)); if (kept.length < 40) setTimeout(grow, 5);
          else process.exit(0); }; grow();`;
      const child = spawn(
        '/bin/sh',
        ['-c', 'ulimit -c 0; exec "$@"', 'sh', process.execPath, '--input-type=module', '--eval', text],
        { stdio: 'ignore' },
      );
      return new Promise((resolve) => {
        child.once('exit', (_, signal) => resolve(signal));
      });
    };
    expect(await run(100e6)).to.equal('SIGABRT');
    expect(await run(1e9)).to.equal(null);
  });
});
