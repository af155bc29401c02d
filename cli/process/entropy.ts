import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Random bytes of the machine, straight from the kernel's device: node's own source brings in its whole cryptography,
 * 4 ms before the first host can be forked. Throws where there is no such device and no other source either.
 */
export function fillAtRandom(bytes: Uint8Array): void {
  let device: number;
  try {
    device = openSync('/dev/urandom', 'r');
  } catch {
    process.getBuiltinModule('node:crypto').randomFillSync(bytes);
    return;
  }
  try {
    if (readSync(device, bytes) !== bytes.length) throw new Error('the random device is short of bytes');
  } finally {
    closeSync(device);
  }
}
