import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CLIENT } from './revision.ts';

describe('what servers are told of the program', () => {
  it('is its version', async () => {
    const manifest: unknown = JSON.parse(await readFile(join(import.meta.dirname, '../../../package.json'), 'utf8'));
    expect(manifest).to.include({ version: CLIENT.version });
    expect(CLIENT.name).to.equal('svc');
  });
});
