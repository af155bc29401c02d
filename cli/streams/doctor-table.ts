import type { CheckStatus, DoctorFailedResult, DoctorReadyResult } from '../../contract/envelope/doctor.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { styled, wrapped, type Styling } from './styling.ts';

type Report = DoctorFailedResult | DoctorReadyResult;

const GAP = 2;
const LOOKS: Readonly<Record<CheckStatus, 'red' | 'yellow' | null>> = {
  pass: null,
  warn: 'yellow',
  skipped: null,
  fail: 'red',
};
const STATUS_WIDTH = 'skipped'.length;

/** What to do about a code; those of an application are reported with their place instead. */
const REMEDIES: Readonly<Record<string, string>> = {
  unsupported: 'run svc on Node 24, on Linux or macOS',
  optional_unavailable: 'only svc viewer needs it',
  not_requested: 'name a manifest or a project, and it is checked',
  application_required: 'name a manifest or a project that selects it',
  active_check_required: 'only --connect can show that',
  requires_connect: 'only --connect can show that',
  not_verified_due_to_failure: 'correct the failure first',
  adapter_unavailable: 'give the installation a model selector, or a source, that svc knows',
  command_not_found: 'install the command, or name it by its absolute path',
  executable_unavailable: 'make the command an executable file that you may read',
  environment_unavailable: 'check the working directory and the variables that the installation inherits',
  launcher_unavailable: 'check runtime.stdio_launcher of the host document',
  fixtures_unreadable: 'correct the fixture file, or record it again',
  local_check_timeout: 'raise local_preflight_timeout_ms of the host document',
  model_contract_unsupported: 'change what the installation declares, or use a model that can do it',
  provider_admission_unavailable: 'restart the process that admits calls',
  credential_unavailable: 'export the variable, name a file with --env-file, or install a file credential',
  authentication_rejected: 'check the value of the credential and what it is allowed to do',
  authorization_required: 'sign in with svc auth login, or for one run with svc run --authorize-mcp',
  authorization_rejected: 'sign in again with svc auth login',
  authorization_unavailable: 'try again later',
  selection_rejected: 'change the config of the selection',
  selection_validation_failed: 'change the config of the selection',
  selection_validation_timeout: 'try again, or raise selection_validation_timeout_ms of the host document',
  connectivity_rate_limited: 'wait, then try again',
  connectivity_rejected: 'check the name of the model and what the credential may use',
  connectivity_unavailable: 'check the address and the network, then try again',
  connectivity_protocol_error: 'check that the address is that of a server of this kind',
  connectivity_outcome_unknown: 'lower usage_guarantees: the answer lacked what they promise',
  connectivity_unsupported: 'this source cannot be tried without a run',
  provider_acquisition_timeout: 'try again, or raise timeout_ms of the installation',
  provider_endpoint_connection_refused: 'start the server, or correct its port',
  provider_endpoint_name_unresolved: 'correct the host name of the endpoint',
  provider_endpoint_tls_failed: 'check the certificate of the server',
  provider_protocol_error: 'check that the endpoint is that of an MCP server',
  provider_protocol_version_unsupported: 'use a server that speaks the required version',
  provider_tool_missing: 'map a tool that the server offers; svc catalog lists them',
  provider_policy_changed: 'install the server again with a new installation_revision',
  provider_unavailable: 'check that the server starts and answers',
};

/**
 * The report of doctor for a terminal: a row for each check, what to do about it, then the models. `hints`: by the name
 * of a row.
 */
export function doctorTable(
  { checks, readiness, model_aliases: models, usage }: Report,
  hints: ReadonlyMap<string, string>,
  styling: Styling,
): string {
  const column = Math.max(...checks.map(({ name }) => name.length)) + GAP;
  const indent = column + STATUS_WIDTH + GAP;
  const rows = checks.flatMap(({ name, status, code }) => {
    const look = LOOKS[status];
    const word = status.padEnd(STATUS_WIDTH);
    const remedy = status === 'pass' ? undefined : REMEDIES[code];
    const texts = [hints.get(name), remedy].filter((text) => text !== undefined).map(visibleText);
    return [
      `${name.padEnd(column)}${look === null ? word : styled(word, look, styling)}${' '.repeat(GAP)}${code}`,
      ...texts.map((text) => `${' '.repeat(indent)}${wrapped(text, styling.width, indent)}`),
    ];
  });
  const listed = models
    .map(({ alias, source, selected, default: isDefault, model_selector: selector }) =>
      [
        alias,
        source,
        ...(selector === undefined ? [] : [selector]),
        selected ? 'selected' : 'not selected',
        ...(isDefault === true ? ['default'] : []),
      ].join('  '),
    )
    .map(visibleText);
  const usages = (usage.llm_usage ?? []).map(
    ({ alias, usage: { input, output } }) =>
      `${alias}: ${String(input ?? '?')} tokens in, ${String(output ?? '?')} out`,
  );
  return [
    ...rows,
    ...section('models', listed, styling),
    ...section('asked', usages, styling),
    '',
    `${styled('readiness:', 'bold', styling)} ${readiness}`,
    '',
  ].join('\n');
}

function section(title: string, lines: readonly string[], styling: Styling): readonly string[] {
  return lines.length === 0 ? [] : ['', styled(title, 'bold', styling), ...lines.map((line) => `  ${line}`)];
}
