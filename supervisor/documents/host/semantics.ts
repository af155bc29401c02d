import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { hostRuleMessage } from '../../../contract/diagnostics/messages/documents.ts';
import { didYouMean, oneOfNames } from '../../../contract/names/suggestion.ts';
import type { LocatedFault } from '../located-fault.ts';
import type { HostDocument, Installation } from './fields.ts';
import { leavesDirectory, type SourceFault } from './sources/common.ts';
import type { HttpAddress } from './sources/http-address.ts';
import { sourceFaults } from './sources/table.ts';

function refused({ rule, path, keys, remedy }: SourceFault, above: readonly string[]): LocatedFault {
  const at = [...above, ...(keys ?? path.split('/').slice(1))];
  const published = above.length === 0 ? path : `/install/*${path}`;
  return {
    diagnostic: diagnostic('host_invalid', { message: hostRuleMessage(rule), path: published }),
    at,
    ...(remedy === undefined ? {} : { remedy }),
  };
}

/** Declared credentials: a relative file stays below the host document (documents.md §7). Nothing is read. */
export function* credentialFaults({ credentials }: HostDocument): Iterable<LocatedFault> {
  for (const [name, credential] of credentials) {
    if ('file' in credential && leavesDirectory(credential.file))
      yield refused({ rule: 'path_unsafe', path: '/credentials/*/file', keys: ['credentials', name, 'file'] }, []);
  }
}

/** Rules of the installations after the schema, lowest alias first (documents.md §13, host_invalid). */
export function* installationFaults(document: HostDocument): Iterable<LocatedFault> {
  const oauthIds = new Set<string>();
  for (const [alias, installation] of document.install) {
    const at = ['install', alias];
    for (const fault of faultsOf(installation, document)) yield refused(fault, at);
    const id = oauthOf(installation)?.installation_id;
    if (id === undefined) continue;
    if (oauthIds.has(id))
      yield refused(
        {
          rule: 'oauth_installation_duplicate',
          path: `${httpAddressOf(installation)?.at ?? ''}/oauth/installation_id`,
        },
        at,
      );
    oauthIds.add(id);
  }
}

function* faultsOf(installation: Installation, document: HostDocument): Iterable<SourceFault> {
  const declared = [...document.credentials.keys()];
  for (const { name, ...place } of bindingsOf(installation)) {
    if (document.credentials.has(name)) continue;
    const remedy =
      didYouMean(name, declared) ??
      (declared.length === 0 ? null : `declare it under credentials, or write ${oneOfNames(declared)}`);
    yield { rule: 'credential_undeclared', ...place, ...(remedy === null ? {} : { remedy }) };
  }
  yield* sourceFaults(installation, document);
}

interface Binding {
  readonly name: string;
  readonly path: string;
  readonly keys?: readonly string[];
}

/** Names of the credentials that an installation takes. */
export function credentialsOf(installation: Installation): readonly string[] {
  return bindingsOf(installation).map(({ name }) => name);
}

/** Every credential that an installation names, with the place that names it. */
function bindingsOf(installation: Installation): readonly Binding[] {
  if ('credential' in installation) return [{ name: installation.credential, path: '/credential' }];
  if (installation.source === 'mcp' && installation.transport.type === 'stdio') {
    return [...installation.transport.env].map(([variable, { binding }]) => ({
      name: binding,
      path: '/transport/env/*/binding',
      keys: ['transport', 'env', variable, 'binding'],
    }));
  }
  const found = httpAddressOf(installation);
  if (found === null) return [];
  const { address, at } = found;
  const bindings = address.auth.map(({ binding }, index) => ({ name: binding, path: `${at}/auth/${index}/binding` }));
  const client = address.oauth?.client;
  if (client === undefined || !('client_secret_binding' in client)) return bindings;
  return [...bindings, { name: client.client_secret_binding, path: `${at}/oauth/client/client_secret_binding` }];
}

/** Where an installation that speaks HTTP says so; `at`: from the installation. Null for everything else. */
function httpAddressOf(installation: Installation): { readonly address: HttpAddress; readonly at: string } | null {
  if (installation.source === 'openapi') return { address: installation, at: '' };
  return installation.source === 'mcp' && installation.transport.type === 'streamable_http'
    ? { address: installation.transport, at: '/transport' }
    : null;
}

/** The OAuth block of a server; undefined for everything else. */
export function oauthOf(installation: Installation) {
  return httpAddressOf(installation)?.address.oauth;
}
