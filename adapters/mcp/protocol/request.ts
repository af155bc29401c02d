import { createHash } from 'node:crypto';
import { canonicalJson, canonicalString, type JsonText } from '../../../contract/json/canonical.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { ListedTool } from './catalogue.ts';
import { parameterValues, type ParameterValue } from './parameter-headers.ts';
import { PROTOCOL_VERSION } from './revision.ts';

/** What the program calls itself towards servers. */
export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

/** Whether a request asks for progress, which only a stream shared by several requests needs to tell apart. */
export type Meta = {
  readonly client: ClientInfo;
  readonly progressToken: number | null;
  readonly traceparent: string | null;
};

/** One request of a server. `text` is its JSON, in canonical form (providers.md §7.1). */
export interface ServerRequest {
  readonly id: number;
  readonly method: 'server/discover' | 'tools/list' | 'tools/call';
  readonly text: JsonText;
  /** Of a call: the name that the server uses. */
  readonly name: string | null;
  /** Arguments of a call that travel as headers too, where requests have headers. */
  readonly parameters: readonly ParameterValue[];
}

export function discoverRequest(id: number, meta: Meta): ServerRequest {
  return request(id, 'server/discover', meta, []);
}

/** The first page, or the one that a cursor names. */
export function listRequest(id: number, meta: Meta, cursor: string | null): ServerRequest {
  return request(id, 'tools/list', meta, cursor === null ? [] : [['cursor', canonicalString(cursor)]]);
}

/** `given` is a canonical JSON object. */
export function callRequest(
  id: number,
  meta: Meta,
  { upstream, headers }: Pick<ListedTool, 'upstream' | 'headers'>,
  given: JsonText,
): ServerRequest {
  return {
    ...request(id, 'tools/call', meta, [
      ['arguments', given],
      ['name', canonicalString(upstream)],
    ]),
    name: upstream,
    parameters: parameterValues(headers, given),
  };
}

/** Tells a server over a shared stream that nobody waits for an answer any more. */
export function cancelledNotification(client: ClientInfo, requestId: number, reason: string): JsonText {
  return canonicalJson(
    new Map<string, JsonValue>([
      ['jsonrpc', '2.0'],
      ['method', 'notifications/cancelled'],
      [
        'params',
        new Map<string, JsonValue>([
          ['_meta', metaOf({ client, progressToken: null, traceparent: null })],
          ['requestId', requestId],
          ['reason', reason],
        ]),
      ],
    ]),
  );
}

/**
 * A W3C trace context of one call: whoever has the run's trace finds the call in what its server records (evidence.md
 * §2).
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
  const params = [['_meta', canonicalJson(metaOf(meta))], ...members]
    .map(([name, value]) => `"${name}":${value}`)
    .join(',');
  return {
    id,
    method,
    text: `{"id":${id},"jsonrpc":"2.0","method":"${method}","params":{${params}}}`,
    name: null,
    parameters: [],
  };
}

function metaOf({ client, progressToken, traceparent: parent }: Meta): JsonValue {
  return new Map<string, JsonValue>([
    ['io.modelcontextprotocol/protocolVersion', PROTOCOL_VERSION],
    [
      'io.modelcontextprotocol/clientInfo',
      new Map([
        ['name', client.name],
        ['version', client.version],
      ]),
    ],
    ['io.modelcontextprotocol/clientCapabilities', new Map<string, JsonValue>()],
    ...(progressToken === null ? [] : [['progressToken', progressToken] as const]),
    ...(parent === null ? [] : [['traceparent', parent] as const]),
  ]);
}
