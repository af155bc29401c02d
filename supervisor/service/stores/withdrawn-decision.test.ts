import { expect } from 'chai';
import {
  makeDiskDirectory,
  memoryFileSystem,
  newMemoryDisk,
  type MemoryDisk,
} from '../../evidence/publication/testing/memory-file-system.ts';
import type { ApprovalStore } from './approval-store.ts';
import { fileApprovals } from './file-approvals.ts';
import { ALLOW, ONE, question, START } from './testing/approval-contract.ts';

/** More than the calls of a file system that a decision takes. */
const DECIDING_CALLS = 100;

describe('a decision whose publication fails after it has its name (approvals.md §7)', () => {
  it('is seen by nobody unless it stays, wherever a reader is and whatever call fails', async () => {
    const reads = await countReads();
    let stored = 0;
    let withdrawn = 0;
    for (let acquired = 1; acquired <= reads; acquired += 1)
      for (let failing = 1; failing <= DECIDING_CALLS; failing += 1) {
        const tried = await readBesideDecision(acquired, failing);
        if (tried.isStored) stored += 1;
        else if (tried.hadName) withdrawn += 1;
        expect(tried.isStored || !tried.isSeen, `reader held at call ${acquired}, call ${failing} failed`).to.equal(
          true,
        );
      }
    // Both come up, each with a reader at each of its calls.
    expect(stored).to.be.greaterThan(reads);
    expect(withdrawn).to.be.greaterThan(reads);
  });
});

interface Shared {
  readonly disk: MemoryDisk;
  /** The store as a process has it. `step` comes before each of its calls. */
  readonly open: (step: () => Promise<string | null>) => ApprovalStore;
}

/** A directory with one open question. */
async function share(): Promise<Shared> {
  const disk = newMemoryDisk();
  makeDiskDirectory(disk, 'store');
  const open: Shared['open'] = (step) =>
    fileApprovals(
      {
        fileSystem: memoryFileSystem(disk, step),
        owners: {
          self: async () => ({ boot: 'b', namespace: 'n', pid: 1, started: '1' }),
          isAlive: async () => 'alive',
        },
        wallClock: () => START,
      },
      '/store',
      { now: () => START },
    );
  await open(async () => null).put(question('1'));
  return { disk, open };
}

function hasName({ root }: MemoryDisk): boolean {
  const folder = root.children?.get('store')?.children?.get('approvals');
  return folder?.children?.has(`${ONE}.decision.json`) ?? false;
}

/** How many calls of a file system a reader of an open question makes. */
async function countReads(): Promise<number> {
  const { open } = await share();
  let calls = 0;
  const count = async (): Promise<null> => {
    calls += 1;
    return null;
  };
  await open(count).get(ONE);
  return calls;
}

/** A reader is held before one of its calls until a decision has its name; then it goes on before the decider does. */
async function readBesideDecision(
  acquired: number,
  failing: number,
): Promise<{ isSeen: boolean; isStored: boolean; hadName: boolean }> {
  const { disk, open } = await share();
  const named = Promise.withResolvers<null>();
  let hadName = false;
  let reads = 0;
  const reading = open(() => {
    reads += 1;
    return reads < acquired ? Promise.resolve(null) : named.promise;
  }).get(ONE);
  let calls = 0;
  const decider = open(async () => {
    calls += 1;
    hadName ||= hasName(disk);
    if (hadName) named.resolve(null);
    await new Promise(setImmediate);
    return calls === failing ? 'EIO' : null;
  });
  await decider.decide(ONE, null, ALLOW).catch(() => null);
  named.resolve(null);
  const seen = await reading;
  const isSaved = hasName(disk);
  return { isSeen: seen !== null && seen.decision !== null, isStored: isSaved, hadName };
}
