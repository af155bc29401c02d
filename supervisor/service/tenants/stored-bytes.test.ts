import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { storedBytes } from './stored-bytes.ts';

describe('bytes of artifacts (gateway.md §18)', () => {
  it('are those that were there, and those that came since, each counted once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-stored-'));
    try {
      await mkdir(join(folder, 'a/traces'), { recursive: true });
      await writeFile(join(folder, 'a/traces/one'), '12345');
      await writeFile(join(folder, 'a/two'), '678');
      const stored = storedBytes((tenant) => join(folder, tenant));
      stored.add('a', 3);
      expect([await stored.of('a'), await stored.of('b')]).to.deep.equal([8, 0]);
      stored.add('a', 10);
      stored.add('b', 1);
      expect([await stored.of('a'), await stored.of('b')]).to.deep.equal([18, 1]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
