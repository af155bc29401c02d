import { AwsClient } from 'aws4fetch';
import { StoreError } from './interface.ts';

/** An S3-compatible store; requests address the bucket in the path. */
export interface ObjectStoreOptions {
  /** Such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken?: string;
  };
  /** Key of the store's key service under which what belongs to a tenant is encrypted; none by default. */
  readonly encryptionKey?: (tenant: string) => string | undefined;
  /** Bytes above which content goes up in parts, and of each part: 5 MiB at least for most stores; 8 MiB by default. */
  readonly partBytes?: number;
  /** Milliseconds for one request to be answered; 60,000 by default. */
  readonly answerMs?: number;
}

export interface ObjectRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
}

export type Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';

/**
 * Signed requests to one bucket; paths are of letters, digits, dots, dashes, underscores and slashes. Rejects with
 * StoreError.
 */
export interface ObjectClient {
  readonly partBytes: number;
  request(method: Method, path: string, request: ObjectRequest): Promise<Response>;
  /** Rejects with `unavailable` for any other status. */
  expect(method: Method, path: string, request: ObjectRequest, statuses: readonly number[]): Promise<Response>;
  /** Paths that a prefix begins, in the order of their text. */
  list(prefix: string): AsyncIterable<string>;
  /** Headers that encrypt what is made for a tenant. */
  encryption(tenant: string): Readonly<Record<string, string>>;
  uri(path: string): string;
}

const PART_BYTES = 8 * 1024 * 1024;
const ANSWER_MS = 60_000;

export function objectClient({
  endpoint,
  bucket,
  region,
  credentials,
  encryptionKey,
  partBytes = PART_BYTES,
  answerMs = ANSWER_MS,
}: ObjectStoreOptions): ObjectClient {
  const aws = new AwsClient({ ...credentials, region, service: 's3', retries: 0 });
  const base = `${endpoint.replace(/(?<!\/)\/+$/, '')}/${bucket}`;

  async function request(
    method: Method,
    path: string,
    { headers = {}, query = {}, body }: ObjectRequest,
  ): Promise<Response> {
    const parameters = new URLSearchParams(query).toString();
    const url = `${base}${path === '' ? '' : `/${path}`}${parameters === '' ? '' : `?${parameters}`}`;
    try {
      const signed = await aws.sign(url, { method, headers, ...(body === undefined ? {} : { body }) });
      return await fetch(signed, { signal: AbortSignal.timeout(answerMs), redirect: 'error' });
    } catch {
      throw new StoreError('unavailable');
    }
  }

  async function expect(
    method: Method,
    path: string,
    objectRequest: ObjectRequest,
    statuses: readonly number[],
  ): Promise<Response> {
    const response = await request(method, path, objectRequest);
    if (statuses.includes(response.status)) return response;
    await response.body?.cancel();
    throw new StoreError('unavailable');
  }

  async function* list(prefix: string): AsyncGenerator<string> {
    let token: string | null = null;
    do {
      const response: Response = await expect(
        'GET',
        '',
        { query: { 'list-type': '2', prefix, ...(token === null ? {} : { 'continuation-token': token }) } },
        [200],
      );
      const text = await response.text();
      for (const [, path = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) yield path;
      token = readElementText(text, 'NextContinuationToken');
    } while (token !== null);
  }

  return {
    partBytes,
    request,
    expect,
    list,
    encryption: (tenant) => {
      const key = encryptionKey?.(tenant);
      return key === undefined
        ? {}
        : { 'x-amz-server-side-encryption': 'aws:kms', 'x-amz-server-side-encryption-aws-kms-key-id': key };
    },
    uri: (path) => `s3://${bucket}/${path}`,
  };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text of the first element of that name; null where there is none. Elements that hold others are not asked for. */
export function readElementText(xml: string, element: string): string | null {
  const text = new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];
  return text === undefined
    ? null
    : text.replaceAll(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
