import type { Diagnostic, DiagnosticCode } from '../diagnostic.ts';
import {
  APPLICATION_RULES,
  HOST_RULES,
  JSON_FAULTS,
  type ApplicationRule,
  type HostRule,
  type JsonFaultReason,
} from '../messages/documents.ts';
import { BUNDLE_RULES, DEPENDENCY_RULES, type BundleRule, type DependencyRule } from '../messages/programs.ts';

/**
 * What to do about a failure, by its code and, where one code reports several rules, by its message. Declared words
 * alone: no remedy quotes what a caller wrote (cli.md §2, §4).
 */

const APPLICATION_RULE_REMEDIES: Readonly<Record<ApplicationRule, string>> = {
  component_duplicate: 'list each library and each id once in one environment',
  component_reserved: 'choose another id: this one belongs to a shipped library',
  library_unknown: 'write the id of a shipped library; svc docs preludes lists them',
  too_many_components: 'list at most 128 components; join small ones',
  too_many_dependencies: 'declare at most 512 dependencies',
  dependencies_unsorted: 'sort the dependencies by bytes, each once',
  source_total: 'keep the sources of all environments together below 2000000 bytes',
};

const HOST_RULE_REMEDIES: Readonly<Record<HostRule, string>> = {
  credential_undeclared: 'declare it under credentials, or name one that is declared',
  installation_undeclared: 'name an llm installation of this document whose structured_output_mode is json_schema',
  reserved_name: 'choose another name: the program or the transport sets this one itself',
  duplicate_tool_name: 'give each tool of the installation its own "as"',
  tool_name_missing: 'give the tool an "as": a lowercase letter, then lowercase letters, digits, dots or hyphens',
  every_tool_named: 'take "as" and "description" out of the row "*", or give the tools rows of their own',
  snapshot_identity_invalid: 'name a key of tools whose effect is "read"',
  authentication_conflict: 'keep either auth or oauth',
  oauth_invalid: 'correct this member; svc docs host says what each member of oauth must be',
  oauth_installation_duplicate: 'give each oauth block its own installation_id',
  fixtures_path_unsafe: 'write a path without .. segments: fixtures are below the host document',
  path_unsafe: 'write a path without .. segments, or an absolute one',
  header_duplicate: 'name each header once; upper and lower case make no difference',
  proxy_invalid: 'write http:// or https://, a host, and a port from 1 to 65535',
};

/** Members of an OAuth block that break a rule, by their pointer inside it (documents.md §7, oauth). */
export const OAUTH_REMEDIES: Readonly<Record<string, string>> = {
  '/issuer': 'write an https address without user, query and fragment',
  '/resource': 'write the endpoint itself, or remove resource',
  '/scope_ceiling': 'keep all scopes together below 8192 bytes',
  '/default_scopes': 'list only scopes of scope_ceiling',
  '/network/additional_origins': 'write origins such as https://auth.example, without path',
  '/network/private_network_origins': 'write origins such as https://10.0.0.1, without path',
  '/client': 'write either loopback_redirect or redirect_uris',
  '/client/grant_types': 'add "authorization_code"',
  '/client/client_id': 'write the https address of the metadata document, with a path',
  '/client/redirect_uris': 'write https addresses with a path, without user, query and fragment',
};

const JSON_REMEDIES: Readonly<Record<JsonFaultReason, string>> = {
  encoding: 'save the file as UTF-8 without a byte order mark',
  syntax: 'correct the JSON here; comments, trailing commas and single quotes are not JSON',
  surrogate: 'write both halves of the surrogate pair, or the character itself',
  number: 'write a number that fits a double',
  trailing_content: 'remove what follows the value',
};

const DEPENDENCY_REMEDIES: Readonly<Record<DependencyRule, string>> = {
  service_missing: 'an inspection snapshot needs one trace snapshot: select one, too',
  service_ambiguous: 'select one of those that provide the same, or give their tools different names',
  dependency_cycle: 'break the cycle of dependencies',
  two_default_models: 'set "default": true in only one model selection',
};

const BUNDLE_REMEDIES: Readonly<Record<BundleRule, string>> = {
  unknown_dependency: 'write the id of a component or library that the same environment lists',
  dependency_cycle: 'break the cycle: a component may not need itself, directly or through others',
  component_invalid: 'give each component its own id and a source that is not empty',
};

/** By the rule as messages report it, behind their last colon. */
const BY_RULE: ReadonlyMap<string, string> = new Map([
  ...rows(APPLICATION_RULES, APPLICATION_RULE_REMEDIES),
  ...rows(HOST_RULES, HOST_RULE_REMEDIES),
  ...rows(JSON_FAULTS, JSON_REMEDIES),
  ...rows(DEPENDENCY_RULES, DEPENDENCY_REMEDIES),
  ...rows(BUNDLE_RULES, BUNDLE_REMEDIES),
]);

function rows(
  texts: Readonly<Record<string, string>>,
  remedies: Readonly<Record<string, string>>,
): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([rule, text]) => {
    const remedy = remedies[rule];
    return remedy === undefined ? [] : [[text, remedy] as const];
  });
}

const FOREIGN_PARENT =
  'no other user may change the directory or one above it; the failure line names it, its owner, group and mode, and the command to run';
const MAKE_DIRECTORY = 'make the directory first';
const CHOOSE_NAME = 'remove it, or choose another name';
const DISK = 'check free space and permissions there';
const TOKEN = 'check the credential of the installation';
const SERVER = 'check that the server runs, and that endpoint and network let you reach it';

const BY_CODE: Readonly<Partial<Record<DiagnosticCode, string>>> = {
  application_not_found: 'check the name; svc init my-app makes an application',
  application_unavailable: 'use a regular file that you may read; a link may not lead out of its folder',
  host_unavailable: 'check the name; use a regular file that you may read',
  schema_validation_unavailable: 'make the document smaller',
  duplicate_property: 'keep one of the two',
  unknown_mission_provider: 'add it to providers.mission, or take it from the mission',
  duplicate_mission_provider: 'list it once',
  reference_missing: 'create the file or correct its path; it is relative to the folder of the document that names it',
  document_limit_exceeded: 'make the document smaller, or split it',
  contract_projection_limit_exceeded: 'shorten the contracts: fewer properties, shorter descriptions',
  input_invalid: 'the input is one JSON object, such as {}',
  event_identity_conflict: 'remove run_id and trace_id from events, or run without traces',
  limit_capacity_invalid: 'raise event_payload_bytes, or select fewer capabilities and missions',
  declared_read_effect_invalid: 'declare the export with effect write, or take the writing call out of what it reaches',
  installation_revision_missing: 'add "installation_revision", a name such as "r1", to this installation',
  installation_endpoint_invalid:
    'write scheme, host and path, such as https://tools.example/mcp, without user, fragment or spaces',
  installation_endpoint_insecure_loopback_required:
    'write https, or add "allow_insecure_loopback": true for a server on 127.0.0.1 or [::1]',
  installation_endpoint_literal_loopback_required:
    'write 127.0.0.1 or [::1] instead of the name of the host, or use https',
  installation_endpoint_insecure_loopback_forbidden: 'remove allow_insecure_loopback',
  installation_endpoint_credentials_require_https: 'write https, or remove auth and oauth',
  bundle_limit_exceeded: 'make the components smaller, and compute at run time what their top-level forms compute',
  mission_undeclared: 'declare a mission under missions, or take the mission calls out of what the entry reaches',
  mission_capability_ungranted: 'list in providers of the mission the provider that supplies these capabilities',
  provider_unknown: 'install the provider under this name in the host document, or select one that is installed',
  placement_denied:
    'models and decisions belong under providers.workflow, tools and snapshots under providers.mission; mcp under workflow needs "catalog": true',
  selection_unverifiable: 'svc doctor --connect checks the selection',
  data_policy_denied:
    'list "normal", or for private inputs "private_inspection", in accepts_data of the installation, or select another provider',
  invalid_destination: 'choose a plain file or directory of yours, apart from the other destinations',
  envelope_destination_unavailable: 'name a new file in a directory that exists and that only you may change',
  invalid_trace_destination: 'name a directory',
  trace_directory_missing: MAKE_DIRECTORY,
  trace_destination_unavailable: DISK,
  trace_destination_unsafe: FOREIGN_PARENT,
  invalid_inspection_destination: 'name a new file that ends in .svcins',
  inspection_destination_unavailable: DISK,
  inspection_directory_missing: MAKE_DIRECTORY,
  inspection_destination_unsafe: FOREIGN_PARENT,
  invalid_result_destination: 'name a new file',
  result_destination_unavailable: DISK,
  result_directory_missing: MAKE_DIRECTORY,
  result_destination_unsafe: FOREIGN_PARENT,
  destination_exists: CHOOSE_NAME,
  private_destination_required: 'give --private-output, or set artifacts.result in a project',
  recovery_reservation_failed: DISK,
  environment_unavailable: 'check cwd and env of the installation',
  environment_file_not_found:
    'check the name; --env-file is looked for in the working directory, env_file of a project in its folder',
  environment_file_not_regular: 'name a regular file',
  environment_file_unreadable: 'make it readable for you, and name it without a link',
  environment_file_too_large: 'keep only the variables that are needed',
  environment_file_invalid: 'each line is NAME=VALUE, empty, or a comment after #',
  environment_file_invalid_utf8: 'save it as UTF-8',
  authorization_target_unknown: 'name an alias that the application selects',
  authorization_not_applicable: 'leave --authorize-mcp out for this installation',
  command_not_found:
    'install the program, or correct transport.command: an absolute path, or the bare name of a program on PATH',
  executable_unavailable: 'make the file executable for you; transport.command is an absolute path or a bare name',
  fixtures_unreadable:
    'create or correct the file that fixtures names: one JSON object a line, relative to the host document',
  launcher_unavailable: 'correct runtime.stdio_launcher of the host document',
  local_check_timeout: 'try again; raise local_preflight_timeout_ms in the limits of the host document',
  model_contract_unsupported: 'use params, cache and a structured_output_mode that the model has, or another model',
  provider_application_unavailable: SERVER,
  selection_rejected: 'ask for what the provider offers; svc catalog lists it',
  selection_validation_timeout: 'try again; raise selection_validation_timeout_ms in the limits of the host document',
  credential_unavailable: 'export the variable, name a file with --env-file, or install a file credential',
  authorization_required: loginRemedy('NAME'),
  authorization_rejected: loginRemedy('NAME'),
  authentication_rejected: TOKEN,
  connectivity_unavailable: SERVER,
  connectivity_rate_limited: 'try again later',
  connectivity_timeout: 'try again; raise doctor_connectivity_timeout_ms in the limits of the host document',
  provider_unavailable:
    'check that its server starts and answers: run the command of its transport by hand, or call its endpoint',
  provider_acquisition_timeout: 'try again; raise start_timeout_ms or timeout_ms of the installation',
  provider_endpoint_connection_refused: 'start the server, or correct endpoint',
  provider_endpoint_name_unresolved: 'correct the host of endpoint',
  provider_endpoint_tls_failed: 'check the certificate of the server and the scheme of endpoint',
  provider_protocol_version_unsupported:
    'use a server that speaks MCP 2026-07-28, or with "revisions": "auto" one of 2024-11-05 to 2025-11-25',
  provider_tool_missing: 'correct tools of the installation; svc catalog lists what the server exposes',
  capability_requirement_missing:
    'select the provider in the manifest: for a model "providers": {"workflow": [{"name": ALIAS}]}, for tools "mission"; only programs that (kernel/eval-source MISSION PROGRAM) runs can call tools',
  result_contract_failed: 'return there what the contract asks for, or change the contract',
  phase_return_contract_failed: 'return there what the contract of the phase asks for, or change the contract',
  result_limit_exceeded: 'return less, or raise the limit in limits of manifest and host',
  initialization_target_exists: 'choose a new directory, and copy from it',
  initialization_parent_missing: MAKE_DIRECTORY,
  initialization_parent_unusable: FOREIGN_PARENT,
};

/** What to do, in one line, for terminal and pipe; null where nothing is known that the message does not say. */
export function remedyFor({ code, message, subject }: Pick<Diagnostic, 'code' | 'message' | 'subject'>): string | null {
  const known = BY_RULE.get(message.slice(message.lastIndexOf(': ') + 2));
  if (known !== undefined) return known;
  // The ways to a credential do not help an authorization that was never given.
  const isUngranted =
    code === 'authorization_required' ||
    code === 'authorization_rejected' ||
    (code === 'credential_unavailable' && subject?.operation === 'authorization');
  if (isUngranted && subject?.kind === 'provider') return loginRemedy(subject.name);
  return BY_CODE[code] ?? null;
}

/** The name is that of an installation, which the failure line reports too. */
function loginRemedy(name: string): string {
  return `run svc auth login ${name}`;
}
