import { BlockList, isIP } from 'node:net';
import { literalAddress } from './resolve.ts';

/**
 * Whether `NO_PROXY` takes a server out: a list, by commas or blanks, of names with all below them, of names with a
 * port, of addresses, of ranges of addresses, or of `*` for every server.
 */
export function isException(exceptions: string, hostname: string, port: number): boolean {
  return exceptions.split(/[\s,]+/).some((entry) => entry !== '' && matches(entry.toLowerCase(), hostname, port));
}

function matches(entry: string, hostname: string, port: number): boolean {
  if (entry === '*') return true;
  const [, host = entry, ofPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
  if (ofPort !== undefined && Number(ofPort) !== port) return false;
  const address = literalAddress(hostname);
  if (address !== null) return matchesAddress(host, address);
  const name = host.replace(/^\*?\./, '');
  return name !== '' && (hostname === name || hostname.endsWith(`.${name}`));
}

function matchesAddress(host: string, address: string): boolean {
  const [network = '', prefix] = (literalAddress(host) ?? host).split('/');
  const kind = isIP(network);
  const bits = Number(prefix ?? (kind === 6 ? 128 : 32));
  if (kind === 0 || kind !== isIP(address) || !Number.isInteger(bits) || bits > (kind === 6 ? 128 : 32)) return false;
  const family = kind === 6 ? 'ipv6' : 'ipv4';
  const listed = new BlockList();
  listed.addSubnet(network, bits, family);
  return listed.check(address, family);
}
