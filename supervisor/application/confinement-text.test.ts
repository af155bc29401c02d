import { join } from 'node:path';
import { expect } from 'chai';
import { CONFINED_STARTS, type Confinement } from '../../sandbox/pool/confinement.ts';
import { describeConfinement } from './confinement-text.ts';

const dist = join(import.meta.dirname, '../../dist');
const textOf = (found: Confinement): Promise<string> =>
  describeConfinement(dist, async (paths) => {
    expect(paths).to.deep.equal([dist]);
    return found;
  });

describe('what a person reads of sandbox processes (gateway.md §17)', () => {
  it('says for each means what it keeps them from', async () => {
    const texts: Record<string, string> = {};
    for (const start of CONFINED_STARTS) {
      texts[start.means] = await textOf(
        start.means === 'process' ? { state: 'unconfined', reason: 'refused', start } : { state: 'confined', start },
      );
    }
    expect(texts['bubblewrap']).to.match(
      / are confined by bubblewrap: kept from the network, files but their own, other processes$/,
    );
    expect(texts['namespaces']).to.match(/ are confined by user namespaces: kept from the network; bubblewrap /);
    expect(texts['process']).to.match(/ are not confined by the system: neither bubblewrap /);
    expect(await textOf({ state: 'unconfined', reason: 'other_system', start: null })).to.match(
      / are not confined by the system: this system has no way to do so; what they take away /,
    );
  });
});
