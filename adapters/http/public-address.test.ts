import { expect } from 'chai';
import { isPublicAddress } from './public-address.ts';

describe('addresses of the open network (providers.md §9)', () => {
  /** Of each denied range: what stands before it, its first, its last, and what stands after it. */
  const ranges: readonly (readonly [before: string | null, first: string, last: string, after: string | null])[] = [
    [null, '0.0.0.0', '0.255.255.255', '1.0.0.0'],
    ['9.255.255.255', '10.0.0.0', '10.255.255.255', '11.0.0.0'],
    ['100.63.255.255', '100.64.0.0', '100.127.255.255', '100.128.0.0'],
    ['126.255.255.255', '127.0.0.0', '127.255.255.255', '128.0.0.0'],
    ['169.253.255.255', '169.254.0.0', '169.254.255.255', '169.255.0.0'],
    ['172.15.255.255', '172.16.0.0', '172.31.255.255', '172.32.0.0'],
    ['191.255.255.255', '192.0.0.0', '192.0.0.255', '192.0.1.0'],
    ['192.0.1.255', '192.0.2.0', '192.0.2.255', '192.0.3.0'],
    ['192.167.255.255', '192.168.0.0', '192.168.255.255', '192.169.0.0'],
    ['198.17.255.255', '198.18.0.0', '198.19.255.255', '198.20.0.0'],
    ['198.51.99.255', '198.51.100.0', '198.51.100.255', '198.51.101.0'],
    ['203.0.112.255', '203.0.113.0', '203.0.113.255', '203.0.114.0'],
    ['223.255.255.255', '224.0.0.0', '255.255.255.255', null],
    [null, '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2000::'],
    ['2000:ffff::', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
    ['2001:db7:ffff::', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db9::'],
    ['2001:ffff::', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
    ['3fef:ffff::', '3ff0::', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
    [null, '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null],
  ];
  for (const [before, first, last, after] of ranges) {
    it(`are not from ${first} to ${last}`, () => {
      for (const inside of [first, last]) expect(isPublicAddress(inside), inside).to.equal(false);
      for (const outside of [before, after])
        if (outside !== null) expect(isPublicAddress(outside), outside).to.equal(true);
    });
  }

  it('are judged as what they are, in whatever form they are written', () => {
    for (const address of ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.1.2.3', '::127.0.0.1', '64:ff9b::7f00:1'])
      expect(isPublicAddress(address), address).to.equal(false);
    for (const address of ['::ffff:8.8.8.8', '8.8.8.8', '2606:4700::1111'])
      expect(isPublicAddress(address), address).to.equal(true);
  });

  it('are not what is no address', () => {
    for (const address of ['', 'localhost', '1.2.3', '2606:4700::1111%eth0'])
      expect(isPublicAddress(address), address).to.equal(false);
  });
});
