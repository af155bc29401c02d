import type { AliasUsage } from './usage.ts';

/** The report of doctor (interface.md §1.2.10; providers.md §12). */

export const CHECK_STATUSES = ['pass', 'warn', 'skipped', 'fail'] as const;
/** What became of one check (providers.md §12). */
export type CheckStatus = (typeof CHECK_STATUSES)[number];

const WAITING = ['requires_connect', 'not_verified_due_to_failure'] as const;
const UNCHECKED = ['active_check_required', 'not_verified_due_to_failure'] as const;

/** Codes of a failed report, by check and status. Provider checks are named `provider/ALIAS/CHECK`. */
export const FAILED_CHECKS = {
  runtime: { pass: ['supported'], warn: ['unsupported'], skipped: [], fail: [] },
  application: {
    pass: ['valid'],
    warn: [],
    skipped: [],
    fail: [
      'application_unavailable',
      'application_not_found',
      'invalid_json',
      'duplicate_property',
      'schema_violation',
      'unknown_mission_provider',
      'duplicate_mission_provider',
      'schema_validation_unavailable',
      'installed_limit_exceeded',
      'limit_unavailable',
      'limit_configuration_invalid',
      'limit_capacity_invalid',
      'declared_read_effect_invalid',
      'required_property_missing',
      'reference_missing',
      'document_limit_exceeded',
      'contract_invalid',
      'contract_projection_limit_exceeded',
      'input_invalid',
      'input_contract_failed',
    ],
  },
  viewer: { pass: ['available'], warn: ['optional_unavailable'], skipped: [], fail: [] },
  local: {
    pass: ['available'],
    warn: [],
    skipped: UNCHECKED,
    fail: [
      'adapter_unavailable',
      'command_not_found',
      'environment_unavailable',
      'executable_unavailable',
      'fixtures_unreadable',
      'launcher_unavailable',
      'local_check_timeout',
      'model_contract_unsupported',
      'provider_admission_unavailable',
    ],
  },
  selection: {
    pass: ['declarative'],
    warn: [],
    skipped: UNCHECKED,
    fail: ['selection_rejected', 'selection_validation_failed', 'selection_validation_timeout'],
  },
  credentials: { pass: [], warn: [], skipped: WAITING, fail: ['authentication_rejected', 'credential_unavailable'] },
  authorization: {
    pass: [],
    warn: [],
    skipped: WAITING,
    fail: [
      'authentication_rejected',
      'authorization_rejected',
      'authorization_required',
      'authorization_unavailable',
      'connectivity_protocol_error',
      'connectivity_rejected',
      'connectivity_unavailable',
      'credential_unavailable',
    ],
  },
  connectivity: {
    pass: ['available'],
    warn: [],
    skipped: WAITING,
    fail: [
      'authentication_rejected',
      'connectivity_outcome_unknown',
      'connectivity_protocol_error',
      'connectivity_rate_limited',
      'connectivity_rejected',
      'connectivity_unavailable',
      'connectivity_unsupported',
      'provider_acquisition_timeout',
      'provider_endpoint_connection_refused',
      'provider_endpoint_name_unresolved',
      'provider_endpoint_tls_failed',
      'provider_policy_changed',
      'provider_protocol_error',
      'provider_protocol_version_unsupported',
      'provider_tool_missing',
      'provider_unavailable',
    ],
  },
} as const satisfies CheckTable;

/** Codes of a report without failure (providers.md §12); nothing in it can fail or wait on a failure. */
export const READY_CHECKS = {
  runtime: FAILED_CHECKS.runtime,
  application: { pass: ['valid'], warn: [], skipped: ['not_requested'], fail: [] },
  viewer: FAILED_CHECKS.viewer,
  local: { pass: ['available'], warn: [], skipped: ['active_check_required', 'application_required'], fail: [] },
  selection: { pass: ['declarative', 'available'], warn: [], skipped: ['active_check_required'], fail: [] },
  credentials: { pass: ['available'], warn: [], skipped: ['requires_connect'], fail: [] },
  authorization: { pass: ['available'], warn: [], skipped: ['requires_connect'], fail: [] },
  connectivity: { pass: ['available'], warn: [], skipped: ['requires_connect'], fail: [] },
} as const satisfies CheckTable;

export const SYSTEM_CHECKS = ['runtime', 'application', 'viewer'] as const;
export const PROVIDER_CHECKS = ['local', 'selection', 'credentials', 'authorization', 'connectivity'] as const;
/** A check of the machine and of the program itself (providers.md §12). */
export type SystemCheck = (typeof SYSTEM_CHECKS)[number];
/** A check of one application and its providers (providers.md §12). */
export type ProviderCheck = (typeof PROVIDER_CHECKS)[number];
/** The name of a row of the report. */
export type CheckName = SystemCheck | ProviderCheck;

/** Which codes a row may have with which status (providers.md §12). */
export type CheckTable = Readonly<Record<CheckName, Readonly<Record<CheckStatus, readonly string[]>>>>;

type RowName<Check extends CheckName> = Check extends ProviderCheck ? `provider/${string}/${Check}` : Check;

/** One row: its name, and a status with one of the codes that the table gives it. */
export type CheckRow<Table extends CheckTable, Check extends CheckName> = {
  readonly [Status in CheckStatus]: {
    readonly name: RowName<Check>;
    readonly status: Status;
    readonly code: Table[Check][Status][number];
  };
}[CheckStatus];

type ProviderRow<Table extends CheckTable> = {
  readonly [Check in ProviderCheck]: CheckRow<Table, Check>;
}[ProviderCheck];

/** Runtime, application and viewer, then the rows of providers. */
export type Checks<Table extends CheckTable> = readonly [
  CheckRow<Table, 'runtime'>,
  CheckRow<Table, 'application'>,
  CheckRow<Table, 'viewer'>,
  ...ProviderRow<Table>[],
];

export const MODEL_SOURCES = ['llm', 'llm_replay', 'custom'] as const;

/** A model that the host installs, as the report shows it. */
export interface ModelAlias {
  readonly alias: string;
  readonly source: (typeof MODEL_SOURCES)[number];
  readonly installation_revision: string;
  /** Null where the alias is not selected. */
  readonly default: boolean | null;
  readonly selected: boolean;
  /** Only selectors that may be shown: never one of a generic compatible endpoint. */
  readonly model_selector?: string;
}

/** What the probes used: null when nobody can say so. */
export type DoctorUsage =
  | { readonly llm_usage_state: 'available'; readonly llm_usage: readonly AliasUsage[] }
  | { readonly llm_usage_state: 'unavailable'; readonly llm_usage: null };

interface DoctorReport<Table extends CheckTable, Readiness extends string> {
  readonly checks: Checks<Table>;
  readonly model_aliases: readonly ModelAlias[];
  readonly provider_activity: boolean;
  readonly readiness: Readiness;
  readonly usage: DoctorUsage;
}

export const READINESS = ['not_applicable', 'unverified', 'ready'] as const;

/** The report of a doctor that found a failure (interface.md). */
export type DoctorFailedResult = DoctorReport<typeof FAILED_CHECKS, 'failed'>;
/** The report of a doctor that found none (interface.md). */
export type DoctorReadyResult = DoctorReport<typeof READY_CHECKS, (typeof READINESS)[number]>;

/** Bounds of interface.md §1.8, and the prefix of selectors that are never shown (providers.md §5.1). */
export const DOCTOR_BOUNDS = { checks: 1024, modelAliases: 128, selectorLength: 4096 } as const;
export const HIDDEN_SELECTOR_PREFIX = 'openai-compat:';
