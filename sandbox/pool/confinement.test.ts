import { expect } from 'chai';
import { findConfinement } from './confinement.ts';

describe('whether hosts can be kept from the network (gateway.md §17)', () => {
  it('is found out by trying it', async () => {
    const tried: (readonly string[])[] = [];
    const found = await findConfinement('linux', async (program, words) => {
      tried.push([program, ...words]);
      return true;
    });
    if (found.state !== 'confined') throw new Error('it can');
    expect(tried).to.deep.equal([[...found.words, '/bin/sh', '-c', ':']]);
    expect(found.words).to.include.members(['--user', '--net']);
  });

  it('is said where it cannot be, and why', async () => {
    expect(await findConfinement('linux', async () => false)).to.deep.equal({ state: 'unconfined', reason: 'refused' });
    expect(await findConfinement('darwin', async () => true)).to.deep.equal({ state: 'unconfined', reason: 'other_system' });
  });
});
