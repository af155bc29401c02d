import { diagnostic, providerSubject, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../../contract/diagnostics/interruption.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import { LOCAL_TENANT } from '../../platform/tenant.ts';
import { readGrantReport, type GrantReport } from '../../providers/mcp/grant-reports.ts';
import type { AuthorisationCode } from '../../providers/source/installed-provider.ts';
import { LOCAL_USER, openUserGrants } from '../stores/user-grants.ts';
import type { NamedAuthOptions } from './auth-options.ts';
import { findOccurrence, resolveOwnCredentials } from './named-occurrence.ts';
import { storeFailure } from './store-failure.ts';

/** What `svc auth login` is asked. */
export interface LoginOptions extends NamedAuthOptions {
  /** Called once with the address where the person has to go. */
  readonly notify: (url: string) => void;
}

/** What was granted, and where a damaged grant was moved that was in its place; null: there was none. */
export interface LoggedIn {
  readonly grant: GrantReport;
  readonly setAside: string | null;
}

/** Has the user authorise an installation, and keeps what is granted. */
export async function logIn(options: LoginOptions): Promise<Outcome<LoggedIn>> {
  const found = await findOccurrence(options);
  if (!found.ok) return found;
  const { occurrence, host } = found.value;
  const { alias, provider } = occurrence;
  const { authorisable } = provider;
  if (authorisable === null)
    return failure(diagnostic('authorization_not_applicable', { subject: providerSubject(alias, 'local', null) }), {
      hint: `${alias} has no oauth in the host document, so there is no sign-in`,
    });
  const credentials = await resolveOwnCredentials(options, occurrence, host);
  if (!credentials.ok) return credentials;
  const store = openUserGrants(options.variables);
  const key = await authorisable.keyOf({ tenant: LOCAL_TENANT, principal: LOCAL_USER });
  try {
    await store.prepare();
    const setAside = await store.setAside(key);
    const answer = await authorisable.authorise({
      tenant: LOCAL_TENANT,
      owner: { store, principal: LOCAL_USER },
      alias,
      credentials: credentials.value,
      notify: options.notify,
      signal: options.signal,
    });
    if (!answer.ok) {
      if (options.signal.aborted) return failure(interruption({ providerActivity: true }));
      // What keeps the store from keeping anything says more than that it does not.
      await store.read(key);
      return failure(refusal(answer.code, alias));
    }
    answer.release();
    const kept = await store.read(key);
    const grant = kept === null ? null : await readGrantReport(kept);
    return grant === null ? failure(refusal('authorization_unavailable', alias)) : success({ grant, setAside });
  } catch (error) {
    return storeFailure(error, alias);
  }
}

function refusal(code: AuthorisationCode, alias: string): Diagnostic {
  return diagnostic(code, { subject: providerSubject(alias, 'authorization', null), providerActivity: true });
}
