import { join } from 'node:path';
import { CERTIFICATES } from '../servers/http/listen.ts';
import { startRealAuthority, type RealAuthority } from '../servers/oauth/real.ts';
import { publicLikeDocument } from '../servers/openapi/document.ts';
import { startApi, type ApiServer } from '../servers/openapi/server.ts';
import type { Members } from './room.ts';

export const DOCUMENT = publicLikeDocument(['projects', 'issues']);

/** An API that lets in only those whom an authority that nobody here wrote gave a token. */
export interface AuthorisedApi {
  readonly authority: RealAuthority;
  readonly server: ApiServer;
  /** Members of an installation that says so. */
  readonly installation: Members;
  readonly close: () => Promise<void>;
}

export async function startAuthorisedApi(): Promise<AuthorisedApi> {
  const authority = await startRealAuthority();
  const { issuer } = authority;
  const server = await startApi({
    document: DOCUMENT,
    tls: 'trusted',
    authorization: (input) => authority.accessTokens.has((input ?? '').replace('Bearer ', '')),
  });
  return {
    authority,
    server,
    installation: {
      endpoint: server.url,
      oauth: {
        installation_id: 'one',
        issuer,
        scope_ceiling: ['read', 'offline_access'],
        default_scopes: ['read'],
        refresh_access: 'when_supported',
        // A token is renewed a second before it ends.
        unknown_expiry_ttl_ms: 10_000,
        network: { private_network_origins: [issuer, new URL(server.url).origin] },
        client: { registration: 'dynamic' },
      },
    },
    close: async () => void (await Promise.all([server.close(), authority.close()])),
  };
}

/** Of a user whose grants are kept in a folder. */
export function userEnvironment(directory: string): Readonly<Record<string, string>> {
  return { SSL_CERT_FILE: join(CERTIFICATES, 'authority.pem'), SVC_GRANTS_DIR: join(directory, 'grants') };
}
