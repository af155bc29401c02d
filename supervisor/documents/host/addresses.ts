import { diagnostic, providerSubject } from '../../../contract/diagnostics/diagnostic.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { matches, NAME } from '../fields/patterns.ts';
import type { LocatedFault } from '../located-fault.ts';
import { endpointFault } from './endpoint.ts';

/**
 * Checks that come before the schema because their codes name the installation (documents.md §12.4). They read the
 * undecoded document and pass over whatever the schema will refuse anyway.
 */
export function* revisionFaults(host: JsonValue): Iterable<LocatedFault> {
  for (const [alias, installation] of installations(host)) {
    if (installation.has('installation_revision')) continue;
    yield {
      diagnostic: diagnostic('installation_revision_missing', { subject: providerSubject(alias, 'declaration', null) }),
      at: ['install', alias, 'installation_revision'],
    };
  }
}

/** The endpoint rules, lowest alias first (documents.md §7). */
export function* endpointFaults(host: JsonValue): Iterable<LocatedFault> {
  for (const [alias, installation] of installations(host)) {
    const found = addressOf(installation);
    const endpoint = found?.address.get('endpoint');
    if (found === null || typeof endpoint !== 'string') continue;
    const { address, at } = found;
    const auth = address.get('auth');
    const code = endpointFault({
      endpoint,
      hasCredentials: (isJsonArray(auth) && auth.length > 0) || address.has('oauth'),
      allowInsecureLoopback: address.get('allow_insecure_loopback') === true,
    });
    if (code === null) continue;
    yield {
      diagnostic: diagnostic(code, { subject: providerSubject(alias, 'declaration', null) }),
      at: ['install', alias, ...at, 'endpoint'],
    };
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

interface Address {
  readonly address: JsonObject;
  /** From the installation. */
  readonly at: readonly string[];
}

/** The object that holds `endpoint`, null for an installation without an address. */
function addressOf(installation: JsonObject): Address | null {
  if (installation.get('source') === 'decision')
    return installation.get('backend') === 'http' ? { address: installation, at: [] } : null;
  const transport = installation.get('transport');
  const overHttp =
    installation.get('source') === 'mcp' && isJsonObject(transport) && transport.get('type') === 'streamable_http';
  return overHttp ? { address: transport, at: ['transport'] } : null;
}
