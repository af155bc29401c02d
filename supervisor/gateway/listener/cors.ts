import { bare, refuseHttp, type GatewayAnswer } from '../http/answers.ts';
import { authorityFault, type ListenerGate, type RequestHead } from './checks.ts';
import { onlyValueOf } from '../http/raw-headers.ts';

const HEADERS = ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
const MAX_AGE_S = 600;

/**
 * What a browser gets before it asks (gateway.md §9); takes no place. `parameterHeaders`: those of the catalogue, lower
 * case.
 */
export function preflight(head: RequestHead, gate: ListenerGate, parameterHeaders: readonly string[]): GatewayAnswer {
  const fault = authorityFault(head, gate);
  if (fault !== null) return fault;
  const origin = onlyValueOf(head.rawHeaders, 'origin');
  if (origin === null || !gate.origins.has(origin)) return refuseHttp(403, 'origin_forbidden');
  if (onlyValueOf(head.rawHeaders, 'access-control-request-method') !== 'POST')
    return refuseHttp(405, 'method_not_allowed', { headers: { allow: 'POST' } });
  const asksPrivate = onlyValueOf(head.rawHeaders, 'access-control-request-private-network') === 'true';
  return bare(204, {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': [...HEADERS, ...parameterHeaders].join(', '),
    'access-control-max-age': String(MAX_AGE_S),
    ...(asksPrivate ? { 'access-control-allow-private-network': 'true' } : {}),
  });
}

/** What every answer to a POST of a listed origin carries. */
export function originHeaders(head: RequestHead, gate: ListenerGate): Readonly<Record<string, string>> {
  const origin = onlyValueOf(head.rawHeaders, 'origin');
  if (origin === null || !gate.origins.has(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    vary: 'Origin',
    'access-control-expose-headers': 'www-authenticate, retry-after',
  };
}
