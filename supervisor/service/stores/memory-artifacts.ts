import { createHash } from 'node:crypto';
import { checkKey, checkTenant, compareKeys, splitArtifactKey } from './artifact-key.ts';
import { checkStream } from './checked-stream.ts';
import { StoreError, type ArtifactKey, type ArtifactReservation, type ArtifactStore } from './interface.ts';

/**
 * Artifacts in the memory of this process, for tests and for runs whose artifacts are handed on at once (gateway.md
 * §16).
 */
export function createMemoryArtifacts(): ArtifactStore {
  const committed = new Map<
    string,
    { readonly key: ArtifactKey; readonly bytes: Uint8Array; readonly sha256: string }
  >();
  const open = new Map<ArtifactReservation, Uint8Array | null>();
  const contentOf = (reservation: ArtifactReservation): Uint8Array | null => {
    const content = open.get(reservation);
    if (content === undefined) throw new StoreError('key_invalid');
    return content;
  };
  return {
    reserve: async (key) => {
      checkKey(key);
      if (committed.has(nameOf(key))) throw new StoreError('exists');
      const reservation = { key };
      open.set(reservation, null);
      return reservation;
    },
    write: async (reservation, stream) => {
      if (contentOf(reservation) !== null) throw new StoreError('key_invalid');
      const parts: Uint8Array[] = [];
      for await (const part of stream) parts.push(Uint8Array.from(part));
      open.set(reservation, Buffer.concat(parts));
    },
    commit: async (reservation) => {
      const bytes = contentOf(reservation);
      if (bytes === null) throw new StoreError('key_invalid');
      open.delete(reservation);
      const name = nameOf(reservation.key);
      if (committed.has(name)) return { outcome: 'exists' };
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      committed.set(name, { key: reservation.key, bytes, sha256 });
      return {
        outcome: 'committed',
        stored: { key: reservation.key, uri: uriOf(reservation.key), bytes: bytes.length, sha256 },
      };
    },
    abort: async (reservation) => {
      open.delete(reservation);
    },
    read: async (key) => {
      checkKey(key);
      const found = committed.get(nameOf(key));
      return found === undefined ? null : checkStream(once(found.bytes), found.sha256);
    },
    list: ({ tenant, runRef }) =>
      listStored(() => {
        checkTenant(tenant);
        return [...committed.values()]
          .map(({ key }) => key)
          .filter((key) => key.tenant === tenant && (runRef === undefined || key.runRef === runRef))
          .toSorted(compareKeys);
      }),
    uri: uriOf,
    remove: async (key) => {
      checkKey(key);
      committed.delete(nameOf(key));
    },
  };
}

function uriOf(key: ArtifactKey): string {
  return `memory:${nameOf(key)}`;
}

function nameOf(key: ArtifactKey): string {
  return splitArtifactKey(key).join('/');
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function* listStored(keys: () => readonly ArtifactKey[]): AsyncGenerator<ArtifactKey> {
  yield* keys();
}
