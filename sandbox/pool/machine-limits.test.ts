import { expect } from 'chai';
import { isAddressSpaceShort } from './machine-limits.ts';

const limits = (bytes: string) => () =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax cpu time              unlimited            unlimited            seconds   \nMax address space         ${bytes}           unlimited            bytes     \n`;
const DATA = 3_000_000;
const NEEDED = (DATA + 2 * 1024 * 1024) * 1024;

describe('the address space of this machine', () => {
  it('is short below what a host may map', () => {
    expect(
      [NEEDED - 1, NEEDED, NEEDED + 1].map((bytes) => isAddressSpaceShort(DATA, limits(String(bytes)))),
    ).to.deep.equal([true, false, false]);
  });

  it('is not where nothing limits it, or nothing says so', () => {
    expect(isAddressSpaceShort(DATA, limits('unlimited'))).to.equal(false);
    expect(isAddressSpaceShort(DATA, () => '')).to.equal(false);
    expect(isAddressSpaceShort(null, limits('1'))).to.equal(false);
  });
});
