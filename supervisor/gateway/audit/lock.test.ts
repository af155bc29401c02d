import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import {
  fileFailure,
  fileSuccess,
  type FileResult,
  type OpenDirectory,
} from '../../evidence/publication/file-system.ts';
import { nodeFileSystem } from '../../evidence/publication/node-file-system.ts';
import { encodeOwner, processOwnerProbe, type OwnerFacts, type OwnerProbe } from '../../evidence/publication/owner.ts';
import { removeScratch, scratchDirectory } from '../../evidence/publication/testing/scratch.ts';
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

/** A directory in memory, of which each call waits until its process may go one step further. */
class SteppedDirectory {
  readonly #files: Map<string, { readonly identity: string; readonly bytes: Uint8Array }>;
  #made = 0;
  constructor(left: Readonly<Record<string, OwnerFacts>>) {
    this.#files = new Map(
      Object.entries(left).map(([name, owner]) => [name, { identity: name, bytes: encodeOwner(owner, null) }]),
    );
  }

  names(): readonly string[] {
    return [...this.#files.keys()];
  }

  /** As one process sees it; `step` is awaited before each call. */
  seenBy(step: () => Promise<void>): OpenDirectory {
    const files = this.#files;
    const missing = fileFailure('ENOENT');
    const put = (name: string, identity: string, bytes: Uint8Array): FileResult<null> => {
      files.set(name, { identity, bytes });
      return fileSuccess(null);
    };
    const seen: Pick<
      OpenDirectory,
      'createFile' | 'readFile' | 'link' | 'rename' | 'removeFile' | 'entry' | 'names' | 'sync'
    > = {
      createFile: async (name) => {
        await step();
        const identity = `made ${++this.#made}`;
        put(name, identity, new Uint8Array());
        return fileSuccess({
          status: async () => missing,
          write: async (bytes) => put(name, identity, bytes),
          read: async () => missing,
          overwrite: async () => missing,
          sync: async () => fileSuccess(null),
          close: async () => undefined,
        });
      },
      readFile: async (name) => {
        await step();
        const file = files.get(name);
        return file === undefined ? missing : fileSuccess(file.bytes);
      },
      link: async (_, from, name) => {
        await step();
        const file = files.get(from);
        if (file === undefined) return missing;
        return files.has(name) ? fileFailure('EEXIST') : put(name, file.identity, file.bytes);
      },
      rename: async (_, from, name) => {
        await step();
        const file = files.get(from);
        if (file === undefined) return missing;
        files.delete(from);
        return put(name, file.identity, file.bytes);
      },
      removeFile: async (name) => {
        await step();
        return files.delete(name) ? fileSuccess(null) : missing;
      },
      entry: async (name) => {
        await step();
        const file = files.get(name);
        if (file === undefined) return missing;
        return fileSuccess({
          kind: 'file',
          identity: file.identity,
          owner: 0,
          group: 0,
          mode: 0o600,
          size: file.bytes.length,
          links: 1,
          modifiedAt: NOW,
        });
      },
      names: async () => {
        await step();
        return fileSuccess(this.names());
      },
      sync: async () => fileSuccess(null),
    };
    const unused = async (): Promise<never> => {
      throw new Error('a lock has no use for it');
    };
    return {
      ...seen,
      reference: () => '',
      status: unused,
      isWritable: unused,
      openDirectory: unused,
      makeDirectory: unused,
      digestFile: unused,
      removeDirectory: unused,
      close: unused,
    };
  }
}

/** Begins something that stops before each step, and goes on one step at a time. */
function stepwise<T>(begin: (step: () => Promise<void>) => Promise<T>) {
  let goOn: (() => void) | null = null;
  let pause = Promise.withResolvers<void>();
  let result: { readonly value: T } | null = null;
  const stopped = (): void => pause.resolve();
  const run = async (): Promise<void> => {
    const value = await begin(async () => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
        stopped();
      });
    });
    result = { value };
    stopped();
  };
  void run();
  return {
    result: () => result,
    /** So many steps, or until its end; how many it took. */
    async go(steps: number): Promise<number> {
      for (let done = 0; done < steps; done += 1) {
        await pause.promise;
        if (result !== null) return done;
        pause = Promise.withResolvers();
        goOn?.();
      }
      await pause.promise;
      return steps;
    },
  };
}

describe('two processes that start at once', () => {
  const started = (name: string): OwnerFacts => ({ ...DEAD, started: name });
  const digestOf = (owner: OwnerFacts): string =>
    createHash('sha256').update(encodeOwner(owner, null)).digest('hex').slice(0, 32);
  const after = (owner: OwnerFacts): string => `lock.after.${digestOf(owner)}`;
  const [DIED_TAKING, DIED_NEXT] = [started('dead too'), started('dead as well')];
  const among: OwnerProbe = {
    self: async () => started('alive'),
    isAlive: async (owner) => (owner.started.startsWith('dead') ? 'dead' : 'alive'),
  };

  for (const [title, left] of [
    ['in a free directory', {}],
    ['over a dead lock', { lock: DEAD }],
    ['over one that others died over', { lock: DEAD, [after(DEAD)]: DIED_TAKING, [after(DIED_TAKING)]: DIED_NEXT }],
    ['over what an earlier version left', { lock: DEAD, 'lock.taking': DIED_TAKING }],
  ] as const) {
    it(`never both have the lock ${title}, wherever each of them is interrupted`, async () => {
      let length = 1;
      for (let first = 0; first <= length; first += 1) {
        for (let second = 0; second <= length; second += 1) {
          for (let third = 0; third <= length; third += 1) {
            const directory = new SteppedDirectory(left);
            const [one, other] = ['alive one', 'alive other'].map((name) =>
              stepwise((step) =>
                lockDirectory(directory.seenBy(step), { ...among, self: async () => started(name) }, () => NOW),
              ),
            );
            if (one === undefined || other === undefined) throw new Error('there are two');
            const before = await one.go(first);
            await other.go(second);
            const between = await one.go(third);
            await other.go(Infinity);
            length = Math.max(length, before + between + (await one.go(Infinity)));
            const acquired = [one, other].filter((each) => (each.result()?.value ?? null) !== null);
            const when = `interrupted after ${first}, ${second} and ${third}`;
            expect(acquired.length, when).to.equal(1);
            expect(directory.names(), when).to.deep.equal(['lock']);
          }
        }
      }
    });
  }
});
