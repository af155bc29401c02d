import { once } from 'node:events';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { hostLimits } from './host-limits.ts';
import { startHostProcess } from './host-process.ts';

describe('the process of a host', () => {
  let folder = '';
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-host-')));
    // A host that says on its pipe what it was started with.
    await writeFile(
      join(folder, 'host.cjs'),
      "const { writeSync } = require('node:fs'); writeSync(3, JSON.stringify(process.argv.slice(2))); process.exit(0);\n",
    );
  });
  after(() => rm(folder, { recursive: true }));

  for (const platform of ['linux', 'darwin'] as const) {
    it(`is told on ${platform} what it has to watch itself`, async () => {
      const options = {
        hostScript: join(folder, 'host.cjs'),
        guestImage: join(folder, 'image'),
        readableFolders: [folder],
        isolatesPerHost: 2,
        platform,
      };
      const host = startHostProcess(options, { environment: 'mission', heapWords: 7 }, () => undefined);
      let text = '';
      host.pipe.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      await Promise.all([once(host.pipe, 'close'), host.exited]);
      expect(await host.exited).to.deep.equal({ code: 0, signal: null });
      const watched = hostLimits(2, platform).residentKilobytes;
      expect(JSON.parse(text)).to.include(watched === null ? 'none' : String(watched));
    });
  }

  it('leaves nothing behind when what stood between is killed before it was set up', async () => {
    const script = join(folder, 'waits.cjs');
    // As bubblewrap does, it ends the host with itself only later.
    await writeFile(script, "setInterval(() => undefined, 1000); require('node:fs').writeSync(3, 'ready');\n");
    const host = startHostProcess(
      {
        hostScript: script,
        guestImage: join(folder, 'image'),
        readableFolders: [folder],
        isolatesPerHost: 2,
        confinement: {
          means: 'process',
          layers: [],
          isBetween: true,
          words: () => ['/bin/sh', '-c', '"$@" <&3 & wait', 'sh'],
        },
      },
      { environment: 'mission', heapWords: 7 },
      () => undefined,
    );
    const { pid } = host;
    if (pid === undefined) throw new Error('it starts');
    await once(host.pipe, 'data');
    process.kill(pid, 'SIGKILL');
    expect(await host.exited).to.deep.equal({ code: null, signal: 'SIGKILL' });
    await Promise.all([host.stderrEnded, once(host.pipe, 'close')]);
  });
});
