import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const folder = join(import.meta.dirname, '../../examples/custom-capabilities');

describe('the example of docs/custom-capabilities.md', () => {
  afterEach(async () => {
    await rm(join(folder, '.svc'), { recursive: true, force: true });
  });

  it('prints what the page says', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'run.ts')]);
    expect(stdout).to.equal('{"A-1":"on-time","A-2":"refunded","A-3":"ask-a-person","A-4":"not_found"}\n');
  });
});
