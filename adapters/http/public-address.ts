import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** What nobody reaches over the open network (providers.md §9, "Origins"). */
const PRIVATE_V4 = subnets('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);
const GLOBAL_V6 = subnets('ipv6', ['2000::/3']);
/**
 * Within the global ones: of the protocol itself, of documents, and tunnels that lead to addresses of the older kind.
 */
const RESERVED_V6 = subnets('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3ff0::/12']);
const MAPPED = subnets('ipv6', ['::ffff:0:0/96']);

/**
 * Whether an address is one of the open network; one of the older kind in the form of the newer is judged as what it
 * is.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !PRIVATE_V4.check(address, 'ipv4');
  // A zone belongs to one machine.
  if (!isIPv6(address) || address.includes('%')) return false;
  if (MAPPED.check(address, 'ipv6')) return !PRIVATE_V4.check(address, 'ipv6');
  return GLOBAL_V6.check(address, 'ipv6') && !RESERVED_V6.check(address, 'ipv6');
}

function subnets(family: 'ipv4' | 'ipv6', list: readonly string[]): BlockList {
  const blocked = new BlockList();
  for (const subnet of list) {
    const [network = '', prefix] = subnet.split('/');
    blocked.addSubnet(network, Number(prefix), family);
  }
  return blocked;
}
