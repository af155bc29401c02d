import { success, type Outcome } from '../../../contract/outcome.ts';
import { LOCAL_TENANT } from '../../platform/tenant.ts';
import {
  endStoredGrant,
  readGrantReport,
  type GrantReport,
  type Revocation,
} from '../../providers/mcp/grant-reports.ts';
import { LOCAL_USER, openUserGrants, type UserGrants } from '../stores/user-grants.ts';
import type { NamedAuthOptions } from './auth-options.ts';
import { findOccurrence, resolveOwnCredentials } from './named-occurrence.ts';
import { storeFailure } from './store-failure.ts';

/** A grant that was ended here, and what became of it at its authority. */
export interface LoggedOut {
  readonly endpoint: string;
  readonly revocation: Revocation;
}

/** Ends every grant that was given under a name, at its authority too where that takes it back. None: there is none. */
export async function logOut(options: NamedAuthOptions): Promise<Outcome<readonly LoggedOut[]>> {
  const store = openUserGrants(options.variables);
  const ended: LoggedOut[] = [];
  try {
    for (const { grant, secretName } of await grantsNamed(store, options.name)) {
      const secret = secretName === null ? null : await secretOf(options, secretName);
      const revocation = await endStoredGrant(grant, { store, principal: LOCAL_USER, tenant: LOCAL_TENANT, secret });
      ended.push({ endpoint: grant.endpoint, revocation });
    }
  } catch (error) {
    return storeFailure(error, options.name);
  }
  return success(ended);
}

async function grantsNamed(
  store: UserGrants,
  name: string,
): Promise<readonly { readonly grant: GrantReport; readonly secretName: string | null }[]> {
  const found: { readonly grant: GrantReport; readonly secretName: string | null }[] = [];
  for (const entry of await store.list()) {
    const grant = 'problem' in entry ? null : await readGrantReport(entry.grant);
    if (grant !== null && grant.name === name) found.push({ grant, secretName: grant.secretName });
  }
  return found;
}

/** Of the host document as it is now; null where that does not have it: the authority is asked without. */
async function secretOf(options: NamedAuthOptions, secretName: string): Promise<string | null> {
  const found = await findOccurrence(options);
  const credentials = found.ok ? await resolveOwnCredentials(options, found.value.occurrence, found.value.host) : found;
  return credentials.ok ? (credentials.value.get(secretName)?.reveal() ?? null) : null;
}
