import type { AuthorizationClient } from './ask.ts';
import type { KnownClient } from './declaration.ts';
import type { OAuthGrant } from './grants.ts';
import { askAsClient } from './tokens.ts';

/** What became of a grant at its authority: `unsupported` where it takes none back. */
export type Revocation = 'revoked' | 'unsupported' | 'failed';

/** Gives a grant back to its authority (RFC 7009), with what lives longest of it. Never rejects. */
export async function revokeGrant(
  { server: { revocationEndpoint: endpoint }, refresh, access }: OAuthGrant,
  client: KnownClient,
  signal: AbortSignal,
  wire: AuthorizationClient,
): Promise<Revocation> {
  if (endpoint === null) return 'unsupported';
  const members =
    refresh === null
      ? { token: access, token_type_hint: 'access_token' }
      : { token: refresh, token_type_hint: 'refresh_token' };
  const answer = await askAsClient({ endpoint, client, members }, signal, wire);
  return answer.ok && answer.status === 200 ? 'revoked' : 'failed';
}
