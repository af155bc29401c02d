import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable, isUnchanged } from './executable.ts';

const TEXT = '#!/bin/sh\n';

describe('a command (providers.md §3, table A; §7.8)', () => {
  let folder = '';
  const at = (...names: readonly string[]): string => join(folder, ...names);
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-command-')));
    for (const name of ['a', 'b']) await mkdir(at(name));
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
    'is not looked for in folders that are relative': [() => 'tool', () => `.::b:${at('b')}`, () => at('b', 'tool')],
  };
  for (const [what, [command, path, where]] of Object.entries(found)) {
    it(what, async () => {
      const answer = await findExecutable(command(), path(), 1000);
      if (!answer.ok) throw new Error(answer.fault);
      expect([answer.executable.path, answer.executable.digest]).to.deep.equal([where(), digest]);
    });
  }

  const refused: Readonly<Record<string, readonly [command: () => string, fault: string, bytes?: number]>> = {
    'that is nowhere on the path': [() => 'none', 'not_found'],
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
      expect(await findExecutable(command(), `${at('a')}:${at('b')}`, bytes ?? TEXT.length)).to.deep.equal({ ok: false, fault });
    });
  }

  it('is another one once its file was written, replaced, forbidden or removed', async () => {
    const file = at('b', 'changing');
    const changes: readonly (() => Promise<void>)[] = [
      () => writeFile(file, 'other'),
      async () => { await rm(file); await writeFile(file, TEXT, { mode: 0o755 }); },
      () => chmod(file, 0o644),
      () => rm(file),
    ];
    for (const change of changes) {
      await writeFile(file, TEXT);
      await chmod(file, 0o755);
      const answer = await findExecutable(file, '', 1000);
      if (!answer.ok) throw new Error(answer.fault);
      expect(await isUnchanged(answer.executable)).to.equal(true);
      await change();
      expect(await isUnchanged(answer.executable)).to.equal(false);
    }
  });
});
