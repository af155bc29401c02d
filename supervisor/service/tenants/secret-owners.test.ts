import { expect } from 'chai';
import { secretOwners } from './secret-owners.ts';

describe('whose a credential is (gateway.md §17)', () => {
  it('is of the tenant that used it first', () => {
    const owners = secretOwners();
    expect([
      owners.isOwn('a', 'one'),
      owners.isOwn('a', 'one'),
      owners.isOwn('b', 'one'),
      owners.isOwn('b', 'two'),
      owners.isOwn('a', 'two'),
    ]).to.deep.equal([true, true, false, true, false]);
  });

  it('is known of so many values, those that were used last', () => {
    const owners = secretOwners(2);
    for (const value of ['one', 'two', 'one', 'three']) expect(owners.isOwn('a', value)).to.equal(true);
    expect([owners.isOwn('b', 'one'), owners.isOwn('b', 'three'), owners.isOwn('b', 'two')]).to.deep.equal([
      false,
      false,
      true,
    ]);
  });
});
