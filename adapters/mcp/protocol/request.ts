import { createHash } from 'node:crypto';
import { canonicalJson, canonicalString, type JsonText } from '../../../contract/json/canonical.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { ListedTool } from './catalogue.ts';
import { parameterValues, type ParameterValue } from './parameter-headers.ts';
import { isOlder, PROTOCOL_VERSION, type OlderRevision, type Revision } from './revision.ts';

/** What the program calls itself towards servers. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** Whether a request asks for progress, which only a stream shared by several requests needs to distinguish. */
export type Meta = {
  readonly client: ClientInfo;
  readonly revision: Revision;
  readonly progressToken: number | null;
  readonly traceparent: string | null;
};

/** One request of a server. `text` is its JSON, in canonical form (providers.md §7.1). */
export interface ServerRequest {
  readonly id: number;
  readonly method: 'server/discover' | 'initialize' | 'tools/list' | 'tools/call';
  readonly revision: Revision;
  readonly text: JsonText;
  /** Of a call: the name that the server uses. */
  readonly name: string | null;
  /** Arguments of a call that travel as headers too, where requests have headers. */
  readonly parameters: readonly ParameterValue[];
}

export function discoverRequest(id: number, meta: Meta): ServerRequest {
  return request(id, 'server/discover', meta, []);
}

/** Begins a session of an earlier revision. Nothing is offered to the server: no roots, no sampling, no questions. */
export function initializeRequest(id: number, meta: Meta, revision: OlderRevision): ServerRequest {
  return request(id, 'initialize', { ...meta, revision, progressToken: null, traceparent: null }, [
    ['capabilities', '{}'],
    ['clientInfo', canonicalJson(infoOf(meta.client))],
    ['protocolVersion', canonicalString(revision)],
  ]);
}

/** Informs a server of an earlier revision that the session has started. */
export const INITIALIZED: JsonText = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

/** The first page, or the one that a cursor names. */
export function listRequest(id: number, meta: Meta, cursor: string | null): ServerRequest {
  return request(id, 'tools/list', meta, cursor === null ? [] : [['cursor', canonicalString(cursor)]]);
}

/** `input` is a canonical JSON object. */
export function callRequest(
  id: number,
  meta: Meta,
  { upstream, headers }: Pick<ListedTool, 'upstream' | 'headers'>,
  input: JsonText,
): ServerRequest {
  return {
    ...request(id, 'tools/call', meta, [
      ['arguments', input],
      ['name', canonicalString(upstream)],
    ]),
    name: upstream,
    parameters: parameterValues(headers, input),
  };
}

/** Informs a server over a shared stream that nobody waits for an answer any more. */
export function cancelledNotification(
  client: ClientInfo,
  revision: Revision,
  requestId: number,
  reason: string,
): JsonText {
  const meta = metaOf({ client, revision, progressToken: null, traceparent: null });
  return canonicalJson(
    new Map<string, JsonValue>([
      ['jsonrpc', '2.0'],
      ['method', 'notifications/cancelled'],
      [
        'params',
        new Map<string, JsonValue>([
          ...(meta.size === 0 ? [] : [['_meta', meta] as const]),
          ['requestId', requestId],
          ['reason', reason],
        ]),
      ],
    ]),
  );
}

/**
 * A W3C trace context of one call: anyone who has the run's trace finds the call in what its server records
 * (evidence.md §2).
 */
export function traceparent(traceId: string, capabilityId: string): string {
  const digest = (text: string, bytes: number): string =>
    createHash('sha256')
      .update(text)
      .digest('hex')
      .slice(0, 2 * bytes);
  return `00-${digest(traceId, 16)}-${digest(capabilityId, 8)}-01`;
}

/** Keys in the order of their bytes, so that the text is canonical. */
function request(
  id: number,
  method: ServerRequest['method'],
  meta: Meta,
  members: readonly (readonly [string, JsonText])[],
): ServerRequest {
  const sent = metaOf(meta);
  const params = [...(sent.size === 0 ? [] : [['_meta', canonicalJson(sent)] as const]), ...members]
    .map(([name, value]) => `"${name}":${value}`)
    .join(',');
  return {
    id,
    method,
    revision: meta.revision,
    text: `{"id":${id},"jsonrpc":"2.0","method":"${method}","params":{${params}}}`,
    name: null,
    parameters: [],
  };
}

/** Earlier revisions say once, when a session begins, what later ones say with every request. */
function metaOf({ client, revision, progressToken, traceparent: parent }: Meta): ReadonlyMap<string, JsonValue> {
  return new Map<string, JsonValue>([
    ...(isOlder(revision)
      ? []
      : [
          ['io.modelcontextprotocol/protocolVersion', PROTOCOL_VERSION] as const,
          ['io.modelcontextprotocol/clientInfo', infoOf(client)] as const,
          ['io.modelcontextprotocol/clientCapabilities', new Map<string, JsonValue>()] as const,
        ]),
    ...(progressToken === null ? [] : [['progressToken', progressToken] as const]),
    ...(parent === null ? [] : [['traceparent', parent] as const]),
  ]);
}

function infoOf({ name, version }: ClientInfo): JsonValue {
  return new Map([
    ['name', name],
    ['version', version],
  ]);
}
