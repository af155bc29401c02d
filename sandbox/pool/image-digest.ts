import { closeSync, openSync, readSync } from 'node:fs';

/** As sandbox/host/snapshot.ts lays an image out: `u32 header length | header (JSON) | …`. */
const PREFIX_BYTES = 4;
/** A header states five short facts. */
const MAX_HEADER_BYTES = 1024;
const DIGEST = /^[0-9a-f]{64}$/;

/**
 * The SHA-256 in hex of a guest image's scripts and snapshot that its build wrote into its header, so that nobody need
 * read the whole of it; null for a file without one. Throws what the file system throws.
 */
export function readImageDigest(file: string): string | null {
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(PREFIX_BYTES + MAX_HEADER_BYTES);
    const read = readSync(descriptor, start, 0, start.length, 0);
    const end = read < PREFIX_BYTES ? 0 : PREFIX_BYTES + start.readUInt32BE(0);
    return end > PREFIX_BYTES && end <= read ? digestIn(start.toString('utf8', PREFIX_BYTES, end)) : null;
  } finally {
    closeSync(descriptor);
  }
}

function digestIn(header: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(header);
  } catch {
    return null;
  }
  const digest = typeof value === 'object' && value !== null && 'digest' in value ? value.digest : null;
  return typeof digest === 'string' && DIGEST.test(digest) ? digest : null;
}
