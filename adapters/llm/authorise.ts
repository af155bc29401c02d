import { AwsV4Signer } from 'aws4fetch';
import { KEY_PAIR } from '../../contract/provider-protocol/scrubber.ts';
import { DEFAULT_REGION } from './wires/region.ts';
import type { WireName } from './vendors.ts';

/**
 * Takes the place of the credential, in requests that are only written: no worker that writes or reads one knows a
 * secret.
 */
export const UNSIGNED = 'unsigned';

/** What a header may carry. */
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

export interface Authority {
  readonly wire: WireName;
  readonly credential: string;
  readonly region: string | null;
  /** Null where the server is none of the operator's own. */
  readonly server: OwnRequest | null;
}

/** What requests to a server of the operator's own have beside what its vendor's kind has (world.md §1.6). */
export interface OwnRequest {
  /** By their names in lower case, with the credentials that they carry. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  /** Null: `authorization`, as a bearer. */
  readonly credentialHeader: string | null;
}

interface Unauthorised {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const HEADER: Readonly<Record<WireName, (credential: string) => readonly [string, string]>> = {
  chat: (credential) => ['authorization', `Bearer ${credential}`],
  responses: (credential) => ['authorization', `Bearer ${credential}`],
  ollama: (credential) => ['authorization', `Bearer ${credential}`],
  anthropic: (credential) => ['x-api-key', credential],
  google: (credential) => ['x-goog-api-key', credential],
  bedrock: (credential) => ['authorization', `Bearer ${credential}`],
};

/**
 * The headers of a request with its credential in them, or signed by it, or with none where there is none; null for a
 * credential that no header can carry.
 */
export async function authorise(
  { url, headers, body }: Unauthorised,
  { wire, credential, region, server }: Authority,
): Promise<Readonly<Record<string, string>> | null> {
  if (![credential, ...Object.values(server?.headers ?? {})].every((text) => HEADER_TEXT.test(text))) return null;
  if (server !== null) return headersOfServer(headers, HEADER[wire](credential), credential, server);
  if (credential === '') return without(headers, HEADER[wire](credential)[0]);
  const [, accessKeyId, secretAccessKey, sessionToken] = wire === 'bedrock' ? (KEY_PAIR.exec(credential) ?? []) : [];
  const [name, value] = HEADER[wire](credential);
  if (accessKeyId === undefined || secretAccessKey === undefined) return { ...headers, [name]: value };
  const unsigned = without(headers, name);
  const signer = new AwsV4Signer({
    method: 'POST',
    url,
    headers: unsigned,
    body,
    accessKeyId,
    secretAccessKey,
    service: 'bedrock',
    region: region ?? DEFAULT_REGION,
    ...(sessionToken !== undefined && { sessionToken }),
  });
  const signed = await signer.sign();
  return Object.fromEntries(new Headers(signed.headers));
}

/** The library's own headers give way to those of the operator. */
function headersOfServer(
  headers: Unauthorised['headers'],
  [bearer, value]: readonly [string, string],
  credential: string,
  { headers: own, credentialHeader }: OwnRequest,
): Readonly<Record<string, string>> {
  const plain = { ...without(headers, bearer), ...own };
  return credentialHeader === null ? { ...plain, [bearer]: value } : { ...plain, [credentialHeader]: credential };
}

/** An address with the query that a server wants of every request. */
export function addressed(url: string, server: OwnRequest | null): string {
  if (server === null || server.query.length === 0) return url;
  const whole = new URL(url);
  for (const [name, value] of server.query) whole.searchParams.append(name, value);
  return whole.href;
}

function without(headers: Unauthorised['headers'], name: string): Unauthorised['headers'] {
  const { [name]: _, ...others } = headers;
  return others;
}
