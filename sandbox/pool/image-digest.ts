import { closeSync, openSync, readSync } from 'node:fs';

/** As sandbox/host/snapshot.ts lays an image out: `u32 header length | header (JSON) | …`. */
const PREFIX_BYTES = 4;
/** A header states five short facts. */
const MAX_HEADER_BYTES = 1024;
const DIGEST = /^[0-9a-f]{64}$/;

/** What the build wrote of a guest image into its header. */
export interface ImageFacts {
  /** SHA-256 in hex of its scripts and snapshots, so that nobody need read the whole of it. */
  readonly digest: string;
  /** Where its snapshots can be read (sandbox/wire/image-platform.ts). */
  readonly platform: string;
}

/** The digest of a guest image; null for a file without one. Throws what the file system throws. */
export function readImageDigest(file: string): string | null {
  return readImageFacts(file)?.digest ?? null;
}

/** Null for a file without such a header. Throws what the file system throws. */
export function readImageFacts(file: string): ImageFacts | null {
  const descriptor = openSync(file, 'r');
  try {
    const start = Buffer.alloc(PREFIX_BYTES + MAX_HEADER_BYTES);
    const read = readSync(descriptor, start, 0, start.length, 0);
    const end = read < PREFIX_BYTES ? 0 : PREFIX_BYTES + start.readUInt32BE(0);
    return end > PREFIX_BYTES && end <= read ? factsIn(start.toString('utf8', PREFIX_BYTES, end)) : null;
  } finally {
    closeSync(descriptor);
  }
}

function factsIn(header: string): ImageFacts | null {
  let value: unknown;
  try {
    value = JSON.parse(header);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('digest' in value)) return null;
  const { digest } = value;
  if (typeof digest !== 'string' || !DIGEST.test(digest)) return null;
  return { digest, platform: 'platform' in value && typeof value.platform === 'string' ? value.platform : '' };
}
