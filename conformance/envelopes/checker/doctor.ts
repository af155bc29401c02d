import { selector } from './results.ts';
import { closed, either, is, like, list, member, name, nothing, yesOrNo, type Check } from './shape.ts';
import { aliasRows } from './usage.ts';

/** The report of doctor (interface.md §1.2.10; success: providers.md §12). */

/** `STATUS/CODE` pairs by check. */
type Pairs = Readonly<Record<string, readonly string[]>>;

const fail = (codes: string): readonly string[] => codes.split(' ').map((code) => `fail/${code}`);
const UNVERIFIED = 'skipped/not_verified_due_to_failure';

const FAILED: Pairs = {
  runtime: ['pass/supported', 'warn/unsupported'],
  application: [
    'pass/valid',
    ...fail(
      'application_unavailable application_not_found invalid_json duplicate_property schema_violation unknown_mission_provider duplicate_mission_provider schema_validation_unavailable installed_limit_exceeded limit_unavailable limit_configuration_invalid limit_capacity_invalid declared_read_effect_invalid required_property_missing reference_missing document_limit_exceeded contract_invalid contract_projection_limit_exceeded input_invalid input_contract_failed',
    ),
  ],
  viewer: ['pass/available', 'warn/optional_unavailable'],
  local: [
    'pass/available',
    'skipped/active_check_required',
    UNVERIFIED,
    ...fail(
      'adapter_unavailable command_not_found environment_unavailable executable_unavailable fixtures_unreadable launcher_unavailable local_check_timeout model_contract_unsupported provider_admission_unavailable',
    ),
  ],
  selection: [
    'pass/declarative',
    'skipped/active_check_required',
    UNVERIFIED,
    ...fail('selection_rejected selection_validation_failed selection_validation_timeout'),
  ],
  credentials: ['skipped/requires_connect', UNVERIFIED, ...fail('authentication_rejected credential_unavailable')],
  authorization: [
    'skipped/requires_connect',
    UNVERIFIED,
    ...fail(
      'authentication_rejected authorization_rejected authorization_required authorization_unavailable connectivity_protocol_error connectivity_rejected connectivity_unavailable credential_unavailable',
    ),
  ],
  connectivity: [
    'pass/available',
    'skipped/requires_connect',
    UNVERIFIED,
    ...fail(
      'authentication_rejected connectivity_outcome_unknown connectivity_protocol_error connectivity_rate_limited connectivity_rejected connectivity_unavailable connectivity_unsupported provider_acquisition_timeout provider_endpoint_connection_refused provider_endpoint_name_unresolved provider_endpoint_tls_failed provider_policy_changed provider_protocol_error provider_protocol_version_unsupported provider_tool_missing provider_unavailable',
    ),
  ],
};

const READY: Pairs = {
  runtime: ['pass/supported', 'warn/unsupported'],
  application: ['pass/valid', 'skipped/not_requested'],
  viewer: ['pass/available', 'warn/optional_unavailable'],
  local: ['pass/available', 'skipped/active_check_required', 'skipped/application_required'],
  selection: ['pass/declarative', 'pass/available', 'skipped/active_check_required'],
  credentials: ['pass/available', 'skipped/requires_connect'],
  authorization: ['pass/available', 'skipped/requires_connect'],
  connectivity: ['pass/available', 'skipped/requires_connect'],
};

const FIRST = ['runtime', 'application', 'viewer'];
const PROVIDER_ROW = /^provider\/[a-z][a-z0-9._-]{0,127}\/(local|selection|credentials|authorization|connectivity)$/;

function checks(pairs: Pairs): Check {
  return (value, at, report) => {
    list(closed({ name: like(/^/), status: is('pass', 'warn', 'skipped', 'fail'), code: like(/^/) }), 1024, 3)(
      value,
      at,
      report,
    );
    const rows: readonly unknown[] = Array.isArray(value) ? value : [];
    rows.forEach((row, index) => {
      const rowName = String(member(row, 'name'));
      const kind = index < FIRST.length ? FIRST[index] : PROVIDER_ROW.exec(rowName)?.[1];
      if (kind === undefined || (index < FIRST.length && rowName !== kind)) {
        report.push(`${at}/${String(index)}: a check out of place`);
        return;
      }
      const pair = `${String(member(row, 'status'))}/${String(member(row, 'code'))}`;
      if (pairs[kind]?.includes(pair) !== true) report.push(`${at}/${String(index)}: this status has no such code`);
    });
  };
}

function reportOf(pairs: Pairs, readiness: Check): Check {
  return closed({
    checks: checks(pairs),
    model_aliases: list(
      closed(
        {
          alias: name,
          source: is('llm', 'llm_replay', 'custom'),
          installation_revision: name,
          default: is(true, false, null),
          selected: yesOrNo,
        },
        { model_selector: selector },
      ),
      128,
    ),
    provider_activity: yesOrNo,
    readiness,
    usage: either(
      closed({ llm_usage_state: is('available'), llm_usage: aliasRows }),
      closed({ llm_usage_state: is('unavailable'), llm_usage: nothing }),
    ),
  });
}

export const failedReport = reportOf(FAILED, is('failed'));
export const readyReport = reportOf(READY, is('not_applicable', 'unverified', 'ready'));
