import { expect } from 'chai';
import { findConfinement } from './confinement.ts';

const FILES = { executable: '/bin/sh', paths: [] } as const;

describe('how hosts can be confined (gateway.md §17)', () => {
  for (const [works, layers] of [['bwrap', ['network', 'files', 'processes']], ['unshare', ['network']]] as const) {
    it(`is found out by trying it: ${works}`, async () => {
      const tried: (readonly string[])[] = [];
      const found = await findConfinement('linux', async (program, words) => {
        tried.push([program, ...words]);
        return program.endsWith(works);
      });
      if (found.state !== 'confined') throw new Error('it can');
      expect(tried.at(-1)).to.deep.equal([...found.start.words(FILES), '/bin/sh', '-c', ':']);
      expect(tried).to.have.length(works === 'bwrap' ? 1 : 2);
      expect(found.start.layers).to.deep.equal(layers);
    });
  }

  it('is said where it cannot be, and why', async () => {
    expect(await findConfinement('linux', async () => false)).to.deep.equal({ state: 'unconfined', reason: 'refused' });
    expect(await findConfinement('darwin', async () => true)).to.deep.equal({ state: 'unconfined', reason: 'other_system' });
  });
});
