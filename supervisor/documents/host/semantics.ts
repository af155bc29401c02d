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

/** The way to servers: its proxy has an address, and its login is declared (world.md §1.6). */
export function* networkFaults({ network: { proxy }, credentials }: HostDocument): Iterable<LocatedFault> {
  if (proxy === undefined || proxy === 'environment') return;
  const { url, binding, path } =
    typeof proxy === 'string' ? { url: proxy, binding: undefined, path: '' } : { ...proxy, path: '/url' };
  if (!URL.canParse(url)) yield refused({ rule: 'proxy_invalid', path: `/network/proxy${path}` }, []);
  if (binding !== undefined && !credentials.has(binding))
    yield refused(undeclared({ name: binding, path: '/network/proxy/binding' }, credentials), []);
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
  for (const binding of bindingsOf(installation))
    if (!document.credentials.has(binding.name)) yield undeclared(binding, document.credentials);
  yield* sourceFaults(installation, document);
}

function undeclared({ name, ...place }: Binding, credentials: HostDocument['credentials']): SourceFault {
  const declared = [...credentials.keys()];
  const remedy =
    didYouMean(name, declared) ??
    (declared.length === 0 ? null : `declare it under credentials, or write ${oneOfNames(declared)}`);
  return { rule: 'credential_undeclared', ...place, ...(remedy === null ? {} : { remedy }) };
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
  if ('credential' in installation) {
    const bound = 'headers' in installation ? [...(installation.headers ?? [])] : [];
    return [
      { name: installation.credential, path: '/credential' },
      ...bound.flatMap(([header, value]) =>
        typeof value === 'string'
          ? []
          : [{ name: value.binding, path: '/headers', keys: ['headers', header, 'binding'] }],
      ),
    ];
  }
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
