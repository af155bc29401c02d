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

export function beginUpload(client: ObjectClient, request: UploadRequest): ObjectUpload {
  return new BufferedUpload(client, request);
}

/** Content that is held until it is more than one part, or all of it is there. */
class BufferedUpload implements ObjectUpload {
  readonly nonce: string;
  readonly #client: ObjectClient;
  readonly #path: string;
  readonly #parts: UploadInParts;
  readonly #hash = createHash('sha256');
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #digest: string | null = null;

  constructor(client: ObjectClient, { path, headers, nonce }: UploadRequest) {
    this.nonce = nonce;
    this.#client = client;
    this.#path = path;
    this.#parts = new UploadInParts(client, path, headers);
  }

  async write(stream: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const piece of stream) await this.#take(piece);
      this.#digest = this.#hash.digest('hex');
    } catch (error) {
      await this.abort();
      throw error;
    }
  }

  written(): { readonly bytes: number; readonly sha256: string } {
    if (this.#digest === null) throw new StoreError('key_invalid');
    return { bytes: this.#bytes, sha256: this.#digest };
  }

  isInParts(): boolean {
    return this.#parts.isOpen();
  }

  async finish(headers: Readonly<Record<string, string>>): Promise<'committed' | 'exists'> {
    if (!this.isInParts()) return this.#putWhole(headers);
    if (this.#waitingBytes > 0) await this.#sendWaiting();
    return this.#parts.complete();
  }

  async abort(): Promise<void> {
    this.#waiting = [];
    await this.#parts.abort();
  }

  async #take(content: Uint8Array): Promise<void> {
    const { partBytes } = this.#client;
    this.#hash.update(content);
    this.#bytes += content.length;
    for (let from = 0; from < content.length;) {
      // Sent only once more is to come: content of one part exactly goes up in one piece.
      if (this.#waitingBytes === partBytes) await this.#sendWaiting();
      const piece = Uint8Array.from(content.subarray(from, from + partBytes - this.#waitingBytes));
      this.#waiting.push(piece);
      this.#waitingBytes += piece.length;
      from += piece.length;
    }
  }

  async #sendWaiting(): Promise<void> {
    await this.#parts.send(Buffer.concat(this.#waiting));
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  async #putWhole(headers: Readonly<Record<string, string>>): Promise<'committed' | 'exists'> {
    const body = Buffer.concat(this.#waiting);
    for (let attempt = 0; attempt < CONFLICT_ATTEMPTS; attempt += 1) {
      const response = await this.#client.request('PUT', this.#path, { headers: { ...headers, ...ONLY_NEW }, body });
      await response.body?.cancel();
      if (response.status === 200) return 'committed';
      if (response.status === 412) return 'exists';
      if (response.status !== 409) break;
    }
    throw new StoreError('unavailable');
  }
}

/** An object that goes up in parts, from the first of them on. */
class UploadInParts {
  readonly #client: ObjectClient;
  readonly #path: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #tags: string[] = [];
  #id: string | null = null;

  constructor(client: ObjectClient, path: string, headers: Readonly<Record<string, string>>) {
    this.#client = client;
    this.#path = path;
    this.#headers = headers;
  }

  isOpen(): boolean {
    return this.#id !== null;
  }

  async send(body: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#id ??= await this.#begin();
    const query = { partNumber: String(this.#tags.length + 1), uploadId: this.#id };
    const part = await this.#client.expect('PUT', this.#path, { query, body }, [200]);
    const tag = part.headers.get('etag');
    if (tag === null) throw new StoreError('unavailable');
    this.#tags.push(tag);
  }

  async complete(): Promise<'committed' | 'exists'> {
    if (this.#id === null) throw new StoreError('unavailable');
    const response = await this.#client.request('POST', this.#path, {
      query: { uploadId: this.#id },
      headers: { ...ONLY_NEW, 'content-type': 'application/xml' },
      body: listOfParts(this.#tags),
    });
    const text = await response.text();
    // A store may answer 200 before it knows how it ends, and report a fault in the text.
    if (response.status === 200 && !text.includes('<Error>')) {
      this.#id = null;
      return 'committed';
    }
    await this.abort();
    if (response.status === 412 || (response.status === 409 && (await this.#isThere()))) return 'exists';
    throw new StoreError('unavailable');
  }

  async abort(): Promise<void> {
    const id = this.#id;
    this.#id = null;
    if (id !== null) await this.#client.expect('DELETE', this.#path, { query: { uploadId: id } }, [200, 204, 404]);
  }

  async #begin(): Promise<string> {
    const request = { query: { uploads: '' }, headers: this.#headers };
    const response = await this.#client.expect('POST', this.#path, request, [200]);
    const id = readElementText(await response.text(), 'UploadId');
    if (id === null) throw new StoreError('unavailable');
    return id;
  }

  async #isThere(): Promise<boolean> {
    return (await this.#client.request('HEAD', this.#path, {})).status === 200;
  }
}

function listOfParts(tags: readonly string[]): Uint8Array<ArrayBuffer> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`,
  );
  return Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
}
