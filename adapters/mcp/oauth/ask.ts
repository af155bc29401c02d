import type { IncomingHttpHeaders } from 'node:http';
import { collectedBytes } from '../../http/collected-bytes.ts';
import type { DialTools } from '../../http/dial.ts';
import { exchangeOnce } from '../../http/single-exchange.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../../contract/json/parse.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { refusedBy, type OAuthRefusal } from './declaration.ts';
import type { Documents } from './documents.ts';
import type { Origins } from './origins.ts';

/** What the wire of authorisation is spoken with. */
export interface AuthorizationClient {
  readonly dial: DialTools;
  readonly origins: Origins;
  /** Metadata that were asked for before. */
  readonly documents: Documents;
}

export interface Asking {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * An answer with its body, as an object where it is JSON that says so; `isSent` of a failure: whether it may have had
 * its effect.
 */
export type AuthorityResponse =
  | {
      readonly ok: true;
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly document: JsonObject | null;
    }
  | (OAuthRefusal & { readonly isSent: boolean });

/** Asks an origin that may be spoken to, once, within bounds (providers.md §8, §9). Never rejects. */
export async function ask(
  url: URL,
  asking: Asking,
  { dial, origins }: Pick<AuthorizationClient, 'dial' | 'origins'>,
): Promise<AuthorityResponse> {
  const admits = origins.admits(url);
  if (admits === undefined) return { ...refusedBy('connectivity_rejected'), isSent: false };
  let [status, input]: [number, IncomingHttpHeaders] = [0, {}];
  const body = collectedBytes(asking.maxBytes);
  let isOver = false;
  const end = await exchangeOnce(
    { url, ...asking, admits },
    {
      head: (code, headers) => {
        [status, input] = [code, headers];
        return true;
      },
      data: (piece) => {
        isOver = !body.add(piece);
        return !isOver;
      },
    },
    dial,
  );
  if (!end.ok)
    return {
      ...refusedBy(end.fault === 'denied' ? 'connectivity_rejected' : 'connectivity_unavailable'),
      isSent: end.isSent,
    };
  if (isOver) return { ...refusedBy('connectivity_protocol_error'), isSent: true };
  return { ok: true, status, headers: input, document: isJsonType(input) ? objectIn(body.bytes()) : null };
}

function isJsonType({
  'content-type': type = '',
  'content-encoding': encoding = 'identity',
}: IncomingHttpHeaders): boolean {
  const media = type.split(';')[0]?.trim().toLowerCase() ?? '';
  return encoding === 'identity' && /^application\/(?:json|[a-z0-9.-]+\+json)$/.test(media);
}

function objectIn(bytes: Uint8Array): JsonObject | null {
  const parsed = parseJson(bytes, documentLimits(bytes.length));
  const value = parsed.ok ? valueOf(parsed.root) : null;
  return isJsonObject(value) ? value : null;
}

const METADATA_BYTES = 262_144;

/** A metadata document of status 200. */
export async function askDocument(
  url: URL,
  signal: AbortSignal,
  wire: AuthorizationClient,
): Promise<
  | { readonly ok: true; readonly document: JsonObject; readonly headers: IncomingHttpHeaders }
  | (OAuthRefusal & { readonly mayBeElsewhere: boolean })
> {
  const answer = await ask(
    url,
    { method: 'GET', headers: { accept: 'application/json' }, body: null, maxBytes: METADATA_BYTES, signal },
    wire,
  );
  if (!answer.ok) return { ...refusedBy(answer.code), mayBeElsewhere: answer.code === 'connectivity_protocol_error' };
  const { status, document, headers } = answer;
  if (status === 200 && document !== null) return { ok: true, document, headers };
  if (status >= 500) return { ...refusedBy('connectivity_unavailable'), mayBeElsewhere: false };
  return {
    ...refusedBy(status >= 400 ? 'connectivity_rejected' : 'connectivity_protocol_error'),
    mayBeElsewhere: true,
  };
}
