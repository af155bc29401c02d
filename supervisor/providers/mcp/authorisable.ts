import type { Credentials } from '../../../contract/provider-protocol/credentials.ts';
import type { OwnedOAuth, ServerThreads } from '../../../adapters/pool/servers.ts';
import type { Authorisable, GrantUse } from '../source/installed-provider.ts';
import type { GrantOwner } from './declaration.ts';
import { serverThreads } from './server-threads.ts';

/** A server that people authorise; `ownedBy` says whose grant is meant. */
export function authorisable(ownedBy: (owner: GrantOwner) => OwnedOAuth): Authorisable {
  return {
    keyOf: async (owner) => {
      const { grantKey } = await import('../../../adapters/pool/servers.ts');
      return grantKey(ownedBy(owner));
    },
    isGranted: async ({ tenant, grants: { store, principal } }) => {
      const { grantState } = await import('../../../adapters/pool/servers.ts');
      return grantState(store, ownedBy({ tenant, principal }));
    },
    // The threads that hold what was granted are held until they are released.
    authorise: async ({ tenant, owner, alias, credentials, notify, signal }) => {
      const { CLIENT, authoriseServer } = await import('../../../adapters/pool/servers.ts');
      const { threads, release } = await serverThreads.take(tenant);
      const oauth =
        'store' in owner
          ? inStore(ownedBy({ tenant, principal: owner.principal }), threads, owner)
          : ownedBy({ tenant, principal: owner.runRef });
      const secret = clientSecret(oauth, credentials);
      const answer = await authoriseServer(threads, CLIENT, oauth, { name: alias, secret, notify, signal });
      if (answer.ok) return { ok: true, release };
      release();
      return answer;
    },
    begin: async ({ tenant, grants, alias, credentials, redirectUri }) => {
      const { CLIENT, startAuthorisation } = await import('../../../adapters/pool/servers.ts');
      const { threads, release } = await serverThreads.take(tenant);
      const oauth = inStore(ownedBy({ tenant, principal: grants.principal }), threads, grants);
      const secret = clientSecret(oauth, credentials);
      return startAuthorisation(threads, CLIENT, { name: alias, oauth, redirectUri, secret, ended: release });
    },
  };
}

function clientSecret({ declaration }: OwnedOAuth, credentials: Credentials): string | null {
  const name = declaration.client.secret;
  return name === null ? null : (credentials.get(name)?.reveal() ?? null);
}

/** Its grant is kept where the calling program keeps them, if it does. */
export function inStore(oauth: OwnedOAuth, threads: ServerThreads, grants: GrantUse | null): OwnedOAuth {
  return grants === null ? oauth : { ...oauth, store: threads.storeNumber(grants.store) };
}
