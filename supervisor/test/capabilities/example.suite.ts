import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { isLeftOut } from '../../authoring/initialize/left-out-files.ts';

const root = join(import.meta.dirname, '../../..');

describe('the example of docs/guides/custom-capabilities.md', () => {
  let place = '';
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'svc-example-'));
    await cp(join(root, 'examples'), join(place, 'examples'), {
      recursive: true,
      filter: (path) => !isLeftOut(basename(path)),
    });
    for (const name of await readdir(root)) if (name !== 'examples') await symlink(join(root, name), join(place, name));
  });
  afterEach(async () => {
    await rm(place, { recursive: true, force: true });
  });

  it('prints what the page says, in a copy whose program lies behind a link', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(place, 'examples/custom-capabilities/run.ts'),
    ]);
    expect(stdout).to.equal('{"A-1":"on-time","A-2":"refunded","A-3":"ask-a-person","A-4":"not_found"}\n');
  });

  it('passes the tests that lie beside it', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter', 'tap'], {
      cwd: join(place, 'examples/custom-capabilities'),
    });
    expect(stdout)
      .to.match(/^# pass 5$/mu)
      .and.to.match(/^# fail 0$/mu);
  });
});
