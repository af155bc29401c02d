import { expect } from 'chai';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { encodeOwner, processOwnerProbe } from '../../evidence/publication/owner.ts';
import type { SweepTools } from '../../evidence/publication/sweep.ts';
import { afterDeath, contentsOf, removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import { sweepOwnTraces } from './own-traces.ts';

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;
const TRACE = 'run-analysis-0123456789abcdef.jsonl';
const STAGING = '.svc-private-0123456789ab';

function nameOf(number: number): string {
  return `svc-session-${String(number).padStart(12, '0')}`;
}

describe('directories of sessions that name none (cli.md §11)', () => {
  let root = '';
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(async () => removeScratch(root));

  /** A directory of a session as it was left: files, or a reservation of this process. */
  async function leave(
    name: string,
    {
      files = [],
      reserved = false,
      ageMs = 0,
    }: { readonly files?: readonly string[]; readonly reserved?: boolean; readonly ageMs?: number },
  ): Promise<void> {
    await mkdir(`${root}/${name}`, { mode: 0o700 });
    for (const file of files) await writeFile(`${root}/${name}/${file}`, '{}\n');
    if (reserved) {
      await mkdir(`${root}/${name}/${STAGING}`, { mode: 0o700 });
      await writeFile(`${root}/${name}/${STAGING}/owner`, encodeOwner(await processOwnerProbe().self(), null));
      await writeFile(`${root}/${name}/${STAGING}/content`, 'half');
    }
    const at = (NOW - ageMs) / 1000;
    await utimes(`${root}/${name}`, at, at);
  }

  async function sweep(owners: SweepTools['owners'] = processOwnerProbe()): Promise<readonly string[]> {
    const fileSystem = nodeFileSystem();
    const opened = await fileSystem.openDirectory(root);
    if (!opened.ok) throw new Error(opened.errno);
    await sweepOwnTraces({ fileSystem, owners, wallClock: () => NOW }, opened.value);
    await opened.value.close();
    return Object.keys(await contentsOf(root))
      .filter((path) => !path.includes('/'))
      .toSorted();
  }

  const ROWS: readonly (readonly [rule: string, left: Parameters<typeof leave>[1], isKept: boolean])[] = [
    ['keeps the trace that a session reported', { files: [TRACE] }, true],
    ['keeps it for a day', { files: [TRACE], ageMs: 23 * HOUR }, true],
    ['removes it after a day', { files: [TRACE], ageMs: 25 * HOUR }, false],
    ['keeps one that may be just beginning', {}, true],
    ['removes one that never began', { ageMs: HOUR }, false],
    ['keeps what is not its own', { files: ['mine.txt'], ageMs: 99 * HOUR }, true],
    ['keeps what has a file that is not its own', { files: [TRACE, 'mine.txt'], ageMs: 99 * HOUR }, true],
  ];
  for (const [rule, left, isStored] of ROWS) {
    it(rule, async () => {
      await leave(nameOf(1), left);
      expect(await sweep()).to.deep.equal(isStored ? [nameOf(1)] : []);
    });
  }

  it('never removes that of a session that lives, however old', async () => {
    await leave(nameOf(1), { reserved: true, ageMs: 99 * HOUR });
    expect(await sweep()).to.deep.equal([nameOf(1)]);
    expect(await contentsOf(root)).to.include({ [`${nameOf(1)}/${STAGING}/content`]: 'half' });
  });

  it('removes that of a session that was killed, at once', async () => {
    await leave(nameOf(1), { reserved: true });
    expect(await sweep(afterDeath())).to.deep.equal([]);
  });

  it('keeps the newest sixty-four', async () => {
    for (let number = 1; number <= 70; number += 1)
      await leave(nameOf(number), { files: [TRACE], ageMs: number * 1000 });
    const stored = await sweep();
    expect([stored.length, stored.at(0), stored.at(-1)]).to.deep.equal([64, nameOf(1), nameOf(64)]);
  });

  it('touches nothing of another name', async () => {
    for (const name of ['svc-session-x', 'other', 'svc-session-000000000001x']) await leave(name, { ageMs: 99 * HOUR });
    expect(await sweep(afterDeath())).to.have.length(3);
  });
});
