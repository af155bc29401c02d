import { expect } from 'chai';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { becomeFresh, programState } from './fresh.ts';

describe('state of a program', () => {
  it('is what it began as when the next program begins, in the same record', () => {
    const state = programState(() => ({ count: 0, seen: [] as string[] }));
    const { seen } = state;
    state.count = 3;
    seen.push('a');
    state.seen = [...seen, 'b'];
    becomeFresh();
    expect(state).to.deep.equal({ count: 0, seen: [] });
    expect(state.seen).to.not.equal(seen);
  });

  it('is kept nowhere else: no module of the guest has a variable at its top', async () => {
    const found: string[] = [];
    for (const folder of ['runtime', 'language', 'wire']) {
      const root = join(import.meta.dirname, '..', folder);
      const names = (await readdir(root, { recursive: true })).filter(
        (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
      );
      expect(names, folder).to.not.have.length(0);
      for (const name of names)
        if (/^(?:export )?(?:let|var) [^;\n]*[;=]/m.test(await readFile(join(root, name), 'utf8')))
          found.push(`${folder}/${name}`);
    }
    expect(found).to.deep.equal([]);
  });
});
