import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import { openLog, type GatewayLog } from './log.ts';

const NOW = '2030-01-02T03:04:05.006Z';

describe('the log of a gateway (gateway.md §13)', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await scratchDirectory();
  });
  afterEach(async () => removeScratch(directory));
  const path = (): string => join(directory, 'gateway.log');
  async function opened(bounds = { queued: 256, fileBytes: 1_000_000, files: 8 }): Promise<GatewayLog> {
    const log = await openLog(path(), () => NOW, bounds);
    if (log === null) throw new Error('it opens');
    return log;
  }
  const lines = (name = 'gateway.log'): readonly unknown[] =>
    readFileSync(join(directory, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  it('is one JSON object a line, of its owner alone, and goes on with what is there', async () => {
    for (const tools of [1, 2]) {
      const log = await opened();
      log.report('ready', { tools });
      await log.close();
    }
    expect(lines()).to.deep.equal([1, 2].map((tools) => ({ at: NOW, kind: 'ready', tools })));
    expect(statSync(path()).mode & 0o777).to.equal(0o600);
  });

  it('drops what nobody could write in time, and says how much', async () => {
    for (const [reported, dropped] of [
      [4, 0],
      [5, 1],
      [9, 5],
    ] as const) {
      const log = await opened({ queued: 4, fileBytes: 1_000_000, files: 8 });
      const before = lines().length;
      // The first is being written when the others come.
      for (let nth = 0; nth < reported; nth += 1) log.report('counters', { nth });
      await log.close();
      const written = lines().slice(before);
      const counts = written.filter((line) => Object(line).kind === 'dropped').map((line) => Object(line).count);
      expect(written.length - counts.length + counts.reduce((sum: number, count: number) => sum + count, 0)).to.equal(
        reported,
      );
      expect(counts.reduce((sum: number, count: number) => sum + count, 0)).to.be.at.most(dropped);
    }
  });

  it('parts no line, and keeps so many files', async () => {
    const size = Buffer.byteLength(`{"at":"${NOW}","kind":"ready","n":0}\n`);
    const log = await opened({ queued: 256, fileBytes: 2 * size, files: 3 });
    for (let n = 0; n < 9; n += 1) log.report('ready', { n });
    await log.close();
    expect(readdirSync(directory).toSorted()).to.deep.equal(['gateway.log', 'gateway.log.1', 'gateway.log.2']);
    expect(
      [lines('gateway.log.2'), lines('gateway.log.1'), lines()].flat().map((line) => Object(line).n),
    ).to.deep.equal([4, 5, 6, 7, 8]);
  });

  const OTHERS: Readonly<Record<string, () => void>> = {
    'others may read': () => {
      writeFileSync(path(), '');
      chmodSync(path(), 0o644);
    },
    'is a link': () => {
      writeFileSync(join(directory, 'real'), '', { mode: 0o600 });
      symlinkSync(join(directory, 'real'), path());
    },
    'has a second name': () => {
      writeFileSync(path(), '', { mode: 0o600 });
      linkSync(path(), join(directory, 'second'));
    },
    'is a folder': () => {
      mkdirSync(path());
    },
    'lies nowhere': () => undefined,
  };
  for (const [what, make] of Object.entries(OTHERS)) {
    it(`is no file that ${what}`, async () => {
      make();
      expect(
        await openLog(what === 'lies nowhere' ? join(directory, 'absent/gateway.log') : path(), () => NOW),
      ).to.equal(null);
      if (what === 'lies nowhere') expect(existsSync(join(directory, 'absent'))).to.equal(false);
    });
  }
});
