import { expect } from 'chai';
import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { holdArtifactRoot, type ArtifactRootResult } from './artifact-root.ts';
import type { PublicationFileSystem } from './file-system.ts';
import { ARTIFACT_DIRECTORIES } from './names.ts';
import { nodeFileSystem } from './node-file-system.ts';
import { processOwnerProbe } from './owner.ts';
import type { SweepTools } from './sweep.ts';
import { Crash, faultyFileSystem } from './testing/faulty-file-system.ts';
import { contentsOf, removeScratch, scratchDirectory } from './testing/scratch.ts';
import { unwritable } from './testing/unwritable.ts';

/** This machine, as it will be when everything of now is an hour old. */
function later(fileSystem: PublicationFileSystem): SweepTools {
  return { fileSystem, owners: processOwnerProbe(), wallClock: () => Date.now() + 3_600_000 };
}

function tools(fileSystem: PublicationFileSystem = nodeFileSystem()): SweepTools {
  return { ...later(fileSystem), wallClock: Date.now };
}

/** Held, prepared and let go in one go. */
async function ensureArtifactRoot(sweepTools: SweepTools, path: string): Promise<ArtifactRootResult> {
  const root = await holdArtifactRoot(sweepTools, path);
  try {
    return await root.prepare();
  } finally {
    await root.close();
  }
}

describe('artifact root of a project (documents.md §6)', () => {
  let root = '';
  beforeEach(async () => {
    root = await scratchDirectory();
  });
  afterEach(async () => {
    await removeScratch(root);
  });

  const ensure = async () => ensureArtifactRoot(tools(), `${root}/.svc`);
  const CHILDREN = ['.svc', ...ARTIFACT_DIRECTORIES.map((name) => `.svc/${name}`)];

  it('is made whole, for its owner only, and found again', async () => {
    expect(await ensure()).to.deep.equal({ ok: true });
    expect(Object.keys(await contentsOf(root))).to.have.members(CHILDREN);
    for (const path of CHILDREN) expect((await stat(`${root}/${path}`)).mode & 0o777).to.equal(0o700);
    expect(await ensure()).to.deep.equal({ ok: true });
  });

  it('may be made by several at once', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, ensure));
    expect(results.every(({ ok }) => ok)).to.equal(true);
    expect(Object.keys(await contentsOf(root))).to.have.members(CHILDREN);
  });

  it('gets back a missing child, and keeps what it does not know', async () => {
    await ensure();
    await rm(`${root}/.svc/results`, { recursive: true });
    await mkdir(`${root}/.svc/keep`);
    await chmod(`${root}/.svc/keep`, 0o777);
    expect(await ensure()).to.deep.equal({ ok: true });
    expect(Object.keys(await contentsOf(root))).to.have.members([...CHILDREN, '.svc/keep']);
  });

  const refusals: readonly (readonly [string, () => Promise<unknown>, object])[] = [
    ['a root that others may read', async () => chmod(`${root}/.svc`, 0o750), { fault: 'mode', child: null }],
    ['a root that others may write', async () => chmod(`${root}/.svc`, 0o777), { fault: 'mode', child: null }],
    [
      'a child that others may read',
      async () => chmod(`${root}/.svc/traces`, 0o701),
      { fault: 'mode', child: 'traces' },
    ],
    [
      'a child that is a file',
      async () => {
        await rm(`${root}/.svc/results`, { recursive: true });
        await writeFile(`${root}/.svc/results`, '');
      },
      { fault: 'not_a_directory', child: 'results' },
    ],
    [
      'a child that is a link',
      async () => {
        await rm(`${root}/.svc/inspection`, { recursive: true });
        await symlink(root, `${root}/.svc/inspection`);
      },
      { fault: 'not_a_directory', child: 'inspection' },
    ],
    [
      'journals that others may read',
      async () => {
        await mkdir(`${root}/.svc/runs`, { mode: 0o700 });
        await chmod(`${root}/.svc/runs`, 0o750);
      },
      { fault: 'mode', child: 'runs' },
    ],
    [
      'a root that is a link',
      async () => {
        await rm(`${root}/.svc`, { recursive: true });
        await mkdir(`${root}/real`, { mode: 0o700 });
        await symlink('real', `${root}/.svc`);
      },
      { fault: 'not_a_directory', child: null },
    ],
  ];
  for (const [what, spoil, expected] of refusals) {
    it(`refuses ${what} and repairs nothing`, async () => {
      await ensure();
      await spoil();
      const before = await contentsOf(root);
      expect(await ensure()).to.deep.include({ ok: false, ...expected });
      expect(await contentsOf(root)).to.deep.equal(before);
    });
  }

  it('is used where it is there although its parent may not be written, and not made there', async () => {
    expect(await ensure()).to.deep.equal({ ok: true });
    const others = tools(unwritable(nodeFileSystem()));
    expect(await ensureArtifactRoot(others, `${root}/.svc`)).to.deep.equal({ ok: true });
    expect(await ensureArtifactRoot(others, `${root}/other`)).to.deep.include({
      ok: false,
      fault: 'parent_unusable',
      child: null,
    });
  });

  it('refuses a parent that is missing or that others may change', async () => {
    expect(await ensureArtifactRoot(tools(), `${root}/none/.svc`)).to.deep.equal({
      ok: false,
      fault: 'parent_unusable',
      child: null,
      refused: null,
    });
    await chmod(root, 0o777);
    expect(await ensure())
      .to.deep.include({ ok: false, fault: 'parent_unusable', child: null })
      .and.have.nested.property('refused.path', root);
  });

  it('a fault at any one call leaves a root that the next run can use', async () => {
    const count = faultyFileSystem(nodeFileSystem(), null);
    await ensureArtifactRoot(tools(count.fileSystem), `${root}/counted`);
    for (let at = 1; at <= count.calls(); at += 1) {
      const path = `${root}/at-${at}`;
      await ensureArtifactRoot(
        tools(faultyFileSystem(nodeFileSystem(), { at, manner: { kind: 'error', errno: 'EIO' } }).fileSystem),
        path,
      );
      expect(await ensureArtifactRoot(tools(), path), `call ${at}`).to.deep.equal({ ok: true });
    }
  });

  it('killed at any one call, it leaves nothing that a later run does not sweep', async () => {
    const count = faultyFileSystem(nodeFileSystem(), null);
    await ensureArtifactRoot(tools(count.fileSystem), `${root}/counted`);
    const path = `${root}/later`;
    for (let at = 1; at <= count.calls(); at += 1) {
      const faulty = faultyFileSystem(nodeFileSystem(), { at, manner: { kind: 'crash', when: 'after' } });
      await ensureArtifactRoot(tools(faulty.fileSystem), path).catch((error: unknown) => {
        if (!(error instanceof Crash)) throw error;
      });
      await faulty.closeAll();
      expect(await ensureArtifactRoot(later(nodeFileSystem()), path), `call ${at}`).to.deep.equal({ ok: true });
      expect(await readdir(root), `call ${at}`).to.have.members(['counted', 'later']);
      await rm(path, { recursive: true });
    }
  });

  it('leaves a root beside it that somebody put something into', async () => {
    const abandoned = `${root}/.svc-private-0123456789ab`;
    await mkdir(`${abandoned}/results`, { recursive: true });
    await writeFile(`${abandoned}/results/mine`, '');
    await ensureArtifactRoot(later(nodeFileSystem()), `${root}/.svc`);
    const found = Object.keys(await contentsOf(root)).filter((name) => name.endsWith('/mine'));
    expect(found).to.have.lengthOf(1);
  });
});
