import { resolveCredentials } from '../../providers/credentials.ts';
import type { StartedAuthorisation } from '../../providers/source/installed-provider.ts';
import type { Preparation } from '../../application/prepared/prepared-application.ts';
import { LOCAL_TENANT } from '../../platform/tenant.ts';
import { openLocalEnvironment } from '../../run/local-environment.ts';
import { openingOptions, type RunSetting } from './run-setting.ts';
import type { AuthorisationAnswer, AuthorisationRefused, AuthorisationRequest } from '../embedding/types.ts';

/**
 * Has a person authorise what an application selects, in the store of the calling program (providers.md §9). Throws
 * TypeError where there is none.
 */
export async function authoriseInstallation(
  setting: RunSetting,
  preparation: Preparation | null,
  { installation, redirectUri, tenant = LOCAL_TENANT, principal = tenant }: AuthorisationRequest,
): Promise<AuthorisationAnswer> {
  if (preparation === null) return refused('prepared_stale');
  const { workingDirectory, target, application } = preparation;
  const options = openingOptions(setting, { tenant, principal, workingDirectory });
  const { grants, secret, documents: files } = options;
  if (grants === undefined)
    throw new TypeError('a supervisor needs a place to keep grants: createSupervisor({ stores: { grants } })');
  const {
    providers: { workflow, mission },
    host,
  } = application;
  const variable = await openLocalEnvironment({ ...options, authorize: [installation] }, target, application);
  if (!variable.ok) return refused(variable.diagnostic.code);
  const occurrences = [...workflow, ...mission].filter(({ alias }) => alias === installation).slice(0, 1);
  const credentials = await resolveCredentials({
    occurrences,
    host,
    sources: { variable: variable.value, files, ...(secret === undefined ? {} : { secret }) },
  });
  if (!credentials.ok) return refused(credentials.diagnostic.code);
  const [provider] = occurrences.map((occurrence) => occurrence.provider);
  if (provider?.authorisable === null || provider === undefined) return refused('authorization_not_applicable');
  const started = await provider.authorisable.begin({
    tenant,
    grants,
    alias: installation,
    credentials: credentials.value.of(provider),
    redirectUri,
  });
  return started.ok
    ? { kind: 'begun', url: started.url, finish: async (arrivedAt) => awaitFinished(started, arrivedAt) }
    : refused(started.code);
}

async function awaitFinished(
  startedAuthorisation: StartedAuthorisation,
  arrivedAt: string,
): Promise<{ readonly kind: 'granted' } | AuthorisationRefused> {
  const end = await startedAuthorisation.finish(arrivedAt);
  return end.ok ? { kind: 'granted' } : refused(end.code);
}

function refused(code: string): AuthorisationRefused {
  return { kind: 'refused', code };
}
