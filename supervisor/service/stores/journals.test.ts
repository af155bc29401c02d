import { expect } from 'chai';
import { randomFillSync } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { newRunReference } from '../../../contract/run-reference.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { processOwnerProbe } from '../../evidence/publication/owner.ts';
import { removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
import { fileJournal } from './file-journal.ts';
import { createMemoryJournal } from './memory-journal.ts';
import { holdsJournalContract } from './testing/journal-contract.ts';

const tools = { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now };

describe('the record of runs in memory', () => {
  holdsJournalContract(async () => createMemoryJournal());
});

describe('the record of runs as files', () => {
  let root: string;
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(async () => removeScratch(root));

  holdsJournalContract(async () => fileJournal(tools, root));

  it('keeps one file of a run, whoever asks', async () => {
    const runRef = newRunReference(randomFillSync);
    const [first, second] = [fileJournal(tools, root), fileJournal(tools, root)];
    await first.create({ runRef, tenant: 'acme', requestHash: 'a' });
    for (let epoch = 0; epoch < 3; epoch += 1) {
      const journals = [first, second, first, second];
      const claims = await Promise.all(
        journals.map((journal) =>
          journal.cas(runRef, epoch, { state: 'accepted', effect: 'none' }, { state: 'claimed', effect: 'none' }),
        ),
      );
      expect(claims.filter(Boolean)).to.have.length(1);
      await second.cas(runRef, epoch + 1, { state: 'claimed', effect: 'none' }, { state: 'accepted', effect: 'none' });
    }
    expect(await first.get(runRef)).to.include({ state: 'accepted', epoch: 3 });
    expect(await readdir(`${root}/${runRef}`)).to.deep.equal(['v000007']);
  });
});
