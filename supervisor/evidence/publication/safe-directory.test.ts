import { expect } from 'chai';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { nodeFileSystem } from './node-file-system.ts';
import type { Accounts } from './accounts.ts';
import type { FileStatus, PublicationFileSystem } from './file-system.ts';
import { openSafeDirectory, openSafeParent, type Trust } from './safe-directory.ts';
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

  async function verdict(
    path: string,
    fileSystem: PublicationFileSystem = nodeFileSystem(),
    open = openSafeDirectory,
  ): Promise<string> {
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
      status: async (requested) => {
        const status = await real.status(requested);
        return status.ok && requested === path ? { ok: true, value: { ...status.value, ...change } } : status;
      },
    };
  }

  it('opens a directory by its real path, through links and dots', async () => {
    await mkdir(`${root}/real/inner`, { recursive: true, mode: 0o700 });
    await symlink('real', `${root}/relative`);
    await symlink(`${root}/real`, `${root}/absolute`);
    await symlink('../real/inner', `${root}/real/up`);
    for (const path of [
      'real/inner',
      'relative/inner',
      'absolute/inner',
      'relative/up',
      'real/inner/../inner/.',
      'real//inner/',
    ]) {
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

  describe('groups and other owners (first-day.md §4)', () => {
    const STRANGER = 4_000_000;
    const nobody: Accounts = { isPrivateGroup: () => false, userName: String, groupName: String };
    const PRIVATE_GROUPS = { ...nobody, isPrivateGroup: (group: number, user: number) => group === user };

    async function refusal(path: string, fileSystem: PublicationFileSystem, trust: Trust): Promise<unknown> {
      const opened = await openSafeDirectory(fileSystem, path, trust);
      if (!opened.ok) return opened.refused?.reason ?? opened.fault;
      await opened.value.directory.close();
      return opened.value.isForeign ? 'foreign' : 'ours';
    }

    beforeEach(async () => mkdir(`${root}/dir`));

    const userId = nodeFileSystem().userId;
    const rows: readonly {
      readonly what: string;
      readonly status: Partial<FileStatus>;
      readonly own: string;
      readonly named: string;
    }[] = [
      { what: 'ours, for us alone', status: { mode: 0o755 }, own: 'ours', named: 'ours' },
      {
        what: 'ours, for our private group',
        status: { mode: 0o775, owner: userId, group: userId },
        own: 'ours',
        named: 'ours',
      },
      {
        what: 'ours, for a group with members',
        status: { mode: 0o775, owner: userId, group: userId + 1 },
        own: 'group_writable',
        named: 'group_writable',
      },
      { what: 'ours, for all', status: { mode: 0o757 }, own: 'all_writable', named: 'all_writable' },
      { what: 'ours, for all, sticky', status: { mode: 0o1777 }, own: 'ours', named: 'ours' },
      { what: 'of a stranger', status: { mode: 0o755, owner: STRANGER }, own: 'foreign_owner', named: 'foreign' },
      {
        what: 'of a stranger, for their private group',
        status: { mode: 0o775, owner: STRANGER, group: STRANGER },
        own: 'foreign_owner',
        named: 'foreign',
      },
      {
        what: 'of a stranger, for another group',
        status: { mode: 0o775, owner: STRANGER, group: 5 },
        own: 'foreign_owner',
        named: 'group_writable',
      },
      {
        what: 'of a stranger, for all',
        status: { mode: 0o777, owner: STRANGER },
        own: 'foreign_owner',
        named: 'all_writable',
      },
    ];
    for (const { what, status, own, named } of rows) {
      it(`a directory ${what}: ${own} for private artifacts, ${named} for what the operator names`, async () => {
        const fileSystem = { ...seeing(`${root}/dir`, status), accounts: PRIVATE_GROUPS };
        expect(await refusal(`${root}/dir`, fileSystem, 'own')).to.equal(own);
        expect(await refusal(`${root}/dir`, fileSystem, 'named')).to.equal(named);
      });
    }

    it('says which directory on the way is refused, whose it is and with what mode', async () => {
      await mkdir(`${root}/dir/inner`);
      const fileSystem = { ...seeing(`${root}/dir`, { mode: 0o775, owner: userId, group: 77 }), accounts: nobody };
      const opened = await openSafeDirectory(fileSystem, `${root}/dir/inner`);
      expect(opened).to.deep.include({
        ok: false,
        fault: 'unsafe',
        refused: { path: `${root}/dir`, reason: 'group_writable', owner: userId, group: 77, mode: 0o775 },
      });
    });

    it('trusts no directory or link that a stranger may have put where all may write', async () => {
      await chmod(root, 0o1777);
      await symlink('dir', `${root}/link`);
      for (const name of ['dir', 'link']) {
        const fileSystem = seeing(`${root}/${name}`, { owner: STRANGER });
        expect(await refusal(`${root}/${name}`, fileSystem, 'named'), name).to.match(/^foreign_(?:owner|link)$/);
      }
    });

    it('trusts the root of the file system whoever owns it', async () => {
      expect(await refusal(`${root}/dir`, seeing('/', { owner: STRANGER }), 'own')).to.equal('ours');
    });
  });
});
