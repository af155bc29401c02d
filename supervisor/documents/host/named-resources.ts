import type { HostDocument, Installation } from './fields.ts';
import type { HttpAddress } from './sources/http-address.ts';

/** A resource that no document names is the endpoint (documents.md §7, oauth): digests and grants see one form. */
export function nameResources(document: HostDocument): HostDocument {
  const install = new Map(
    [...document.install].map(([alias, installation]) => [alias, withResource(installation)] as const),
  );
  return { ...document, install };
}

function withResource(installation: Installation): Installation {
  if (installation.source === 'openapi') return { ...installation, ...named(installation) };
  if (installation.source !== 'mcp' || installation.transport.type !== 'streamable_http') return installation;
  const { transport } = installation;
  return { ...installation, transport: { ...transport, ...named(transport) } };
}

function named({ oauth, endpoint }: HttpAddress): Pick<HttpAddress, 'oauth'> {
  return oauth === undefined ? {} : { oauth: { ...oauth, resource: oauth.resource ?? endpoint } };
}
