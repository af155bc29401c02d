import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An npm that tells where it was asked to install, and installs nothing. */
const NPM = `#!/bin/sh
[ "$1" = --version ] && { echo 11.0.0; exit 0; }
pwd >"$ASKED"
mkdir -p node_modules
`;

describe('the set-up script', () => {
  let folder = '';
  let checkout = '';
  let requested = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'svc-setup-')));
    checkout = join(folder, 'a folder é 漢', 'check out');
    requested = join(folder, 'asked');
    await mkdir(join(checkout, 'scripts'), { recursive: true });
    await copyFile(join(import.meta.dirname, 'setup.sh'), join(checkout, 'scripts/setup.sh'));
    await writeFile(join(checkout, 'package-lock.json'), '{}');
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin/npm'), NPM);
    await chmod(join(folder, 'bin/npm'), 0o755);
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  async function setUp(): Promise<Ended> {
    const env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, ASKED: requested, CDPATH: `${folder}:/` };
    return new Promise((resolve) => {
      const child = execFile('/bin/sh', ['scripts/setup.sh'], { cwd: checkout, env }, (_, stdout, stderr) =>
        resolve({ status: child.exitCode, stdout, stderr }),
      );
    });
  }

  it('installs into its own checkout, whatever the path and CDPATH, and does no work twice', async () => {
    expect(await setUp()).to.deep.include({ status: 0, stdout: '' });
    expect(await readFile(requested, 'utf8')).to.equal(`${checkout}\n`);
    await rm(requested);
    expect(await setUp()).to.deep.equal({ status: 0, stdout: '', stderr: '' });
    expect(await readdir(folder)).to.not.include('asked');
  });

  it('installs nothing through a link: npm would empty what it leads to', async () => {
    const shared = join(folder, 'shared');
    await mkdir(shared);
    await writeFile(join(shared, 'theirs'), 'theirs');
    await symlink(shared, join(checkout, 'node_modules'));
    const ended = await setUp();
    expect(ended).to.deep.include({ status: 1, stdout: '' });
    expect(ended.stderr).to.match(/^setup: node_modules is a link/);
    expect(await readdir(folder)).to.not.include('asked');
    expect(await readdir(shared)).to.deep.equal(['theirs']);
  });

  it('takes what a link leads to where that was set up for this very lock file', async () => {
    const shared = join(folder, 'shared');
    await mkdir(shared);
    await copyFile(join(checkout, 'package-lock.json'), join(shared, '.setup-stamp'));
    await symlink(shared, join(checkout, 'node_modules'));
    expect(await setUp()).to.deep.equal({ status: 0, stdout: '', stderr: '' });
  });
});
