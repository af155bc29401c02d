import { diagnostic, providerSubject } from '../../../contract/diagnostics/diagnostic.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { nearestNames } from '../../../contract/names/nearest.ts';
import { matches, NAME } from '../fields/patterns.ts';
import type { LocatedFault } from '../located-fault.ts';
import { RENAMED_PROBLEM } from '../renamed.ts';
import { endpointFault, type EndpointFacts } from './endpoint.ts';

const REVISION = 'installation_revision';

/**
 * Checks that come before the schema because their codes name the installation (documents.md §12.4). They read the
 * undecoded document and pass over whatever the schema will refuse anyway.
 */
export function* revisionFaults(host: JsonValue): Iterable<LocatedFault> {
  for (const [alias, installation] of installations(host)) {
    if (installation.has(REVISION)) continue;
    const mistyped = [...installation.keys()].find((key) => nearestNames(key, [REVISION]).length > 0);
    yield {
      diagnostic: diagnostic('installation_revision_missing', { subject: providerSubject(alias, 'declaration', null) }),
      at: ['install', alias, mistyped ?? REVISION],
      ...(mistyped === undefined ? {} : { problem: RENAMED_PROBLEM, remedy: `did you mean ${REVISION}?` }),
    };
  }
}

/** The endpoint rules, lowest alias first (documents.md §7). */
export function* endpointFaults(host: JsonValue): Iterable<LocatedFault> {
  for (const [alias, installation] of installations(host)) {
    for (const { at, ...facts } of addressesOf(installation)) {
      const code = endpointFault(facts);
      if (code === null) continue;
      yield {
        diagnostic: diagnostic(code, { subject: providerSubject(alias, 'declaration', null) }),
        at: ['install', alias, ...at],
      };
    }
  }
}

/** Installations that are objects under a valid name, in byte order. */
function installations(host: JsonValue): readonly (readonly [string, JsonObject])[] {
  const install = isJsonObject(host) ? host.get('install') : undefined;
  if (!isJsonObject(install)) return [];
  return [...install]
    .flatMap(([alias, installation]) =>
      matches(NAME, alias) && isJsonObject(installation) ? [[alias, installation] as const] : [],
    )
    .toSorted(([left], [right]) => compareUtf8(left, right));
}

/** An address, and the place from the installation at which it is written. */
interface Address extends EndpointFacts {
  readonly at: readonly string[];
}

function addressesOf(installation: JsonObject): readonly Address[] {
  const transport = installation.get('transport');
  switch (installation.get('source')) {
    case 'decision':
      return installation.get('backend') === 'http' ? endpointOf(installation, []) : [];
    case 'mcp':
      return isJsonObject(transport) && transport.get('type') === 'streamable_http'
        ? endpointOf(transport, ['transport'])
        : [];
    case 'openapi':
      return [...endpointOf(installation, []), ...documentOf(installation)];
    default:
      return [];
  }
}

function endpointOf(holder: JsonObject, at: readonly string[]): readonly Address[] {
  const [endpoint, auth] = [holder.get('endpoint'), holder.get('auth')];
  if (typeof endpoint !== 'string') return [];
  const hasCredentials = (isJsonArray(auth) && auth.length > 0) || holder.has('oauth');
  const allowInsecureLoopback = holder.get('allow_insecure_loopback') === true;
  return [{ endpoint, hasCredentials, allowInsecureLoopback, at: [...at, 'endpoint'] }];
}

/** A document is asked for without credentials, and known by its digest. */
function documentOf(installation: JsonObject): readonly Address[] {
  const document = installation.get('document');
  const url = isJsonObject(document) ? document.get('url') : undefined;
  if (typeof url !== 'string') return [];
  const allowInsecureLoopback = installation.get('allow_insecure_loopback') === true && url.startsWith('http://');
  return [{ endpoint: url, hasCredentials: false, allowInsecureLoopback, at: ['document', 'url'] }];
}
