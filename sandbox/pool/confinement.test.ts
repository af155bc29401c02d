import { expect } from 'chai';
import { CONFINED_STARTS, findConfinement } from './confinement.ts';

/** A system on which a trial succeeds that begins with such a program. */
function system(...works: readonly string[]) {
  const tried: string[] = [];
  return {
    tried,
    platform: 'linux' as const,
    isRoot: true,
    isThere: () => true,
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
    const { tried, ...here } = system('bwrap', 'unshare');
    expect(await findConfinement(PATHS, here)).to.deep.equal({ state: 'confined', start: CONFINED_STARTS[0] });
    expect(tried).to.deep.equal(['/usr/bin/bwrap']);
  });

  it('is a network of their own where that alone can be had', async () => {
    const { tried, ...here } = system('unshare');
    const found = await findConfinement(PATHS, here);
    expect([found.state, found.start?.means, found.start?.layers]).to.deep.equal([
      'confined',
      'namespaces',
      ['network'],
    ]);
    expect(tried).to.deep.equal(['/usr/bin/bwrap', '/usr/bin/unshare']);
  });

  it('is no confinement by the system where neither can be had, and why', async () => {
    const found = await findConfinement(PATHS, system('setpriv', '/bin/sh'));
    expect(found).to.deep.include({ state: 'unconfined', reason: 'refused' });
    expect([found.start?.means, found.start?.layers]).to.deep.equal(['process', []]);
    expect(await findConfinement(PATHS, system())).to.deep.equal({
      state: 'unconfined',
      reason: 'refused',
      start: null,
    });
    expect(await findConfinement(PATHS, { ...system('bwrap'), platform: 'darwin' })).to.deep.equal({
      state: 'unconfined',
      reason: 'other_system',
      start: null,
    });
  });

  it('starts nothing to find out what is not there, or is sure', async () => {
    const { tried, ...here } = system();
    const found = await findConfinement(PATHS, {
      ...here,
      isRoot: false,
      isThere: (program) => program.endsWith('setpriv') || program === '/bin/sh',
    });
    expect([found.state, found.start?.means, tried]).to.deep.equal(['unconfined', 'process', []]);
  });
});
