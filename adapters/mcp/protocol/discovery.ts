import { createHash } from 'node:crypto';
import { canonicalJson, type JsonText } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { AcquisitionCode } from '../../../contract/provider-protocol/session.ts';
import type { Answer } from './answer.ts';
import { countOf, isListOf, isObjectOrAbsent, isText } from './members.ts';
import { OLDER_REVISIONS, PROTOCOL_VERSION } from './revision.ts';

/** Why a server cannot be used, as one of the codes of providers.md §3, table B. */
export interface Refused {
  readonly ok: false;
  readonly code: Extract<
    AcquisitionCode,
    | 'provider_unavailable'
    | 'provider_protocol_error'
    | 'provider_protocol_version_unsupported'
    | 'provider_tool_missing'
  >;
  /** Upstream name of the tool that is missing. */
  readonly tool: string | null;
}

export function refusal(code: Refused['code'], tool: string | null = null): Refused {
  return { ok: false, code, tool };
}

export type Discovery =
  | { readonly ok: true; readonly serverInfoHash: string | null }
  /** `isOlder`: what it said leaves open that it speaks an earlier revision. */
  | (Refused & { readonly isOlder: boolean });

/** What JSON-RPC says of a method or a version that a server does not know. */
const UNKNOWN_METHOD = -32_601;
const INVALID_PARAMS = -32_602;
const UNSUPPORTED_VERSION = -32_022;

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const isVersion = (value: JsonValue): value is string => isText(value, 1, 64);
const VERSIONS_MAX = 32;

/**
 * What a server said to `server/discover`; `status` is that of HTTP, null over any other transport (providers.md §7.3).
 */
export function readDiscovery(answer: Answer, status: number | null): Discovery {
  // Servers of earlier revisions refuse what comes before a session, in words that they choose themselves.
  const isRefused = status !== null && status !== 200;
  if (answer === null) return { ...refusal(unreadable(status)), isOlder: isRefused };
  if (answer.kind === 'error') {
    const { code, supported } = answer;
    // One that names what it speaks, and no earlier revision among it, is asked nothing else.
    const isOlder = supported === null || OLDER_REVISIONS.some((known) => supported.includes(known));
    return { ...refusal(refusedDiscovery(Number(code), status)), isOlder };
  }
  if (isRefused) return { ...refusal(unreadable(status)), isOlder: true };
  return readDiscovered(answer.result);
}

function readDiscovered(result: JsonObject): Discovery {
  const versions = result.get('supportedVersions');
  // Some servers of earlier revisions answer whatever they do not know with an empty result.
  if (versions === undefined && result.get('resultType') === undefined)
    return { ...refusal('provider_protocol_error'), isOlder: true };
  const isSound =
    hasCacheTerms(result) && isListOf(versions, isVersion) && versions.length >= 1 && versions.length <= VERSIONS_MAX;
  if (!isSound) return { ...refusal('provider_protocol_error'), isOlder: false };
  if (!versions.includes(PROTOCOL_VERSION))
    return { ...refusal('provider_protocol_version_unsupported'), isOlder: true };
  const capabilities = result.get('capabilities');
  const info = serverInfo(result);
  if (!isJsonObject(capabilities) || !isJsonObject(capabilities.get('tools')) || info === null)
    return { ...refusal('provider_protocol_error'), isOlder: false };
  return { ok: true, serverInfoHash: info === undefined ? null : hashOf(info) };
}

/** Of an answer that says nothing by itself. */
function unreadable(status: number | null): Refused['code'] {
  return status === null || [200, 400, 404].includes(status) ? 'provider_protocol_error' : 'provider_unavailable';
}

function refusedDiscovery(code: number, status: number | null): Refused['code'] {
  if (status === 404)
    return code === UNKNOWN_METHOD ? 'provider_protocol_version_unsupported' : 'provider_protocol_error';
  if (status === 400)
    return code === UNSUPPORTED_VERSION ? 'provider_protocol_version_unsupported' : 'provider_protocol_error';
  if (status !== null && status !== 200) return 'provider_unavailable';
  return [UNKNOWN_METHOD, INVALID_PARAMS, UNSUPPORTED_VERSION].includes(code)
    ? 'provider_protocol_version_unsupported'
    : 'provider_unavailable';
}

/** `resultType: "complete"`, `ttlMs` and `cacheScope` of what is discovered and listed. */
export function hasCacheTerms(result: JsonObject): boolean {
  const scope = result.get('cacheScope');
  return (
    result.get('resultType') === 'complete' &&
    countOf(result.get('ttlMs'), 0) !== null &&
    (scope === 'public' || scope === 'private') &&
    isObjectOrAbsent(result.get('_meta'))
  );
}

/**
 * What a server calls itself, in its result or beside it; undefined where it says nothing, null where that is
 * malformed.
 */
function serverInfo(result: JsonObject): JsonObject | undefined | null {
  const meta = result.get('_meta');
  const info = result.get('serverInfo') ?? (isJsonObject(meta) ? meta.get(SERVER_INFO) : undefined);
  if (info === undefined) return undefined;
  return isJsonObject(info) && isText(info.get('name'), 0, 256) && isText(info.get('version'), 0, 128) ? info : null;
}

/** SHA-256 of canonical JSON, 64 hex digits: how snapshots report on what they do not show (providers.md §2). */
export function hashOf(value: JsonValue): string {
  return hashOfText(canonicalJson(value));
}

/** The same of a value that is canonical text already. */
export function hashOfText(text: JsonText): string {
  return createHash('sha256').update(text).digest('hex');
}
