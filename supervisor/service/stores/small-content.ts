import {
  StoreError,
  type ArtifactKey,
  type ArtifactMeta,
  type ArtifactStore,
  type CommitOutcome,
} from './interface.ts';

/** Keeps bytes that are at hand; rejects with what the store does, and then none of it stays. */
export async function storeContent(
  store: ArtifactStore,
  key: ArtifactKey,
  meta: ArtifactMeta,
  bytes: Uint8Array,
): Promise<CommitOutcome> {
  const reservation = await store.reserve(key, meta);
  try {
    await store.write(reservation, once(bytes));
    return await store.commit(reservation);
  } catch (error) {
    await store.abort(reservation).catch(() => undefined);
    throw error;
  }
}

/**
 * All of an artifact; null where there is none. Rejects with `damaged` above `maxBytes`: what was kept is never so
 * long.
 */
export async function readContentAt(
  store: ArtifactStore,
  key: ArtifactKey,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const stream = await store.read(key);
  if (stream === null) return null;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes > maxBytes) throw new StoreError('damaged');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * Whether a store refused because the name is taken; it may be another's than ours, and its errors of another class.
 */
export function alreadyExists(error: unknown): boolean {
  return error instanceof Error && 'fault' in error && error.fault === 'exists';
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
