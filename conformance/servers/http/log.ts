import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** One request as it came, its secrets as hashes. */
export interface LoggedRequest {
  readonly number: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's text, as it came. */
  readonly body: string;
  /** Index of the step that answered it; null: none did. */
  readonly step: number | null;
  /** Number of the connection that it came by. */
  readonly connection: number;
}

const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'api-key',
  'x-goog-api-key',
  'proxy-authorization',
  'cookie',
  'x-amz-security-token',
]);

/** `sha256:` and the hex digest of a secret, as logs name it. */
export function secretHash(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex')}`;
}

/** Headers as they may be logged. */
function loggedHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')] as const,
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, SECRET_HEADERS.has(name) ? secretHash(value) : value]),
  );
}

/** What is kept of a request; no step has answered it yet. */
export function loggedRequest({
  request,
  body,
  connection,
  number,
}: {
  readonly request: IncomingMessage;
  readonly body: string;
  readonly connection: number;
  readonly number: number;
}): LoggedRequest {
  return {
    number,
    method: request.method ?? '',
    path: request.url ?? '',
    headers: loggedHeaders(request.headers),
    body,
    step: null,
    connection,
  };
}
