import { expect } from 'chai';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { nodeFileSystem } from './node-file-system.ts';
import type { FileStatus, PublicationFileSystem } from './file-system.ts';
import { openSafeDirectory, openSafeParent } from './safe-directory.ts';
import { removeScratch, scratchDirectory } from './testing/scratch.ts';
import { unwritable } from './testing/unwritable.ts';

describe('parents of destinations (runtime.md §12)', () => {
  let root = '';
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(async () => {
    await removeScratch(root);
  });

  async function verdict(path: string, fileSystem: PublicationFileSystem = nodeFileSystem(), open = openSafeDirectory): Promise<string> {
    const opened = await open(fileSystem, path);
    if (!opened.ok) return opened.fault;
    await opened.value.directory.close();
    return opened.value.path;
  }

  /** The same file system, with one path's status told differently. */
  function seeing(path: string, change: Partial<FileStatus>): PublicationFileSystem {
    const real = nodeFileSystem();
    return {
      ...real,
      status: async (asked) => {
        const status = await real.status(asked);
        return status.ok && asked === path ? { ok: true, value: { ...status.value, ...change } } : status;
      },
    };
  }

  it('opens a directory by its real path, through links and dots', async () => {
    await mkdir(`${root}/real/inner`, { recursive: true, mode: 0o700 });
    await symlink('real', `${root}/relative`);
    await symlink(`${root}/real`, `${root}/absolute`);
    await symlink('../real/inner', `${root}/real/up`);
    for (const path of ['real/inner', 'relative/inner', 'absolute/inner', 'relative/up', 'real/inner/../inner/.', 'real//inner/']) {
      expect(await verdict(`${root}/${path}`), path).to.equal(`${root}/real/inner`);
    }
    expect(await verdict('/', nodeFileSystem(), openSafeParent)).to.equal('/');
  });

  it('opens the root of the file system for everybody, to write only for who may', async () => {
    const fileSystem = unwritable(nodeFileSystem());
    expect(await verdict('/', fileSystem, openSafeParent)).to.equal('/');
    expect(await verdict('/', fileSystem)).to.equal('unusable');
  });

  it('lets the root of the file system belong to anybody, as in a container, unless others may change it', async () => {
    await mkdir(`${root}/dir`, { mode: 0o700 });
    const stranger = 4_000_000;
    expect(await verdict(`${root}/dir`, seeing('/', { owner: stranger }))).to.equal(`${root}/dir`);
    expect(await verdict('/', seeing('/', { owner: stranger }), openSafeParent)).to.equal('/');
    expect(await verdict(`${root}/dir`, seeing('/', { owner: stranger, mode: 0o777 }))).to.equal('unsafe');
  });

  it('says what is wrong', async () => {
    await writeFile(`${root}/file`, '');
    await symlink('loop', `${root}/loop`);
    await symlink('nowhere', `${root}/dangling`);
    await mkdir(`${root}/open/inner`, { recursive: true });
    await chmod(`${root}/open`, 0o777);
    expect(await verdict(`${root}/none`)).to.equal('missing');
    expect(await verdict(`${root}/none/deeper`)).to.equal('missing');
    expect(await verdict(`${root}/dangling`)).to.equal('missing');
    expect(await verdict(`${root}/file`)).to.equal('not_directory');
    expect(await verdict(`${root}/file/below`)).to.equal('not_directory');
    expect(await verdict(`${root}/loop`)).to.equal('unsafe');
    expect(await verdict(`${root}/open`)).to.equal('unsafe');
    expect(await verdict(`${root}/open/inner`)).to.equal('unsafe');
  });

  it('trusts a directory that all may write only while it is sticky', async () => {
    await mkdir(`${root}/shared`);
    await chmod(`${root}/shared`, 0o1777);
    expect(await verdict(`${root}/shared`)).to.equal(`${root}/shared`);
  });

  it('refuses what a stranger owns, directory or link', async () => {
    await mkdir(`${root}/dir`, { mode: 0o700 });
    await symlink('dir', `${root}/link`);
    const stranger = { owner: 4_000_000 };
    expect(await verdict(`${root}/dir`, seeing(`${root}/dir`, stranger))).to.equal('unsafe');
    expect(await verdict(`${root}/link`, seeing(`${root}/link`, stranger))).to.equal('unsafe');
    expect(await verdict(`${root}/dir`, seeing(`${root}/dir`, { owner: 0 }))).to.equal(`${root}/dir`);
  });

  it('follows forty links and no more', async () => {
    await mkdir(`${root}/end`, { mode: 0o700 });
    await symlink('end', `${root}/link-1`);
    for (let index = 2; index <= 41; index += 1) await symlink(`link-${index - 1}`, `${root}/link-${index}`);
    expect(await verdict(`${root}/link-40`)).to.equal(`${root}/end`);
    expect(await verdict(`${root}/link-41`)).to.equal('unsafe');
  });

  it('refuses a directory that is swapped between looking and opening', async () => {
    await mkdir(`${root}/dir`, { mode: 0o700 });
    expect(await verdict(`${root}/dir`, seeing(`${root}/dir`, { identity: '0:0' }))).to.equal('unsafe');
  });
});
