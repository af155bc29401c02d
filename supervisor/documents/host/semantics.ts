import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { hostRuleMessage } from '../../../contract/diagnostics/messages/documents.ts';
import type { HostRule } from '../../../contract/diagnostics/messages/documents.ts';
import type { HostDocument, Installation, InstallationOf } from './fields.ts';
import { oauthFault } from './oauth.ts';

/** A rule that the schema cannot say, and a publishable place in the document. */
interface Fault {
  readonly rule: HostRule;
  readonly path: string;
}

function refused({ rule, path }: Fault): Diagnostic {
  return diagnostic('host_invalid', { message: hostRuleMessage(rule), path });
}

/** Declared credentials: a relative file stays below the host document (documents.md §7). Nothing is read. */
export function checkCredentials({ credentials }: HostDocument): Diagnostic | null {
  for (const credential of credentials.values()) {
    if ('file' in credential && leavesDirectory(credential.file)) return refused({ rule: 'path_unsafe', path: '/credentials/*/file' });
  }
  return null;
}

/** Rules of the installations after the schema, lowest alias first (documents.md §13, host_invalid). */
export function checkInstallations(document: HostDocument): Diagnostic | null {
  const oauthIds = new Set<string>();
  for (const installation of document.install.values()) {
    const fault = installationFault(installation, document);
    if (fault !== null) return refused({ ...fault, path: `/install/*${fault.path}` });
    const id = oauthOf(installation)?.installation_id;
    if (id === undefined) continue;
    if (oauthIds.has(id)) {
      return refused({ rule: 'oauth_installation_duplicate', path: '/install/*/transport/oauth/installation_id' });
    }
    oauthIds.add(id);
  }
  return null;
}

function installationFault(installation: Installation, document: HostDocument): Fault | null {
  const { credentials, install } = document;
  const dangling = bindingsOf(installation).find(({ name }) => !credentials.has(name));
  if (dangling !== undefined) return { rule: 'credential_undeclared', path: dangling.path };
  switch (installation.source) {
    case 'llm_replay':
    case 'decision_replay':
      return leavesDirectory(installation.fixtures) ? { rule: 'fixtures_path_unsafe', path: '/fixtures' } : null;
    case 'decision': {
      if (!('llm' in installation)) return null;
      const model = install.get(installation.llm);
      const usable = model?.source === 'llm' && model.structured_output_mode === 'json_schema';
      return usable ? null : { rule: 'installation_undeclared', path: '/llm' };
    }
    case 'mcp':
      return mcpFault(installation);
    default:
      return null;
  }
}

interface Binding {
  readonly name: string;
  readonly path: string;
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
    return [...transport.env.values()].map(({ binding }) => ({ name: binding, path: '/transport/env/*/binding' }));
  }
  const bindings = transport.auth.map(({ binding }, index) => ({ name: binding, path: `/transport/auth/${index}/binding` }));
  const client = transport.oauth?.client;
  if (client === undefined || !('client_secret_binding' in client)) return bindings;
  return [...bindings, { name: client.client_secret_binding, path: '/transport/oauth/client/client_secret_binding' }];
}

function oauthOf(installation: Installation) {
  return installation.source === 'mcp' && installation.transport.type === 'streamable_http' ? installation.transport.oauth : undefined;
}

/** Routes of the runtime itself, never installable (runtime.md §5). */
const RESERVED_TOOL = /^(?:kernel-.*|runtime-usage|runtime-remaining|cap-list|cap-describe|workflow-annotate)$/u;

/** Set by the program for every child (documents.md §7, stdio). */
const RESERVED_VARIABLES: ReadonlySet<string> = new Set(['HOME', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']);

/** Fields that the transport itself writes (documents.md §7, streamable_http). */
const RESERVED_HEADER =
  /^(?:authorization|connection|content-length|content-type|host|proxy-authorization|transfer-encoding|mcp-.*)$/u;

function mcpFault({ tools, transport, snapshot_identity: identity }: InstallationOf<'mcp'>): Fault | null {
  const names = [...tools.values()].map((tool) => tool.as);
  if (names.some((name) => RESERVED_TOOL.test(name))) return { rule: 'reserved_name', path: '/tools' };
  if (new Set(names).size < names.length) return { rule: 'duplicate_tool_name', path: '/tools' };
  if (identity !== undefined && tools.get(identity.tool)?.effect !== 'read') {
    return { rule: 'snapshot_identity_invalid', path: '/snapshot_identity/tool' };
  }
  if (transport.type === 'stdio') {
    const reserved = [...transport.env.keys()].some((name) => RESERVED_VARIABLES.has(name));
    return reserved ? { rule: 'reserved_name', path: '/transport/env' } : null;
  }
  const header = transport.auth.findIndex((auth) => 'header' in auth && RESERVED_HEADER.test(auth.header.toLowerCase()));
  if (header !== -1) return { rule: 'reserved_name', path: `/transport/auth/${header}/header` };
  if (transport.oauth === undefined) return null;
  if (transport.auth.length > 0) return { rule: 'authentication_conflict', path: '/transport/oauth' };
  const fault = oauthFault(transport.oauth, transport.endpoint);
  return fault === null ? null : { rule: 'oauth_invalid', path: `/transport/oauth${fault}` };
}

function leavesDirectory(path: string): boolean {
  return !path.startsWith('/') && path.split('/').includes('..');
}
