import { expect } from 'chai';
import type { ConfinementLayer } from '../../sandbox/pool/confinement.ts';
import { confinementText } from './confinement.ts';

const confined = (...layers: readonly ConfinementLayer[]) => confinementText(async () => ({ state: 'confined', start: { layers, words: () => [], isBetween: false } }));

describe('what a person is told of sandbox processes (gateway.md §17)', () => {
  it('is a word for each way in which it can be', async () => {
    expect(await confined('network', 'files', 'processes')).to.match(/ are kept from the network, files but their own, other processes$/);
    expect(await confined('network')).to.match(/ are kept from the network; bubblewrap /);
    expect(await confinementText(async () => ({ state: 'unconfined', reason: 'other_system' }))).to.match(/ cannot be kept from the network on this system$/);
    expect(await confinementText(async () => ({ state: 'unconfined', reason: 'refused' }))).to.match(/ cannot be kept from the network here: /);
  });
});
