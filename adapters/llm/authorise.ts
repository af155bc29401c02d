import { AwsV4Signer } from 'aws4fetch';
import { KEY_PAIR } from '../../contract/provider-protocol/scrubber.ts';
import { DEFAULT_REGION } from './wires/region.ts';
import type { WireName } from './vendors.ts';

/**
 * Stands where the credential will, in requests that are only written: no worker that writes or reads one knows a
 * secret.
 */
export const UNSIGNED = 'unsigned';

/** What a header may carry. */
const HEADER_TEXT = /^[\t\x20-\x7e\x80-\xff]*$/;

export interface Authority {
  readonly wire: WireName;
  readonly credential: string;
  readonly region: string | null;
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
  { wire, credential, region }: Authority,
): Promise<Readonly<Record<string, string>> | null> {
  if (!HEADER_TEXT.test(credential)) return null;
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

function without(headers: Unauthorised['headers'], name: string): Unauthorised['headers'] {
  const { [name]: _, ...others } = headers;
  return others;
}
