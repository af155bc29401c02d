import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable, isUnchanged } from './executable.ts';

const TEXT = '#!/bin/sh\n';
const NOBODY = 65_534;

/** Rights mean nothing to root, who is somebody else during the work. Anybody else works as before. */
async function unprivileged<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('a command (providers.md §3, table A; §7.8)', () => {
  let folder = '';
  const at = (...names: readonly string[]): string => join(folder, ...names);
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-command-')));
    for (const name of ['a', 'b', 'beside']) await mkdir(at(name));
    for (const name of ['svc-fs-mcp', 'svc-mcp-bridge', 'other'])
      await writeFile(at('beside', name), TEXT, { mode: 0o755 });
    await writeFile(at('b', 'svc-mcp-bridge'), TEXT, { mode: 0o755 });
    await writeFile(at('a', 'plain'), TEXT, { mode: 0o644 });
    await writeFile(at('a', 'both'), TEXT, { mode: 0o644 });
    await writeFile(at('b', 'both'), TEXT, { mode: 0o755 });
    await writeFile(at('b', 'tool'), TEXT, { mode: 0o755 });
    await symlink(at('b', 'tool'), at('a', 'link'));
    await symlink(at('none'), at('a', 'dangling'));
  });
  after(async () => rm(folder, { recursive: true }));

  const digest = createHash('sha256').update(TEXT).digest('hex');
  const found: Readonly<Record<string, readonly [command: () => string, path: () => string, at: () => string]>> = {
    'is an absolute path': [() => at('b', 'tool'), () => '', () => at('b', 'tool')],
    'is a name on the path': [() => 'tool', () => `${at('a')}:${at('b')}`, () => at('b', 'tool')],
    'is not resolved where it is a link': [() => 'link', () => at('a'), () => at('a', 'link')],
    'is passed over where it cannot be executed': [() => 'both', () => `${at('a')}:${at('b')}`, () => at('b', 'both')],
    'comes with the program and is on no path': [() => 'svc-fs-mcp', () => at('a'), () => at('beside', 'svc-fs-mcp')],
    'comes with the program, and is on the path too': [
      () => 'svc-mcp-bridge',
      () => at('b'),
      () => at('b', 'svc-mcp-bridge'),
    ],
    'is not looked for in folders that are relative': [() => 'tool', () => `.::b:${at('b')}`, () => at('b', 'tool')],
  };
  for (const [what, [command, path, where]] of Object.entries(found)) {
    it(what, async () => {
      const answer = await findExecutable(command(), path(), 1000, at('beside'));
      if (!answer.ok) throw new Error(answer.fault);
      expect([answer.executable.path, answer.executable.digest]).to.deep.equal([where(), digest]);
    });
  }

  const refused: Readonly<Record<string, readonly [command: () => string, fault: string, bytes?: number]>> = {
    'that is nowhere on the path': [() => 'none', 'not_found'],
    'beside the program that does not come with it': [() => 'other', 'not_found'],
    'whose file is missing': [() => at('none'), 'not_found'],
    'whose folder is a file': [() => at('b', 'tool', 'none'), 'not_found'],
    'whose link leads nowhere': [() => at('a', 'dangling'), 'not_found'],
    'that is relative': [() => './tool', 'unusable'],
    'that is relative below': [() => 'b/tool', 'unusable'],
    'that is empty': [() => '', 'unusable'],
    'that is a folder': [() => at('b'), 'unusable'],
    'that is a device': [() => '/dev/null', 'unusable'],
    'that nobody may execute': [() => at('a', 'plain'), 'unusable'],
    'on the path that nobody may execute': [() => 'plain', 'unusable'],
    'of too many bytes': [() => at('b', 'tool'), 'unusable', TEXT.length - 1],
  };
  for (const [what, [command, fault, bytes]] of Object.entries(refused)) {
    it(`${what} is refused`, async () => {
      expect(
        await findExecutable(command(), `${at('a')}:${at('b')}`, bytes ?? TEXT.length, at('beside')),
      ).to.deep.equal({
        ok: false,
        fault,
      });
    });
  }

  describe('beside a folder of the path that may not be searched', () => {
    before(async () => {
      await mkdir(at('closed'));
      await writeFile(at('closed', 'hidden'), TEXT, { mode: 0o755 });
      await symlink(at('closed', 'hidden'), at('b', 'to-hidden'));
      await chmod(folder, 0o755);
      await chmod(at('closed'), 0);
    });
    after(() => chmod(at('closed'), 0o700));

    const path = (): string => `${at('closed')}:${at('b')}`;
    it('is found in a later one', async () => {
      expect(await unprivileged(() => findExecutable('tool', path(), 1000, at('beside')))).to.have.nested.property(
        'executable.path',
        at('b', 'tool'),
      );
    });

    for (const [what, command, fault] of [
      ['that is nowhere', 'none', 'not_found'],
      ['that only this folder has', 'hidden', 'not_found'],
      ['whose link leads into it', 'to-hidden', 'unusable'],
    ] as const) {
      it(`${what} is ${fault}`, async () => {
        expect(await unprivileged(() => findExecutable(command, path(), 1000, at('beside')))).to.deep.equal({
          ok: false,
          fault,
        });
      });
    }

    it('is unusable where its absolute path leads into it', async () => {
      expect(await unprivileged(() => findExecutable(at('closed', 'hidden'), '', 1000, at('beside')))).to.deep.equal({
        ok: false,
        fault: 'unusable',
      });
    });
  });

  it('is another one once its file was written, replaced, forbidden or removed', async () => {
    const file = at('b', 'changing');
    const changes: readonly (() => Promise<void>)[] = [
      () => writeFile(file, 'other'),
      async () => {
        await rm(file);
        await writeFile(file, TEXT, { mode: 0o755 });
      },
      () => chmod(file, 0o644),
      () => rm(file),
    ];
    for (const change of changes) {
      await writeFile(file, TEXT);
      await chmod(file, 0o755);
      const answer = await findExecutable(file, '', 1000, at('beside'));
      if (!answer.ok) throw new Error(answer.fault);
      expect(await isUnchanged(answer.executable)).to.equal(true);
      await change();
      expect(await isUnchanged(answer.executable)).to.equal(false);
    }
  });
});
