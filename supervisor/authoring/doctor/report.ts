import {
  CHECK_STATUSES,
  DOCTOR_BOUNDS,
  FAILED_CHECKS,
  PROVIDER_CHECKS,
  READY_CHECKS,
  type CheckName,
  type Checks,
  type CheckStatus,
  type CheckTable,
  type DoctorFailedResult,
  type DoctorReadyResult,
  type DoctorUsage,
  type ModelAlias,
  type ProviderCheck,
} from '../../../contract/envelope/doctor.ts';

/** The state of one check of an alias. */
export type AliasCheckState =
  | 'passed'
  /** It is for `--connect`. */
  | 'requires_connect'
  /** Nothing can be checked without an application. */
  | 'application_required'
  /** Another failure came first. */
  | 'unverified'
  | { readonly failed: string };

/** An alias of the report and the checks that it has, in the order of its rows. */
export interface ExaminedAlias {
  readonly alias: string;
  readonly checks: ReadonlyMap<ProviderCheck, AliasCheckState>;
}

export interface Examination {
  readonly runtime: 'supported' | 'unsupported';
  /** `failed`: with the code of its fault. */
  readonly application: 'valid' | 'not_requested' | { readonly failed: string };
  readonly hasViewer: boolean;
  /** In byte order of their names. */
  readonly aliases: readonly ExaminedAlias[];
  readonly modelAliases: readonly ModelAlias[];
  readonly providerActivity: boolean;
  readonly usage: DoctorUsage;
}

interface Row {
  readonly name: string;
  readonly status: CheckStatus;
  readonly code: string;
}

/**
 * Code of a check that passed; it is `available` of all others. Selections are data here: no provider checks one
 * actively.
 */
const PASSED: Readonly<Partial<Record<ProviderCheck, string>>> = { selection: 'declarative' };

/**
 * The report of a doctor that found a failure (interface.md §1.2.10). Throws TypeError for what its tables have no
 * place for.
 */
export function failedReport(examination: Examination): DoctorFailedResult {
  const { modelAliases, providerActivity, usage } = examination;
  return {
    checks: checksOf(FAILED_CHECKS, rowsOf(FAILED_CHECKS, examination)),
    model_aliases: modelAliases,
    provider_activity: providerActivity,
    readiness: 'failed',
    usage,
  };
}

/**
 * The report of a doctor that found none (providers.md §12). Throws TypeError for what its tables have no place for.
 */
export function readyReport(examination: Examination): DoctorReadyResult {
  const { aliases, modelAliases, providerActivity, usage } = examination;
  const checks = checksOf(READY_CHECKS, rowsOf(READY_CHECKS, examination));
  const isComplete = checks.every(({ status }) => status !== 'skipped');
  const readiness = aliases.length === 0 ? 'not_applicable' : isComplete ? 'ready' : 'unverified';
  return { checks, model_aliases: modelAliases, provider_activity: providerActivity, readiness, usage };
}

/** Check whose row a code of a failure is in, by the operation of its subject; null where no row has it. */
export function failedCheck(operation: string, code: string): ProviderCheck | null {
  // What opens a provider shows that it can be reached (providers.md §12).
  const named = operation === 'acquisition' ? 'connectivity' : operation;
  const check = PROVIDER_CHECKS.find((known) => known === named);
  return check !== undefined && hasCode(FAILED_CHECKS, check, 'fail', code) ? check : null;
}

/** Whether the row of the application can fail with a code. */
export function isApplicationFailure(code: string): boolean {
  return hasCode(FAILED_CHECKS, 'application', 'fail', code);
}

function rowsOf(table: CheckTable, { runtime, application, hasViewer, aliases }: Examination): readonly Row[] {
  const rows: readonly Row[] = [
    { name: 'runtime', status: runtime === 'supported' ? 'pass' : 'warn', code: runtime },
    applicationRow(application),
    {
      name: 'viewer',
      ...(hasViewer ? { status: 'pass', code: 'available' } : { status: 'warn', code: 'optional_unavailable' }),
    },
    ...aliases.flatMap(({ alias, checks }) =>
      [...checks].map(([check, aliasCheckState]) => ({
        name: `provider/${alias}/${check}`,
        ...cellOf(table, check, aliasCheckState),
      })),
    ),
  ];
  if (rows.length > DOCTOR_BOUNDS.checks) throw new TypeError('a report has at most 1024 rows');
  return rows;
}

function applicationRow(application: Examination['application']): Row {
  if (application === 'valid') return { name: 'application', status: 'pass', code: 'valid' };
  if (application === 'not_requested') return { name: 'application', status: 'skipped', code: 'not_requested' };
  return { name: 'application', status: 'fail', code: application.failed };
}

function cellOf(table: CheckTable, check: ProviderCheck, aliasCheckState: AliasCheckState): Omit<Row, 'name'> {
  if (typeof aliasCheckState === 'object') return { status: 'fail', code: aliasCheckState.failed };
  if (aliasCheckState === 'unverified') return { status: 'skipped', code: 'not_verified_due_to_failure' };
  if (aliasCheckState !== 'passed') return { status: 'skipped', code: aliasCheckState };
  const code = PASSED[check] ?? 'available';
  // A failed report has no word for some checks that went well (providers.md §12).
  return hasCode(table, check, 'pass', code)
    ? { status: 'pass', code }
    : { status: 'skipped', code: 'not_verified_due_to_failure' };
}

function hasCode(table: CheckTable, check: CheckName, status: CheckStatus, code: string): boolean {
  return table[check][status].includes(code);
}

const PROVIDER_ROW = /^provider\/[^/]+\/([a-z]+)$/;

function checksOf<Table extends CheckTable>(table: Table, rows: readonly Row[]): Checks<Table> {
  if (!areChecks(table, rows)) throw new TypeError('doctor: a row is not in the table of its report');
  return rows;
}

function areChecks<Table extends CheckTable>(table: Table, rows: readonly unknown[]): rows is Checks<Table> {
  return rows.every((row, index) => isRow(row) && hasCode(table, checkOf(row.name, index), row.status, row.code));
}

function checkOf(name: string, index: number): CheckName {
  const first = (['runtime', 'application', 'viewer'] as const)[index];
  const check = first ?? PROVIDER_CHECKS.find((known) => known === PROVIDER_ROW.exec(name)?.[1]);
  if (check === undefined) throw new TypeError('doctor: a row has the name of no check');
  return check;
}

function isRow(row: unknown): row is Row {
  return (
    typeof row === 'object' && row !== null && 'status' in row && CHECK_STATUSES.some((status) => status === row.status)
  );
}
