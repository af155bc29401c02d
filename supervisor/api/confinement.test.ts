import { expect } from 'chai';
import { confinementText } from './confinement.ts';

describe('what a person is told of sandbox processes (gateway.md §17)', () => {
  it('is a word for each way in which it can be', async () => {
    const told = [
      await confinementText(async () => ({ state: 'confined', words: [] })),
      await confinementText(async () => ({ state: 'unconfined', reason: 'other_system' })),
      await confinementText(async () => ({ state: 'unconfined', reason: 'refused' })),
    ];
    expect(told.map((text) => / (are|cannot be) kept from the network( on this system| here: )?/.exec(text)?.slice(1))).to.deep.equal([['are', undefined], ['cannot be', ' on this system'], ['cannot be', ' here: ']]);
  });
});
