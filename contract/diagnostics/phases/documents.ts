import { PLAIN, provider, text, textOr, type CatalogueEntry, type MessageGrammar, type SourceRule } from '../entry.ts';
import * as messages from '../messages/documents.ts';
import type { DiagnosticCode } from '../codes.ts';

/** Documents that an application names, by the role under which they are its sources. */
const REFERENCED = [
  'application',
  'external_input',
  'component',
  'component_override',
  'input_contract',
  'result_contract',
  'phase_return_contract',
] as const satisfies readonly SourceRule[];

type Variation = Partial<Pick<CatalogueEntry, 'path' | 'retryable' | 'providerActivity' | 'phases'>>;

function project(message: MessageGrammar, variation: Variation = {}): CatalogueEntry {
  return { ...PLAIN, phases: ['project'], exit: 3, sources: ['project'], message, ...variation };
}

function host(message: MessageGrammar, variation: Variation = {}): CatalogueEntry {
  return { ...PLAIN, phases: ['host'], exit: 3, sources: ['host'], message, ...variation };
}

/** Faults of one installation: named by its alias, not by a place in the document. */
function installation(generic: string): CatalogueEntry {
  return { ...PLAIN, phases: ['host'], exit: 3, subjects: [provider('declaration', 'null')], message: text(generic) };
}

function application(
  message: MessageGrammar,
  sources: readonly [SourceRule, ...SourceRule[]],
  variation: Variation = {},
): CatalogueEntry {
  return { ...PLAIN, phases: ['application'], exit: 3, sources, message, ...variation };
}

const WITH_PATH = { path: 'allowed' } as const;
const {
  schemaRulePattern: rule,
  documentLimitPattern: limit,
  jsonFaultPattern: json,
  contractRulePattern: contract,
  PROVIDER_ALIAS_PATTERN: alias,
} = messages;

/** runtime.md §13 "project", "host", "application"; documents.md §13. */
export const DOCUMENTS = {
  project_schema_invalid: project(
    textOr(
      'the project document is invalid',
      rule('project'),
      limit('project'),
      json('project'),
      rule('cases'),
      limit('cases'),
      json('cases'),
    ),
    WITH_PATH,
  ),
  schema_validation_unavailable: {
    ...PLAIN,
    phases: ['application', 'project', 'host'],
    exit: 3,
    retryable: true,
    sources: ['application', 'project', 'host', 'external_input', 'component_override'],
    message: text('the document could not be validated within its time and memory'),
  },
  host_unavailable: host(text('the host document is not a safely readable regular file')),
  host_invalid: host(
    textOr('the host document is invalid', json('host'), limit('host'), messages.HOST_RULE_PATTERN),
    WITH_PATH,
  ),
  host_schema_invalid: host(textOr('the host document does not satisfy its schema', rule('host')), WITH_PATH),
  installed_limit_invalid: host(
    textOr(
      messages.INSTALLED_LIMIT_INVALID,
      messages.LIMIT_PREREQUISITE_PATTERN,
      messages.LIMIT_RANGE_PATTERN,
      rule('host'),
    ),
    WITH_PATH,
  ),
  installation_revision_missing: installation('an installation declares no installation_revision'),
  installation_endpoint_invalid: installation('an installed endpoint is not a usable http or https address'),
  installation_endpoint_insecure_loopback_required: installation(
    'an installed plain http endpoint requires allow_insecure_loopback',
  ),
  installation_endpoint_literal_loopback_required: installation(
    'an installed plain http endpoint must name 127.0.0.1 or [::1] literally',
  ),
  installation_endpoint_insecure_loopback_forbidden: installation(
    'allow_insecure_loopback does not apply to an installed https endpoint',
  ),
  installation_endpoint_credentials_require_https: installation(
    'an installed endpoint with credentials or OAuth requires https',
  ),
  application_unavailable: application(text('the application document is not a safely readable regular file'), [
    'application',
  ]),
  application_not_found: application(text('the application document does not exist'), ['application']),
  invalid_json: application(
    textOr('the document is not strict JSON', json('application'), json('input')),
    ['application', 'external_input'],
    WITH_PATH,
  ),
  duplicate_property: application(
    textOr('an object of the document has a duplicate property', rule('application'), rule('input')),
    ['application', 'external_input'],
    WITH_PATH,
  ),
  schema_violation: application(
    textOr(
      'the application document does not satisfy its schema',
      rule('application'),
      messages.APPLICATION_RULE_PATTERN,
    ),
    ['application'],
    WITH_PATH,
  ),
  unknown_mission_provider: application(
    textOr(messages.UNKNOWN_MISSION_PROVIDER, alias(messages.UNKNOWN_MISSION_PROVIDER)),
    ['application'],
    WITH_PATH,
  ),
  duplicate_mission_provider: application(
    textOr(messages.DUPLICATE_MISSION_PROVIDER, alias(messages.DUPLICATE_MISSION_PROVIDER)),
    ['application'],
    WITH_PATH,
  ),
  installed_limit_exceeded: application(
    textOr(messages.INSTALLED_LIMIT_EXCEEDED, messages.LIMIT_EXCEEDED_PATTERN),
    ['application'],
    WITH_PATH,
  ),
  limit_unavailable: application(
    textOr(messages.LIMIT_UNAVAILABLE, messages.LIMIT_UNAVAILABLE_PATTERN),
    ['application'],
    WITH_PATH,
  ),
  limit_configuration_invalid: application(
    textOr(messages.LIMIT_CONFIGURATION_INVALID, messages.LIMIT_TOO_SMALL_PATTERN),
    ['application'],
  ),
  limit_capacity_invalid: application(
    textOr(messages.LIMIT_CONFIGURATION_INVALID, messages.CAPACITY_PATTERN),
    ['application'],
    { providerActivity: 'any' },
  ),
  // Found again after acquisition, when effects of acquired tools are known (runtime.md §3).
  declared_read_effect_invalid: application(
    textOr(messages.DECLARED_READ_EFFECT_INVALID, messages.EFFECT_PATTERN),
    ['application'],
    { providerActivity: 'any' },
  ),
  required_property_missing: application(
    textOr('the application document lacks a required property', rule('application')),
    ['application'],
    WITH_PATH,
  ),
  // Null: evidence named by transcript has no source role (cli.md §10).
  reference_missing: application(text('a referenced file is missing or not a safely readable regular file'), [
    ...REFERENCED,
    null,
  ]),
  document_limit_exceeded: application(
    textOr(
      'a document exceeds its size, depth or node limit',
      limit('application'),
      limit('input'),
      limit('component'),
      limit('component_override'),
      limit('input_contract'),
      limit('result_contract'),
      limit('phase_return_contract'),
      messages.CLOSURE_LIMIT_PATTERN,
    ),
    REFERENCED,
  ),
  contract_invalid: application(
    textOr(
      'a contract is not in the supported schema profile',
      ...(['input_contract', 'result_contract', 'phase_return_contract'] as const).flatMap((role) => [
        contract(role),
        json(role),
        rule(role),
      ]),
    ),
    ['input_contract', 'result_contract', 'phase_return_contract'],
    WITH_PATH,
  ),
  contract_projection_limit_exceeded: application(text('the contracts are too large when rendered for prompts'), [
    null,
  ]),
  input_invalid: application(text('the input is not a JSON object'), ['application', 'external_input'], WITH_PATH),
  input_contract_failed: application(
    textOr('the input violates its contract', messages.CONTRACT_VALUE_PATTERN('the input')),
    ['application', 'external_input'],
    WITH_PATH,
  ),
  override_invalid: application(
    textOr('the component override is refused', messages.OVERRIDE_PATTERN),
    ['component_override'],
    WITH_PATH,
  ),
  event_identity_conflict: application(
    text('the application names a run or trace identity, but the command fixes it'),
    ['application'],
    WITH_PATH,
  ),
} as const satisfies Partial<Record<DiagnosticCode, CatalogueEntry>>;
