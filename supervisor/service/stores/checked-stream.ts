import { createHash } from 'node:crypto';
import { StoreError } from './interface.ts';

/**
 * Passes on what it reads, and rejects with `damaged` at the end where that is not what its checksum (64 hex digits)
 * says.
 */
export async function* checkStream(stream: AsyncIterable<Uint8Array>, sha256: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  for await (const part of stream) {
    hash.update(part);
    yield part;
  }
  if (hash.digest('hex') !== sha256) throw new StoreError('damaged');
}
