import { expect } from 'chai';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import type { OpenDirectory } from '../../publication/file-system.ts';
import { nodeFileSystem } from '../../publication/node-file-system.ts';
import { encodeOwner, processOwnerProbe } from '../../publication/owner.ts';
import type { OwnerFacts, OwnerProbe } from '../../publication/owner.ts';
import { removeScratch, scratchDirectory } from '../../publication/testing/scratch.ts';
import { lockDirectory } from './lock.ts';

const NOW = 1_800_000_000_000;
const DEAD: OwnerFacts = { boot: 'b', namespace: 'n', pid: 7, started: 'dead' };
const owners: OwnerProbe = {
  ...processOwnerProbe(),
  isAlive: async ({ started }) => (started === DEAD.started ? 'dead' : 'alive'),
};

describe('the lock of an audit directory', () => {
  let root = '';
  let directory: OpenDirectory;
  beforeEach(async () => {
    root = await scratchDirectory();
    const opened = await nodeFileSystem().openDirectory(root);
    if (!opened.ok) throw new Error(opened.errno);
    directory = opened.value;
  });
  afterEach(async () => {
    await directory.close();
    await removeScratch(root);
  });

  const lock = async () => lockDirectory(directory, owners, () => NOW);
  const partOf = (number: number): string => `lock.${String(number).padStart(32, '0')}`;
  const leave = async (name: string, owner: OwnerFacts | null, ageMs = 0): Promise<void> => {
    await writeFile(`${root}/${name}`, owner === null ? '' : encodeOwner(owner, null));
    await utimes(`${root}/${name}`, (NOW - ageMs) / 1000, (NOW - ageMs) / 1000);
  };

  it('sweeps what killed processes left on the way to it, and nothing of living ones', async () => {
    await leave(partOf(1), DEAD);
    await leave(partOf(2), await owners.self(), 99_000_000);
    await leave(partOf(3), null);
    await leave(partOf(4), null, 700_000);
    await leave('lock.other', DEAD, 99_000_000);
    await leave('audit-1.jsonl', null, 99_000_000);
    const unlock = await lock();
    expect(await readdir(root)).to.have.members(['lock', partOf(2), partOf(3), 'lock.other', 'audit-1.jsonl']);
    expect(await unlock?.()).to.equal(true);
  });

  it("is one process's of several that start at once, beside parts of dead ones and over a dead lock", async () => {
    for (let number = 1; number <= 8; number += 1) await leave(partOf(number), DEAD);
    await leave('lock', DEAD);
    const locks = (await Promise.all(Array.from({ length: 6 }, lock))).filter((one) => one !== null);
    expect(locks).to.have.length(1);
    expect(await readdir(root)).to.deep.equal(['lock']);
    expect(await lock()).to.equal(null);
    expect(await locks[0]?.()).to.equal(true);
    expect(await readdir(root)).to.deep.equal([]);
  });
});
