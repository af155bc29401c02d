import { readFileSync } from 'node:fs';

const ADDRESS_SPACE = /^Max address space\s+(\d+|unlimited)/m;
const BYTES_PER_KILOBYTE = 1024;

/**
 * Whether this process, and with it every host, has less address space than a host may map (`dataKilobytes`): one that
 * then crashes lacked what the machine withholds, whatever its programs did. Libraries and stacks are part of the
 * difference.
 */
export function isAddressSpaceShort(dataKilobytes: number | null, read: () => string = readLimits): boolean {
  if (dataKilobytes === null) return false;
  const [, bytes] = ADDRESS_SPACE.exec(read()) ?? [];
  return (
    bytes !== undefined &&
    bytes !== 'unlimited' &&
    Number(bytes) / BYTES_PER_KILOBYTE < dataKilobytes + BESIDE_KILOBYTES
  );
}

/**
 * What a host maps in addition to its data: node's program and libraries, V8's cage of addresses that nothing is
 * written to.
 */
const BESIDE_KILOBYTES = 2 * 1024 * 1024;

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch {
    // Another system, which does not report it.
    return '';
  }
}
