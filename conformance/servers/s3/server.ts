import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * A store of objects as S3 speaks it, in memory, on loopback: GET, HEAD, PUT with `If-None-Match: *`, DELETE,
 * ListObjectsV2 with pages, and uploads in parts with conditional completion. Requests must be signed (version 4) with
 * the one key.
 */
export interface ObjectServer {
  readonly url: string;
  readonly bucket: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Objects by their path. Who changes a body here does what a broken disk does. */
  readonly objects: Map<string, StoredObject>;
  /** Paths of uploads in parts that were neither completed nor given up. */
  openUploads(): readonly string[];
  /** Answers the next request that `fits` with a status and an error code. */
  failNext(fits: (method: string, path: string, query: URLSearchParams) => boolean, status: number, code: string): void;
  close(): Promise<void>;
}

export interface StoredObject {
  body: Buffer;
  /** Those that belong to the object, in small letters. */
  readonly headers: Readonly<Record<string, string>>;
}

interface Upload {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, Buffer>;
}

interface Failure {
  readonly fits: (method: string, path: string, query: URLSearchParams) => boolean;
  readonly status: number;
  readonly code: string;
}

interface StorageRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

const BUCKET = 'artifacts';
const REGION = 'local-1';
const CREDENTIALS = { accessKeyId: 'AKIALOCAL', secretAccessKey: 'a-secret-of-the-suite' };

/** Starts a server; `pageKeys`: how many names one page of a listing gives. */
export async function startObjectServer({ pageKeys = 3 }: { readonly pageKeys?: number } = {}): Promise<ObjectServer> {
  const objects = new Map<string, StoredObject>();
  const uploads = new Map<string, Upload>();
  const failures: Failure[] = [];
  let uploadCount = 0;

  function answerTo(storageRequest: StorageRequest): Answer {
    const { method, path, query } = storageRequest;
    const failing = failures.findIndex(({ fits }) => fits(method, path, query));
    if (failing >= 0) {
      const [failure] = failures.splice(failing, 1);
      if (failure !== undefined) return fault(failure.status, failure.code);
    }
    if (path === '') return method === 'GET' ? listing(query) : fault(405, 'MethodNotAllowed');
    const id = query.get('uploadId');
    if (id !== null) return onUpload(storageRequest, id);
    if (method === 'POST' && query.has('uploads')) return begin(storageRequest);
    return onObject(storageRequest);
  }

  function begin({ path, headers }: StorageRequest): Answer {
    uploadCount += 1;
    uploads.set(String(uploadCount), { path, headers: ownHeaders(headers), parts: new Map() });
    return {
      status: 200,
      body: `<InitiateMultipartUploadResult><UploadId>${uploadCount}</UploadId></InitiateMultipartUploadResult>`,
    };
  }

  function onUpload({ method, path, query, headers, body }: StorageRequest, id: string): Answer {
    const upload = uploads.get(id);
    if (upload === undefined || upload.path !== path) return fault(404, 'NoSuchUpload');
    if (method === 'DELETE') {
      uploads.delete(id);
      return { status: 204 };
    }
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return { status: 200, headers: { etag: tagOf(body) } };
    }
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)];
    const parts = named.map(([, number, tag]) => ({
      part: upload.parts.get(Number(number)),
      tag: tag?.replaceAll('&quot;', '"'),
    }));
    const whole = parts.flatMap(({ part, tag }) => (part !== undefined && tagOf(part) === tag ? [part] : []));
    if (whole.length === 0 || whole.length !== named.length) return fault(400, 'InvalidPart');
    if (headers['if-none-match'] === '*' && objects.has(path)) return fault(412, 'PreconditionFailed');
    uploads.delete(id);
    objects.set(path, { body: Buffer.concat(whole), headers: upload.headers });
    return { status: 200, body: '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>' };
  }

  function onObject({ method, path, headers, body }: StorageRequest): Answer {
    const object = objects.get(path);
    switch (method) {
      case 'PUT':
        if (headers['if-none-match'] === '*' && object !== undefined) return fault(412, 'PreconditionFailed');
        objects.set(path, { body, headers: ownHeaders(headers) });
        return { status: 200, headers: { etag: tagOf(body) } };
      case 'DELETE':
        objects.delete(path);
        return { status: 204 };
      case 'GET':
      case 'HEAD':
        return object === undefined
          ? fault(404, 'NoSuchKey')
          : { status: 200, headers: object.headers, body: object.body };
      default:
        return fault(405, 'MethodNotAllowed');
    }
  }

  function listing(query: URLSearchParams): Answer {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const paths = [...objects.keys()].filter((path) => path.startsWith(prefix) && path > after).toSorted();
    const page = paths.slice(0, pageKeys);
    const next = paths.length > page.length ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    return {
      status: 200,
      body: `<ListBucketResult>${page.map((path) => `<Contents><Key>${path}</Key></Contents>`).join('')}${next}</ListBucketResult>`,
    };
  }

  const server = createServer((request, response) => {
    void bodyOf(request).then(
      (body) => {
        const url = new URL(request.url ?? '/', 'http://local');
        const isSigned =
          signatureOf(request, url, body) === /Signature=([0-9a-f]{64})/.exec(request.headers.authorization ?? '')?.[1];
        const path = /^\/artifacts\/?(.*)$/.exec(url.pathname)?.[1];
        if (!isSigned) return send(response, fault(403, 'SignatureDoesNotMatch'));
        if (path === undefined) return send(response, fault(404, 'NoSuchBucket'));
        return send(
          response,
          answerTo({ method: request.method ?? '', path, query: url.searchParams, headers: request.headers, body }),
        );
      },
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    bucket: BUCKET,
    region: REGION,
    credentials: CREDENTIALS,
    objects,
    openUploads: () => [...uploads.values()].map(({ path }) => path),
    failNext: (fits, status, code) => {
      failures.push({ fits, status, code });
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

function fault(status: number, code: string): Answer {
  return { status, body: `<Error><Code>${code}</Code></Error>` };
}

function tagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

function ownHeaders(headers: IncomingMessage['headers']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' &&
      (name === 'content-type' || name.startsWith('x-amz-meta-') || name.startsWith('x-amz-server-side-'))
        ? [[name, value]]
        : [],
    ),
  );
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) {
    const bytes: unknown = part;
    if (Buffer.isBuffer(bytes)) parts.push(bytes);
  }
  return Buffer.concat(parts);
}

/** Signature Version 4, computed from what came and the one secret. */
function signatureOf({ method = '', headers }: IncomingMessage, url: URL, body: Buffer): string {
  const authorization = headers.authorization ?? '';
  const scope = /Credential=AKIALOCAL\/(\d{8}\/[^/]+\/s3\/aws4_request)/.exec(authorization)?.[1] ?? '';
  const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1] ?? '';
  const stated = String(headers['x-amz-content-sha256'] ?? '');
  const payload = stated === 'UNSIGNED-PAYLOAD' ? stated : hexDigest(body);
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&');
  const lines = signed
    .split(';')
    .map((name) => `${name}:${String(headers[name] ?? '').trim()}\n`)
    .join('');
  const canonical = [method, url.pathname, query, lines, signed, payload].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date'] ?? ''), scope, hexDigest(canonical)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      `AWS4${CREDENTIALS.secretAccessKey}`,
    );
  return createHmac('sha256', key).update(toSign).digest('hex');
}

function hexDigest(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
