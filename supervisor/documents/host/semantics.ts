import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { hostRuleMessage, type HostRule } from '../../../contract/diagnostics/messages/documents.ts';
import { OAUTH_REMEDIES } from '../../../contract/diagnostics/remedies/failures.ts';
import { didYouMean, insteadOf, oneOfNames } from '../../../contract/names/suggestion.ts';
import { isReservedName } from '../../../contract/routes.ts';
import type { LocatedFault } from '../located-fault.ts';
import type { HostDocument, Installation, InstallationOf } from './fields.ts';
import { oauthFault } from './oauth.ts';

/** A rule that the schema cannot say, and a publishable place in the document. */
interface Fault {
  readonly rule: HostRule;
  readonly path: string;
  /** The same place with its real keys; absent: those of the path. */
  readonly keys?: readonly string[];
  readonly remedy?: string;
}

function refused({ rule, path, keys, remedy }: Fault, above: readonly string[]): LocatedFault {
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
      yield refused({ rule: 'oauth_installation_duplicate', path: '/transport/oauth/installation_id' }, at);
    oauthIds.add(id);
  }
}

function* faultsOf(installation: Installation, document: HostDocument): Iterable<Fault> {
  const declared = [...document.credentials.keys()];
  for (const { name, ...place } of bindingsOf(installation)) {
    if (document.credentials.has(name)) continue;
    const remedy =
      didYouMean(name, declared) ??
      (declared.length === 0 ? null : `declare it under credentials, or write ${oneOfNames(declared)}`);
    yield { rule: 'credential_undeclared', ...place, ...(remedy === null ? {} : { remedy }) };
  }
  const rules: SourceRules<Installation> | undefined = RULES[installation.source];
  if (rules !== undefined) yield* rules.faults(installation, document);
}

/** A method, whose parameter may be narrower than what the caller has: the table keeps the two together. */
interface SourceRules<I> {
  faults(installation: I, document: HostDocument): Iterable<Fault>;
}

/** What the schema cannot say of the installations of a source; nothing of one that is not here. */
const RULES: { readonly [S in Installation['source']]?: SourceRules<InstallationOf<S>> } = {
  llm_replay: { faults: fixturesFaults },
  decision_replay: { faults: fixturesFaults },
  decision: { faults: decisionFaults },
  mcp: { faults: mcpFaults },
};

function* fixturesFaults({ fixtures }: { readonly fixtures: string }): Iterable<Fault> {
  if (leavesDirectory(fixtures)) yield { rule: 'fixtures_path_unsafe', path: '/fixtures' };
}

function* decisionFaults(installation: InstallationOf<'decision'>, { install }: HostDocument): Iterable<Fault> {
  if (!('llm' in installation)) return;
  const usable = [...install].flatMap(([alias, model]) =>
    model.source === 'llm' && model.structured_output_mode === 'json_schema' ? [alias] : [],
  );
  if (usable.includes(installation.llm)) return;
  yield {
    rule: 'installation_undeclared',
    path: '/llm',
    ...(usable.length === 0 ? {} : { remedy: insteadOf(installation.llm, usable) }),
  };
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
  if (installation.source !== 'mcp') return [];
  const { transport } = installation;
  if (transport.type === 'stdio') {
    return [...transport.env].map(([variable, { binding }]) => ({
      name: binding,
      path: '/transport/env/*/binding',
      keys: ['transport', 'env', variable, 'binding'],
    }));
  }
  const bindings = transport.auth.map(({ binding }, index) => ({
    name: binding,
    path: `/transport/auth/${index}/binding`,
  }));
  const client = transport.oauth?.client;
  if (client === undefined || !('client_secret_binding' in client)) return bindings;
  return [...bindings, { name: client.client_secret_binding, path: '/transport/oauth/client/client_secret_binding' }];
}

/** The OAuth block of a server; undefined for everything else. */
export function oauthOf(installation: Installation) {
  return installation.source === 'mcp' && installation.transport.type === 'streamable_http'
    ? installation.transport.oauth
    : undefined;
}

/** Set by the program for every child (documents.md §7, stdio). */
const RESERVED_VARIABLES: ReadonlySet<string> = new Set(['HOME', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']);

/** Fields that the transport itself writes (documents.md §7, streamable_http). */
const RESERVED_HEADER =
  /^(?:authorization|connection|content-length|content-type|host|proxy-authorization|transfer-encoding|mcp-.*)$/u;

function* mcpFaults({ tools, transport, snapshot_identity: identity }: InstallationOf<'mcp'>): Iterable<Fault> {
  const names = [...tools].map(([upstream, tool]) => ({ name: tool.as, keys: ['tools', upstream, 'as'] }));
  for (const { name, keys } of names) {
    if (isReservedName(name)) yield { rule: 'reserved_name', path: '/tools', keys };
  }
  for (const [index, { name, keys }] of names.entries()) {
    if (names.findIndex((other) => other.name === name) < index)
      yield { rule: 'duplicate_tool_name', path: '/tools', keys };
  }
  const readers = [...tools].flatMap(([upstream, { effect }]) => (effect === 'read' ? [upstream] : []));
  if (identity !== undefined && !readers.includes(identity.tool)) {
    yield {
      rule: 'snapshot_identity_invalid',
      path: '/snapshot_identity/tool',
      ...(readers.length === 0 ? {} : { remedy: insteadOf(identity.tool, readers) }),
    };
  }
  if (transport.type === 'stdio') {
    for (const name of transport.env.keys()) {
      if (RESERVED_VARIABLES.has(name))
        yield { rule: 'reserved_name', path: '/transport/env', keys: ['transport', 'env', name] };
    }
    return;
  }
  for (const [index, auth] of transport.auth.entries()) {
    if ('header' in auth && RESERVED_HEADER.test(auth.header.toLowerCase()))
      yield { rule: 'reserved_name', path: `/transport/auth/${index}/header` };
  }
  if (transport.oauth === undefined) return;
  if (transport.auth.length > 0) yield { rule: 'authentication_conflict', path: '/transport/oauth' };
  const fault = oauthFault(transport.oauth, transport.endpoint);
  if (fault === null) return;
  const remedy = OAUTH_REMEDIES[fault];
  yield { rule: 'oauth_invalid', path: `/transport/oauth${fault}`, ...(remedy === undefined ? {} : { remedy }) };
}

function leavesDirectory(path: string): boolean {
  return !path.startsWith('/') && path.split('/').includes('..');
}
