import { diagnostic, providerSubject } from '../../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { isJsonArray, isJsonObject } from '../../../contract/json/value.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { matches, NAME } from '../fields/patterns.ts';
import { endpointFault } from './endpoint.ts';

/**
 * Checks that come before the schema because their codes name the installation (documents.md §12.4). They read the
 * undecoded document and pass over whatever the schema will refuse anyway.
 */
export function checkRevisions(host: JsonValue): Diagnostic | null {
  for (const [alias, installation] of installations(host)) {
    if (installation.has('installation_revision')) continue;
    return diagnostic('installation_revision_missing', { subject: providerSubject(alias, 'declaration', null) });
  }
  return null;
}

/** The endpoint rules, lowest alias first (documents.md §7). */
export function checkEndpoints(host: JsonValue): Diagnostic | null {
  for (const [alias, installation] of installations(host)) {
    const address = addressOf(installation);
    const endpoint = address?.get('endpoint');
    if (address === null || typeof endpoint !== 'string') continue;
    const auth = address.get('auth');
    const code = endpointFault({
      endpoint,
      hasCredentials: (isJsonArray(auth) && auth.length > 0) || address.has('oauth'),
      allowInsecureLoopback: address.get('allow_insecure_loopback') === true,
    });
    if (code !== null) return diagnostic(code, { subject: providerSubject(alias, 'declaration', null) });
  }
  return null;
}

/** Installations that are objects under a valid name, in byte order. */
function installations(host: JsonValue): readonly (readonly [string, JsonObject])[] {
  const install = isJsonObject(host) ? host.get('install') : undefined;
  if (!isJsonObject(install)) return [];
  return [...install]
    .flatMap(([alias, installation]) => (matches(NAME, alias) && isJsonObject(installation) ? [[alias, installation] as const] : []))
    .toSorted(([left], [right]) => compareUtf8(left, right));
}

/** The object that holds `endpoint`, null for an installation without an address. */
function addressOf(installation: JsonObject): JsonObject | null {
  if (installation.get('source') === 'decision') return installation.get('backend') === 'http' ? installation : null;
  const transport = installation.get('transport');
  const overHttp = installation.get('source') === 'mcp' && isJsonObject(transport) && transport.get('type') === 'streamable_http';
  return overHttp ? transport : null;
}
