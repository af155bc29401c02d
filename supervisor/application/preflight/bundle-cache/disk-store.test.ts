import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { nodeFileSystem } from '../../../evidence/publication/node-file-system.ts';
import { Crash, faultyFileSystem } from '../../../evidence/publication/testing/faulty-file-system.ts';
import { removeScratch, scratchDirectory } from '../../../evidence/publication/testing/scratch.ts';
import type { BundleName, BundleStore, CompiledReply } from '../bundle-store.ts';
import { diskBundleStore, type DiskStoreOptions } from './disk-store.ts';
import { encodeEntry, MAX_ENTRY_BYTES } from './entry.ts';
import type { Compiler } from './guest-image.ts';

const COMPILER: Compiler = { identity: async () => 'c'.repeat(64), isUnchanged: () => true };

function bundle(index: number): BundleName {
  return { environment: 'workflow', hash: index.toString(16).padStart(64, '0') };
}

function reply(code = 'code'): CompiledReply {
  return { status: 'compiled', code, exports: [] };
}

describe('the bundle cache on disk', () => {
  let base = '';
  const folder = (): string => join(base, 'svc/bundles');
  const entries = (): readonly string[] => readdirSync(folder());

  beforeEach(async () => {
    base = await scratchDirectory();
  });
  afterEach(async () => {
    await removeScratch(base);
  });

  function store(changes: Partial<DiskStoreOptions> = {}, place = base): BundleStore {
    return diskBundleStore({ place: { fileSystem: nodeFileSystem(), base: place }, compiler: COMPILER, ...changes });
  }

  /** Path of the one entry, which a first command kept. */
  async function storeOne(): Promise<string> {
    await store().keep(bundle(1), reply());
    const [only] = entries();
    return join(folder(), only ?? '');
  }

  it('gives the next command what the first one kept, and nothing else', async () => {
    expect(await store().find(bundle(1))).to.equal(null);
    await storeOne();
    expect(await store().find(bundle(1))).to.deep.equal(reply());
    expect(await store().find(bundle(2))).to.equal(null);
    expect(await store().find({ ...bundle(1), environment: 'mission' })).to.equal(null);
    expect(await store({ compiler: { ...COMPILER, identity: async () => 'd'.repeat(64) } }).find(bundle(1))).to.equal(
      null,
    );
  });

  it('is its owner’s alone, and looking makes nothing', async () => {
    const missing = join(base, 'cache');
    await store({}, missing).find(bundle(1));
    expect(readdirSync(base)).to.deep.equal([]);
    await store({}, `${missing}/`).keep(bundle(1), reply());
    for (const path of [missing, join(missing, 'svc'), join(missing, 'svc/bundles')]) {
      expect(statSync(path).mode & 0o777).to.equal(0o700);
    }
    const [file] = readdirSync(join(missing, 'svc/bundles'));
    expect(statSync(join(missing, 'svc/bundles', file ?? '')).mode & 0o777).to.equal(0o600);
  });

  it('makes the folder itself but not what leads to it', async () => {
    await store({}, join(base, 'a/b')).keep(bundle(1), reply());
    expect(readdirSync(base)).to.deep.equal([]);
  });

  const poisons: readonly (readonly [string, (path: string) => void])[] = [
    [
      'empty',
      (path) => {
        truncateSync(path);
      },
    ],
    [
      'cut',
      (path) => {
        truncateSync(path, statSync(path).size - 1);
      },
    ],
    [
      'with other code',
      (path) => {
        writeFileSync(path, readFileSync(path, 'utf8').replace('"code":"code"', '"code":"evil"'));
      },
    ],
    [
      'of another bundle',
      (path) => {
        writeFileSync(path, encodeEntry(`${'0'.repeat(64)}.bundle`, reply('evil')));
      },
    ],
    [
      'that others may write',
      (path) => {
        chmodSync(path, 0o622);
      },
    ],
    [
      'that others may read',
      (path) => {
        chmodSync(path, 0o644);
      },
    ],
    [
      'larger than any',
      (path) => {
        truncateSync(path, MAX_ENTRY_BYTES + 1);
      },
    ],
    [
      'that is a link to it',
      (path) => {
        renameSync(path, `${path}.real`);
        symlinkSync(`${path}.real`, path);
      },
    ],
  ];
  for (const [title, poison] of poisons) {
    it(`takes no entry ${title}, and makes it anew`, async () => {
      const path = await storeOne();
      poison(path);
      const next = store();
      expect(await next.find(bundle(1))).to.equal(null);
      await next.keep(bundle(1), reply());
      expect(await store().find(bundle(1))).to.deep.equal(reply());
      expect(statSync(path).isFile()).to.equal(true);
    });
  }

  it('works without an entry whose name a folder has taken', async () => {
    const path = await storeOne();
    rmSync(path);
    mkdirSync(path);
    const next = store();
    expect(await next.find(bundle(1))).to.equal(null);
    await next.keep(bundle(1), reply());
    expect(entries()).to.have.length(1);
    expect(statSync(path).isDirectory()).to.equal(true);
  });

  const places: readonly (readonly [string, () => void])[] = [
    [
      'a base that others may change',
      () => {
        chmodSync(base, 0o777);
      },
    ],
    [
      'a folder that others may enter',
      () => {
        mkdirSync(join(base, 'svc'), { mode: 0o755 });
      },
    ],
    [
      'a folder that is a link',
      () => {
        mkdirSync(join(base, 'real'), { mode: 0o700 });
        symlinkSync('real', join(base, 'svc'));
      },
    ],
    [
      'a file where the folder should be',
      () => {
        writeFileSync(join(base, 'svc'), '');
      },
    ],
  ];
  for (const [title, prepare] of places) {
    it(`keeps nothing in ${title}`, async () => {
      prepare();
      const before = readdirSync(base, { recursive: true });
      await store().keep(bundle(1), reply());
      expect(await store().find(bundle(1))).to.equal(null);
      expect(readdirSync(base, { recursive: true })).to.deep.equal(before);
    });
  }

  it('keeps nothing of a compiler that was exchanged meanwhile, or that cannot be told', async () => {
    await store({ compiler: { ...COMPILER, isUnchanged: () => false } }).keep(bundle(1), reply());
    await store({ compiler: { ...COMPILER, identity: async () => null } }).keep(bundle(1), reply());
    expect(readdirSync(base)).to.deep.equal([]);
  });

  it('keeps nothing larger than one entry may be', async () => {
    await store().keep(bundle(1), reply('x'.repeat(MAX_ENTRY_BYTES)));
    expect(readdirSync(base)).to.deep.equal([]);
  });

  it('takes any number of writers and readers at once', async () => {
    const found = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const each = store();
        await each.keep(bundle(index % 3), reply(`code ${String(index % 3)}`));
        return each.find(bundle(index % 3));
      }),
    );
    found.forEach((value, index) => expect(value).to.deep.equal(reply(`code ${String(index % 3)}`)));
    expect(entries()).to.have.length(3);
  });

  describe('bounds', () => {
    async function fill(bounds: { entries: number; bytes: number }, count: number): Promise<readonly boolean[]> {
      for (let index = 0; index < count; index += 1) {
        await store({ bounds }).keep(bundle(index), reply());
        for (const name of entries()) {
          const path = join(folder(), name);
          // Each older than the next, however fast they were written.
          utimesSync(path, 1000, statSync(path).mtimeMs / 1000 - 60);
        }
      }
      const found = [];
      for (let index = 0; index < count; index += 1) found.push((await store().find(bundle(index))) !== null);
      return found;
    }

    it('keep as many entries as may be, the newest', async () => {
      expect(await fill({ entries: 3, bytes: 1e6 }, 2)).to.deep.equal([true, true]);
      expect(await fill({ entries: 3, bytes: 1e6 }, 3)).to.deep.equal([true, true, true]);
      await removeScratch(folder());
      expect(await fill({ entries: 3, bytes: 1e6 }, 4)).to.deep.equal([false, true, true, true]);
    });

    it('keep as many bytes as may be, the newest', async () => {
      const { size } = statSync(await storeOne());
      await removeScratch(folder());
      expect(await fill({ entries: 9, bytes: size * 2 }, 3)).to.deep.equal([false, true, true]);
      await removeScratch(folder());
      expect(await fill({ entries: 9, bytes: size * 2 - 1 }, 3)).to.deep.equal([false, false, true]);
    });

    it('leave what the cache did not name, and remove what a writer left that was ended long ago', async () => {
      await storeOne();
      const staging = (digit: string): string => join(folder(), `.${digit.repeat(24)}.new`);
      for (const path of [staging('1'), staging('2'), join(folder(), 'notes.txt')]) writeFileSync(path, 'x');
      for (const path of [staging('1'), join(folder(), 'notes.txt')]) utimesSync(path, 1000, Date.now() / 1000 - 7200);
      await store({ bounds: { entries: 1, bytes: 1 } }).keep(bundle(2), reply());
      expect(entries())
        .to.have.length(3)
        .and.include.members(['notes.txt', `.${'2'.repeat(24)}.new`]);
    });
  });

  describe('faults of the file system', () => {
    /** One command that looks, compiles and keeps, with a fault at one call; what it found. */
    async function command(
      at: number,
      manner: Parameters<typeof faultyFileSystem>[1],
    ): Promise<{ readonly found: CompiledReply | null; readonly calls: number }> {
      const faulty = faultyFileSystem(nodeFileSystem(), manner === null ? null : { ...manner, at });
      const used = store({ place: { fileSystem: faulty.fileSystem, base } });
      try {
        const found = await used.find(bundle(1));
        if (found === null) await used.keep(bundle(1), reply());
        return { found, calls: faulty.calls() };
      } catch (error) {
        if (!(error instanceof Crash)) throw error;
        return { found: null, calls: faulty.calls() };
      } finally {
        await faulty.closeAll();
      }
    }

    const manners = [
      { at: 0, manner: { kind: 'error', errno: 'ENOSPC' } },
      { at: 0, manner: { kind: 'error', errno: 'EROFS' } },
      { at: 0, manner: { kind: 'error', errno: 'EIO' } },
      { at: 0, manner: { kind: 'crash', when: 'before' } },
      { at: 0, manner: { kind: 'crash', when: 'after' } },
    ] as const;
    for (const { manner } of manners) {
      it(`change no result: ${'errno' in manner ? manner.errno : `a kill ${manner.when}`} at every call`, async () => {
        const { calls } = await command(0, null);
        for (const isWarm of [false, true]) {
          for (let at = 1; at <= calls; at += 1) {
            await removeScratch(join(base, 'svc'));
            if (isWarm) await storeOne();
            const { found } = await command(at, { at, manner });
            if (found !== null) expect(found).to.deep.equal(reply());
            const after = await command(0, null);
            if (after.found !== null) expect(after.found).to.deep.equal(reply());
            expect((await command(0, null)).found, `call ${String(at)}`).to.deep.equal(reply());
          }
        }
      });
    }
  });
});
