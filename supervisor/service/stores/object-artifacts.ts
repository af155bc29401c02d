import { randomBytes } from 'node:crypto';
import { checkKey, checkTenant, compareKeys, parseArtifactKey, splitArtifactKey } from './artifact-key.ts';
import { checkStream } from './checked-stream.ts';
import { checkObjectStore } from './arguments.ts';
import {
  StoreError,
  type ArtifactKey,
  type ArtifactReservation,
  type ArtifactStore,
  type CommitOutcome,
} from './interface.ts';
import { objectClient, type ObjectClient, type ObjectStoreOptions } from './object-client.ts';
import { beginUpload, type ObjectUpload } from './object-upload.ts';

export type { ObjectStoreOptions } from './object-client.ts';

/** Of the objects that hold checksums of content that was uploaded in parts. */
const SUMS = '.sums';
const DIGEST_HEADER = 'x-amz-meta-svc-sha256';
const UPLOAD_HEADER = 'x-amz-meta-svc-upload';

interface Opened {
  readonly contentType: string;
  upload: ObjectUpload | null;
}

/**
 * Artifacts as objects of an S3-compatible store: `<tenant>/<run_ref>/<epoch>/<name>`, made with `If-None-Match: *` so
 * that none replaces another; content above one part goes up in parts, which are given up where the artifact fails
 * (gateway.md §16). The store must know conditional creation; one that does not is refused at the first commit by what
 * it answers.
 */
export function openObjectArtifacts(options: ObjectStoreOptions): ArtifactStore {
  checkObjectStore(options);
  const client = objectClient(options);
  const reservations = new Map<ArtifactReservation, Opened>();
  const openedOf = (reservation: ArtifactReservation): Opened => {
    const opened = reservations.get(reservation);
    if (opened === undefined) throw new StoreError('key_invalid');
    return opened;
  };
  return {
    reserve: async (key, { contentType }) => {
      checkKey(key);
      if ((await client.request('HEAD', pathOf(key), {})).status === 200) throw new StoreError('exists');
      const reservation = { key };
      reservations.set(reservation, { contentType, upload: null });
      return reservation;
    },
    write: async (reservation, stream) => {
      const opened = openedOf(reservation);
      if (opened.upload !== null) throw new StoreError('key_invalid');
      const nonce = randomBytes(16).toString('hex');
      const headers = {
        'content-type': opened.contentType,
        [UPLOAD_HEADER]: nonce,
        ...client.encryption(reservation.key.tenant),
      };
      opened.upload = beginUpload(client, { path: pathOf(reservation.key), headers, nonce });
      await opened.upload.write(stream);
    },
    commit: async (reservation) => {
      const { upload, contentType } = openedOf(reservation);
      if (upload === null) throw new StoreError('key_invalid');
      reservations.delete(reservation);
      return commitObject(client, { key: reservation.key, contentType, upload });
    },
    abort: async (reservation) => {
      const upload = reservations.get(reservation)?.upload ?? null;
      reservations.delete(reservation);
      await upload?.abort();
    },
    read: async (key) => {
      checkKey(key);
      return readObject(client, key);
    },
    list: (prefix) => listObjects(client, prefix),
    uri: (key) => client.uri(pathOf(key)),
    remove: async (key) => {
      checkKey(key);
      const path = pathOf(key);
      const head = await client.request('HEAD', path, {});
      const nonce = head.headers.get(UPLOAD_HEADER);
      await client.expect('DELETE', path, {}, [200, 204, 404]);
      if (nonce !== null) await client.expect('DELETE', sumPath(key, nonce), {}, [200, 204, 404]);
    },
  };
}

function pathOf(key: ArtifactKey): string {
  return splitArtifactKey(key).join('/');
}

function sumPath({ tenant, runRef, epoch, name }: ArtifactKey, nonce: string): string {
  return [tenant, runRef, String(epoch), SUMS, `${name}.${nonce}`].join('/');
}

async function commitObject(
  client: ObjectClient,
  {
    key,
    contentType,
    upload,
  }: { readonly key: ArtifactKey; readonly contentType: string; readonly upload: ObjectUpload },
): Promise<CommitOutcome> {
  const { bytes, sha256 } = upload.written();
  const path = pathOf(key);
  const sum = upload.isInParts() ? sumPath(key, upload.nonce) : null;
  try {
    // The checksum of parts is known only once all are there: it is next to them, under a name of this upload.
    if (sum !== null)
      await client.expect('PUT', sum, { body: Buffer.from(sha256), headers: client.encryption(key.tenant) }, [200]);
    const outcome = await upload.finish({
      'content-type': contentType,
      [DIGEST_HEADER]: sha256,
      ...client.encryption(key.tenant),
    });
    if (outcome === 'committed') return { outcome, stored: { key, uri: client.uri(path), bytes, sha256 } };
    if (sum !== null) await client.expect('DELETE', sum, {}, [200, 204, 404]);
    return { outcome };
  } catch (error) {
    await upload.abort();
    if (sum !== null) await client.expect('DELETE', sum, {}, [200, 204, 404]);
    throw error;
  }
}

async function readObject(client: ObjectClient, key: ArtifactKey): Promise<AsyncIterable<Uint8Array> | null> {
  const response = await client.request('GET', pathOf(key), {});
  if (response.status === 404) return null;
  if (response.status !== 200) throw new StoreError('unavailable');
  const sha256 = response.headers.get(DIGEST_HEADER) ?? (await sumOf(client, key, response.headers.get(UPLOAD_HEADER)));
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new StoreError('damaged');
  return checkStream(readPartsOfBody(response.body), sha256);
}

async function sumOf(client: ObjectClient, key: ArtifactKey, nonce: string | null): Promise<string> {
  if (nonce === null || !/^[0-9a-f]{32}$/.test(nonce)) throw new StoreError('damaged');
  const response = await client.request('GET', sumPath(key, nonce), {});
  if (response.status !== 200) throw new StoreError(response.status === 404 ? 'damaged' : 'unavailable');
  return response.text();
}

/** A connection that breaks off says nothing about the content. */
async function* readPartsOfBody(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  try {
    if (body !== null) yield* body;
  } catch {
    throw new StoreError('unavailable');
  }
}

async function* listObjects(
  client: ObjectClient,
  { tenant, runRef }: { readonly tenant: string; readonly runRef?: string },
): AsyncGenerator<ArtifactKey> {
  checkTenant(tenant);
  // Ten sorts before two where names are sorted as text: the epochs of one run are put in order.
  let gathered: ArtifactKey[] = [];
  for await (const path of client.list(runRef === undefined ? `${tenant}/` : `${tenant}/${runRef}/`)) {
    const parts = path.split('/');
    const key = parts.length === 4 ? parseArtifactKey(tenant, parts[1] ?? '', parts[2] ?? '', parts[3] ?? '') : null;
    if (key === null) continue;
    if (gathered[0] !== undefined && gathered[0].runRef !== key.runRef) {
      yield* gathered.toSorted(compareKeys);
      gathered = [];
    }
    gathered.push(key);
  }
  yield* gathered.toSorted(compareKeys);
}
