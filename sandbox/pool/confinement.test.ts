import { expect } from 'chai';
import { CONFINED_STARTS, findConfinement } from './confinement.ts';

/** A system on which a trial succeeds that begins with such a program. */
function system(...works: readonly string[]) {
  const tried: string[] = [];
  return {
    tried,
    succeeds: async (program: string, words: readonly string[]) => {
      tried.push(program);
      expect(words.slice(-3)).to.deep.equal([process.execPath, '/program', '/program/image']);
      return works.some((name) => program.endsWith(name));
    },
  };
}

const PATHS = ['/program', '/program/image'];

describe('how hosts can be confined (gateway.md §17)', () => {
  it('is tried with what a host must read, the closest first', async () => {
    const { tried, succeeds } = system('bwrap', 'unshare');
    expect(await findConfinement(PATHS, { platform: 'linux', succeeds })).to.deep.equal({ state: 'confined', start: CONFINED_STARTS[0] });
    expect(tried).to.deep.equal(['/usr/bin/bwrap']);
  });

  it('is a network of their own where that alone can be had', async () => {
    const { tried, succeeds } = system('unshare');
    const found = await findConfinement(PATHS, { platform: 'linux', succeeds });
    expect([found.state, found.start?.means, found.start?.layers]).to.deep.equal(['confined', 'namespaces', ['network']]);
    expect(tried).to.deep.equal(['/usr/bin/bwrap', '/usr/bin/unshare']);
  });

  it('is no confinement by the system where neither can be had, and why', async () => {
    const found = await findConfinement(PATHS, { platform: 'linux', succeeds: system('setpriv', '/bin/sh').succeeds });
    expect(found).to.deep.include({ state: 'unconfined', reason: 'refused' });
    expect([found.start?.means, found.start?.layers]).to.deep.equal(['process', []]);
    expect(await findConfinement(PATHS, { platform: 'linux', succeeds: system().succeeds })).to.deep.equal({ state: 'unconfined', reason: 'refused', start: null });
    expect(await findConfinement(PATHS, { platform: 'darwin', succeeds: system('bwrap').succeeds })).to.deep.equal({ state: 'unconfined', reason: 'other_system', start: null });
  });
});
