import { PRINTED, provider, text, type CatalogueEntry, type SubjectRule } from '../entry.ts';
import type { DiagnosticCode } from '../codes.ts';

/** The environment file and the --authorize-mcp names: read before any provider (runtime.md §1, step 11). */
function inert(generic: string, subject: SubjectRule = null): CatalogueEntry {
  return { ...PRINTED, phases: ['local_preflight'], exit: 4, subjects: [subject], message: text(generic) };
}

/** Local checks of a selected occurrence, before or after the activity boundary. */
function local(generic: string): CatalogueEntry {
  return {
    ...PRINTED,
    phases: ['local_preflight'],
    exit: 4,
    providerActivity: 'any',
    subjects: [provider('local', 'object')],
    message: text(generic),
  };
}

function active(
  generic: string,
  subjects: readonly [SubjectRule, ...SubjectRule[]],
  retryable = false,
): CatalogueEntry {
  return {
    ...PRINTED,
    phases: ['active_preflight'],
    exit: 4,
    providerActivity: 'any',
    retryable,
    subjects,
    message: text(generic),
  };
}

const NAMED = provider('local', 'null');
const SELECTION = provider('selection', 'object');
const AUTHORIZATION = provider('authorization', 'either');
const CONNECTIVITY = provider('connectivity', 'object');
const ACQUISITION = provider('acquisition', 'object');
const RETRYABLE = true;

/** interface.md §2.5 "Errors" prints all of these but three; runtime.md §13 "local_preflight", "active_preflight". */
export const PREFLIGHT = {
  environment_unavailable: local('a required local environment is unavailable'),
  environment_file_not_found: inert('the named environment file does not exist'),
  environment_file_not_regular: inert('the named environment file is not a regular file'),
  environment_file_unreadable: inert('the named environment file cannot be read safely'),
  environment_file_too_large: inert('the named environment file exceeds the 1 MB limit'),
  environment_file_invalid: inert('the named environment file has a malformed line'),
  environment_file_invalid_utf8: inert('the named environment file is not valid UTF-8'),
  authorization_target_unknown: inert('--authorize-mcp must name an installed provider the application selects', NAMED),
  authorization_not_applicable: inert('--authorize-mcp applies only to an installation that declares OAuth', NAMED),
  command_not_found: local('a required provider command could not be found'),
  executable_unavailable: local('a required provider executable is unusable'),
  fixtures_unreadable: local('provider fixtures could not be read'),
  adapter_unavailable: local('a required provider adapter is unavailable'),
  provider_admission_unavailable: local('the shared admission of provider calls is unavailable'),
  model_contract_unsupported: local('the configured model cannot honour the declared controls'),
  launcher_unavailable: local('a required provider launcher is unavailable'),
  local_check_timeout: local('a local provider check timed out'),
  provider_application_unavailable: active('a required provider application is unavailable', [
    provider('application', 'null'),
  ]),
  selection_rejected: active('the provider rejected the normalized selection', [SELECTION]),
  selection_validation_failed: active('active provider selection validation failed', [SELECTION]),
  selection_validation_timeout: active('active provider selection validation timed out', [SELECTION]),
  credential_unavailable: active('a required provider credential is unavailable', [
    provider('credentials', 'null'),
    provider('authorization', 'null'),
  ]),
  authorization_required: active('explicit provider authorization is required', [AUTHORIZATION]),
  authorization_rejected: active('explicit provider authorization was rejected', [AUTHORIZATION]),
  authentication_rejected: active('provider authentication was rejected', [AUTHORIZATION, CONNECTIVITY, ACQUISITION]),
  connectivity_rejected: active('the provider rejected the connectivity operation', [AUTHORIZATION, CONNECTIVITY]),
  connectivity_protocol_error: active('the provider returned an invalid connectivity response', [
    AUTHORIZATION,
    CONNECTIVITY,
  ]),
  connectivity_unsupported: active('the provider does not implement the declared connectivity check', [CONNECTIVITY]),
  connectivity_outcome_unknown: active('the connectivity outcome could not be committed safely', [CONNECTIVITY]),
  connectivity_timeout: active('the connectivity operation exceeded its budget', [null]),
  authorization_unavailable: active('the authorization service is temporarily unavailable', [AUTHORIZATION], RETRYABLE),
  connectivity_unavailable: active(
    'the provider connectivity operation is temporarily unavailable',
    [AUTHORIZATION, CONNECTIVITY],
    RETRYABLE,
  ),
  connectivity_rate_limited: active('the provider connectivity operation is rate limited', [CONNECTIVITY], RETRYABLE),
} as const satisfies Partial<Record<DiagnosticCode, CatalogueEntry>>;
