import { success, type Outcome } from '../../../contract/outcome.ts';
import { readGrantReport, type GrantReport } from '../../providers/mcp/grant-reports.ts';
import { openUserGrants } from '../stores/user-grants.ts';
import type { AuthOptions } from './auth-options.ts';
import { storeFailure } from './store-failure.ts';

/** A row of `svc auth list`. */
export type ListedGrant =
  | { readonly state: 'usable' | 'expired' | 'refused'; readonly grant: GrantReport }
  | { readonly state: 'unreadable'; readonly problem: string };

/** All that the user granted, by name; what cannot be read is reported and left as it is. */
export async function listGrants(
  options: AuthOptions & { readonly now: number },
): Promise<Outcome<readonly ListedGrant[]>> {
  const rows: ListedGrant[] = [];
  try {
    for (const entry of await openUserGrants(options.variables).list()) {
      const grant = 'problem' in entry ? null : await readGrantReport(entry.grant);
      if (grant !== null) rows.push({ state: stateOf(grant, options.now), grant });
      else
        rows.push({
          state: 'unreadable',
          problem: 'problem' in entry ? entry.problem : `the grant ${entry.id} was not written by this program`,
        });
    }
  } catch (error) {
    return storeFailure(error, null);
  }
  return success(rows.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)));
}

/** A token that is over is renewed where that can be; one that the server refused likewise. */
function stateOf({ expiresAt, isRejected, isRenewable }: GrantReport, now: number): 'usable' | 'expired' | 'refused' {
  if (isRenewable) return 'usable';
  if (isRejected) return 'refused';
  return expiresAt <= now ? 'expired' : 'usable';
}

function nameOf(row: ListedGrant): string {
  return 'grant' in row ? `0 ${row.grant.name} ${row.grant.endpoint}` : `1 ${row.problem}`;
}
