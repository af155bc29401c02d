import type { HostDocument, Installation } from './fields.ts';

/** A resource that no document names is the endpoint (documents.md §7, oauth): digests and grants see one form. */
export function nameResources(document: HostDocument): HostDocument {
  const install = new Map(
    [...document.install].map(([alias, installation]) => [alias, withResource(installation)] as const),
  );
  return { ...document, install };
}

function withResource(installation: Installation): Installation {
  if (installation.source !== 'mcp' || installation.transport.type !== 'streamable_http') return installation;
  const { transport } = installation;
  if (transport.oauth === undefined) return installation;
  const resource = transport.oauth.resource ?? transport.endpoint;
  return { ...installation, transport: { ...transport, oauth: { ...transport.oauth, resource } } };
}
