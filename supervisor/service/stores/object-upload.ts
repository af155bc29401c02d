import { createHash } from 'node:crypto';
import { StoreError } from './interface.ts';
import { readElementText, type ObjectClient } from './object-client.ts';

/** Content on its way to one object. */
export interface ObjectUpload {
  readonly nonce: string;
  /** Once. What fails leaves no part behind. */
  write(stream: AsyncIterable<Uint8Array>): Promise<void>;
  written(): { readonly bytes: number; readonly sha256: string };
  isInParts(): boolean;
  /** Makes the object, with these headers where it goes up in one piece. Who is rejected gives it up. */
  finish(headers: Readonly<Record<string, string>>): Promise<'committed' | 'exists'>;
  abort(): Promise<void>;
}

export interface UploadRequest {
  readonly path: string;
  /** Of an object that goes up in parts; they are named at its begin. */
  readonly headers: Readonly<Record<string, string>>;
  readonly nonce: string;
}

/** Two clients that make one object at once may both be asked to come again. */
const CONFLICT_ATTEMPTS = 5;
const ONLY_NEW = { 'if-none-match': '*' };

export function beginUpload(client: ObjectClient, { path, headers, nonce }: UploadRequest): ObjectUpload {
  const hash = createHash('sha256');
  const tags: string[] = [];
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  let bytes = 0;
  let digest: string | null = null;
  let uploadId: string | null = null;

  async function sendPart(): Promise<void> {
    uploadId ??= readElementText(
      await (await client.expect('POST', path, { query: { uploads: '' }, headers }, [200])).text(),
      'UploadId',
    );
    if (uploadId === null) throw new StoreError('unavailable');
    const part = await client.expect(
      'PUT',
      path,
      { query: { partNumber: String(tags.length + 1), uploadId }, body: Buffer.concat(waiting) },
      [200],
    );
    const tag = part.headers.get('etag');
    if (tag === null) throw new StoreError('unavailable');
    tags.push(tag);
    waiting = [];
    waitingBytes = 0;
  }

  async function take(part: Uint8Array): Promise<void> {
    hash.update(part);
    bytes += part.length;
    for (let from = 0; from < part.length;) {
      // Sent only once more is to come: content of one part exactly goes up in one piece.
      if (waitingBytes === client.partBytes) await sendPart();
      const piece = Uint8Array.from(part.subarray(from, from + client.partBytes - waitingBytes));
      waiting.push(piece);
      waitingBytes += piece.length;
      from += piece.length;
    }
  }

  async function abort(): Promise<void> {
    const id = uploadId;
    uploadId = null;
    waiting = [];
    if (id !== null) await client.expect('DELETE', path, { query: { uploadId: id } }, [200, 204, 404]);
  }

  async function complete(): Promise<'committed' | 'exists'> {
    if (waitingBytes > 0) await sendPart();
    if (uploadId === null) throw new StoreError('unavailable');
    const parts = tags
      .map(
        (tag, index) =>
          `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`,
      )
      .join('');
    const body = Buffer.from(`<CompleteMultipartUpload>${parts}</CompleteMultipartUpload>`);
    const response = await client.request('POST', path, {
      query: { uploadId },
      headers: { ...ONLY_NEW, 'content-type': 'application/xml' },
      body,
    });
    const text = await response.text();
    // A store may answer 200 before it knows how it ends, and report a fault in the text.
    if (response.status === 200 && !text.includes('<Error>')) {
      uploadId = null;
      return 'committed';
    }
    await abort();
    if (response.status === 412 || (response.status === 409 && (await isThere()))) return 'exists';
    throw new StoreError('unavailable');
  }

  async function isThere(): Promise<boolean> {
    return (await client.request('HEAD', path, {})).status === 200;
  }

  async function putWhole(own: Readonly<Record<string, string>>): Promise<'committed' | 'exists'> {
    const body = Buffer.concat(waiting);
    for (let attempt = 0; attempt < CONFLICT_ATTEMPTS; attempt += 1) {
      const response = await client.request('PUT', path, { headers: { ...own, ...ONLY_NEW }, body });
      await response.body?.cancel();
      if (response.status === 200) return 'committed';
      if (response.status === 412) return 'exists';
      if (response.status !== 409) break;
    }
    throw new StoreError('unavailable');
  }

  return {
    nonce,
    write: async (stream) => {
      try {
        for await (const part of stream) await take(part);
        digest = hash.digest('hex');
      } catch (error) {
        await abort();
        throw error;
      }
    },
    written: () => {
      if (digest === null) throw new StoreError('key_invalid');
      return { bytes, sha256: digest };
    },
    isInParts: () => uploadId !== null,
    finish: async (own) => (uploadId === null ? putWhole(own) : complete()),
    abort,
  };
}
