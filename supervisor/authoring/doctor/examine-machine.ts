import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../../contract/diagnostics/interruption.ts';
import { commandFailure, commandSuccess, doctorFailure } from '../../../contract/envelope/build.ts';
import {
  SECONDARY_ERRORS_MAX,
  type CommandFailure,
  type CommandSuccess,
  type DoctorFailure,
  type Warning,
} from '../../../contract/envelope/types.ts';
import type { ProviderWords } from '../../../contract/provider-protocol/provider-words.ts';
import type { DoctorUsage } from '../../../contract/envelope/doctor.ts';
import { NO_ADVICE, type Advice } from '../../../contract/outcome.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import { createDocumentReader, type DocumentReader } from '../../documents/document-reader.ts';
import type { LoadedHost } from '../../documents/host/load.ts';
import type { Target } from '../../documents/project/load.ts';
import { connectProviders, type Connected } from './connect.ts';
import { examinedAliases, type AliasCheckStates } from './examined-aliases.ts';
import { findLocally, localRow, type LocalFindings } from './local-findings.ts';
import { findModelAliases } from './model-aliases.ts';
import { failedReport, isApplicationFailure, readyReport, type Examination } from './report.ts';
import { runtimeSupport } from './runtime.ts';
import type { Application } from '../../application/preflight/application.ts';
import type { GrantUse, InstalledProvider } from '../../providers/source/installed-provider.ts';
import { findOldCatalogue } from '../../providers/models/catalogue-age.ts';
import { findModelWarnings } from '../../providers/models/model-warnings.ts';
import { installedProvider } from '../../providers/table.ts';
import { projectArtifacts } from '../../documents/project/artifacts.ts';
import { loadWithHost, localCheckRequest, type DocumentOptions } from '../../run/named-documents.ts';
import { loadNamedHost, loadNamedTarget } from '../../documents/project/named.ts';
import { openLocalEnvironment, type LocalEnvironmentOptions } from '../../run/local-environment.ts';

/** What `svc doctor` is asked. */
export interface DoctorOptions extends Omit<DocumentOptions, 'document' | 'override' | 'custom'> {
  readonly runRef: RunReference;
  /** Manifest or project; null: the host document alone is looked at. */
  readonly document: string | null;
  /** Null without `--connect`: no credential is read then, and nothing opened. */
  readonly connect: Omit<LocalEnvironmentOptions, 'authorize'> | null;
  readonly showsSelectors: boolean;
  /** What this user granted; absent: nothing. */
  readonly grants?: GrantUse;
  /** What it runs on: `process.versions.node`, `process.platform`. */
  readonly machine: { readonly nodeVersion: string; readonly platform: string };
  readonly hasViewer: () => Promise<boolean>;
}

/** What a doctor found: always an envelope, also where a step threw. */
export interface DoctorReport {
  readonly envelope: CommandSuccess<'doctor'> | CommandFailure<'doctor'> | DoctorFailure;
  /** Of a success, whose envelope has no place for them. */
  readonly warnings: readonly Warning[];
  /** The day of the list of models and prices where that is long ago (world.md §1.8); else null. */
  readonly oldCatalogue: string | null;
  /** By name of the row that failed: which rule is broken and where. */
  readonly hints: ReadonlyMap<string, string>;
  readonly advice: Advice;
  /** What providers said whose rows failed, or what was looked for and where (world.md §1.5, §2.4). */
  readonly words: readonly ProviderWords[];
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
}

/**
 * Says whether an application and its providers are ready (providers.md §12). Without `connect` nothing is read but
 * documents and fixtures, and nothing opened; with it, whatever was opened is closed again. Never throws.
 */
export async function examine(options: DoctorOptions): Promise<DoctorReport> {
  try {
    return await examineApplication(options);
  } catch (error) {
    return {
      ...plainFailure(options, diagnostic('internal_error', { cause: 'unexpected_exception' })),
      unexpected: error,
    };
  }
}

/** What every report of one command has in common. */
interface Setting {
  readonly options: DoctorOptions;
  readonly system: Pick<Examination, 'runtime' | 'hasViewer'>;
  /** Everything that the host document installs. */
  readonly installed: ReadonlyMap<string, InstalledProvider>;
}

async function examineApplication(options: DoctorOptions): Promise<DoctorReport> {
  const { document, hostConfig, documents, workingDirectory, machine, hasViewer } = options;
  const reader = createDocumentReader(documents, workingDirectory);
  const target = document === null ? null : await loadNamedTarget({ document, workingDirectory }, reader);
  const host =
    target?.ok === false
      ? target
      : await loadNamedHost({ hostConfig, workingDirectory }, reader, target?.value ?? null);
  if (!host.ok) return plainFailure(options, host.diagnostic, host.advice);
  const setting: Setting = {
    options,
    installed: installedBy(host.value),
    system: { runtime: runtimeSupport(machine), hasViewer: await hasViewer() },
  };
  const report =
    target?.ok !== true || document === null
      ? await examineWithoutApplication(setting)
      : await withApplication(setting, { reader, document, target: target.value, host: host.value });
  return { ...report, oldCatalogue: await findOldCatalogue(setting.installed, options.clock.wall()) };
}

function installedBy(host: LoadedHost | null): Setting['installed'] {
  return new Map(
    [...(host?.document.install ?? [])].map(([alias, installation]) => [
      alias,
      installedProvider(installation, host?.document ?? null),
    ]),
  );
}

async function examineWithoutApplication(setting: Setting): Promise<DoctorReport> {
  const {
    options: { runRef, showsSelectors },
    system,
    installed,
  } = setting;
  const aliases = examinedAliases({
    providers: installed,
    hasApplication: false,
    passed: [],
    failed: [],
    rest: (check) => (check === 'local' ? 'application_required' : 'requires_connect'),
  });
  const examination: Examination = {
    ...system,
    application: 'not_requested',
    aliases,
    modelAliases: await findModelAliases(installed, [], showsSelectors),
    providerActivity: false,
    usage: NO_USAGE,
  };
  return succeeded(runRef, examination, await findModelWarnings(installed));
}

interface Named {
  readonly reader: DocumentReader;
  readonly document: string;
  readonly target: Target;
  readonly host: LoadedHost | null;
}

async function withApplication(setting: Setting, named: Named): Promise<DoctorReport> {
  const { options, installed, system } = setting;
  const { reader, document, target, host } = named;
  const documentOptions: DocumentOptions = { ...options, document, override: null };
  const inspectionCapture = projectArtifacts(target)?.inspection === true;
  const loaded = await loadWithHost(documentOptions, reader, target, {
    input: null,
    identityFixed: false,
    inspectionCapture,
    host,
  });
  if (!loaded.ok) {
    const { diagnostic: error } = loaded;
    const advice = loaded.advice ?? NO_ADVICE;
    if (error.phase !== 'application' || !isApplicationFailure(error.code))
      return { ...plainFailure(options, error), advice };
    // What it selects is not known, so that all that could be is listed.
    const aliases = examinedAliases({
      providers: installed,
      hasApplication: true,
      passed: [],
      failed: [],
      rest: () => 'unverified',
    });
    const examination: Examination = {
      ...system,
      application: { failed: error.code },
      aliases,
      modelAliases: await findModelAliases(installed, [], options.showsSelectors),
      providerActivity: false,
      usage: NO_USAGE,
    };
    return { ...failed(options.runRef, examination, [error], await findModelWarnings(installed)), advice };
  }
  return withSelection(setting, documentOptions, named, loaded.value);
}

async function withSelection(
  setting: Setting,
  documentOptions: DocumentOptions,
  { reader, target }: Named,
  application: Application,
): Promise<DoctorReport> {
  const { options } = setting;
  const { connect } = options;
  const environment =
    connect === null
      ? null
      : await openLocalEnvironment({ ...documentOptions, ...connect, authorize: [] }, target, application);
  if (environment?.ok === false) return plainFailure(options, environment.diagnostic, environment.advice);
  const request = localCheckRequest(documentOptions, reader, application);
  const local: LocalFindings =
    request === null ? { passed: [], refusals: [], isStopped: false } : await findLocally(request);
  if (local.isStopped) return plainFailure(options, interruption());
  const reportOn = async (connected: Connected | null): Promise<DoctorReport> =>
    concludeExamination(setting, application, { local, connected });
  if (environment === null) return reportOn(null);
  const unfit = new Set(local.refusals.map(({ diagnostic: { subject } }) => subject?.name));
  const connected = await connectProviders({
    application,
    sources: {
      variable: environment.value,
      files: options.documents,
      reader,
      admission: null,
      ...(options.grants === undefined ? {} : { grants: options.grants }),
    },
    runRef: options.runRef,
    tenant: options.trustDomain,
    signal: options.signal,
    ready: (alias) => !unfit.has(alias),
  });
  const failure = connected.failures.find(({ row }) => row === null) ?? null;
  // No row shows it: of the environment file, of the time of the whole step, of clean-up (interface.md §2.5, subjects).
  return failure !== null && local.refusals.length === 0
    ? plainFailure(options, failure.diagnostic, { ...NO_ADVICE, provider: failure.provider })
    : reportOn(connected);
}

interface Checked {
  readonly local: LocalFindings;
  /** Null where nothing was connected. */
  readonly connected: Connected | null;
}

async function concludeExamination(
  { options, system, installed }: Setting,
  application: Application,
  { local, connected }: Checked,
): Promise<DoctorReport> {
  const { workflow, mission } = application.providers;
  const selected = new Map([...workflow, ...mission].map(({ alias, provider }) => [alias, provider]));
  const { refusals } = local;
  const active = connected?.failures ?? [];
  const errors = [
    ...refusals.map((refusal) => refusal.diagnostic),
    ...active.map((failure) => failure.diagnostic),
    ...(connected?.later ?? []),
  ];
  const failures: AliasCheckStates['failed'] = [
    ...refusals.map((refusal) => ({ row: localRow(refusal.diagnostic), code: refusal.diagnostic.code })),
    ...active.flatMap(({ row, diagnostic: { code } }) => (row === null ? [] : [{ row, code }])),
  ];
  const isStopped = options.connect !== null && errors.length > 0;
  const aliases = examinedAliases({
    providers: selected,
    hasApplication: true,
    passed: [
      ...local.passed,
      ...[...selected.keys()].map((alias) => [alias, 'selection'] as const),
      ...(connected?.passed ?? []),
    ],
    failed: failures,
    // Plain, only a local check can be left over, by the time that others took.
    rest: (check) => (isStopped || check === 'local' ? 'unverified' : 'requires_connect'),
  });
  const examination: Examination = {
    ...system,
    application: 'valid',
    aliases,
    modelAliases: await findModelAliases(installed, workflow, options.showsSelectors),
    providerActivity: connected?.hasActivity ?? false,
    usage: usageOf(connected, errors.length > 0),
  };
  const warnings = await findModelWarnings(selected);
  const [first, ...further] = errors;
  if (first === undefined) return succeeded(options.runRef, examination, warnings);
  const hints = new Map(
    refusals.flatMap(({ diagnostic: { subject }, advice: { hint } = NO_ADVICE }) =>
      hint === null || subject === null ? [] : [[`provider/${subject.name}/local`, hint] as const],
    ),
  );
  // Without `--connect` nothing is said of commands and folders (providers.md §12).
  const target = options.connect === null ? [] : refusals.map((refusal) => refusal.advice?.provider ?? null);
  const words = [...target, ...active.map(({ provider }) => provider)].filter((one) => one !== null);
  const advice = { ...NO_ADVICE, faults: active.find(({ faults = null }) => faults !== null)?.faults ?? null };
  return { ...failed(options.runRef, examination, [first, ...further], warnings), hints, words, advice };
}

const NO_USAGE: DoctorUsage = { llm_usage_state: 'available', llm_usage: [] };
const UNKNOWN_USAGE: DoctorUsage = { llm_usage_state: 'unavailable', llm_usage: null };

/** A failed command that was active does not say what was used (providers.md §12). */
function usageOf(connected: Connected | null, hasFailed: boolean): DoctorUsage {
  if (connected === null || !connected.hasActivity) return NO_USAGE;
  const { usage } = connected;
  return hasFailed || usage === null ? UNKNOWN_USAGE : { llm_usage_state: 'available', llm_usage: usage };
}

const NOTHING_BESIDE = {
  warnings: [],
  oldCatalogue: null,
  hints: new Map<string, string>(),
  advice: NO_ADVICE,
  words: [],
  unexpected: null,
} as const;

function plainFailure({ runRef }: DoctorOptions, error: Diagnostic, advice: Advice = NO_ADVICE): DoctorReport {
  return { ...NOTHING_BESIDE, advice, envelope: commandFailure('doctor', runRef, error) };
}

function succeeded(runRef: RunReference, examination: Examination, warnings: readonly Warning[]): DoctorReport {
  return { ...NOTHING_BESIDE, envelope: commandSuccess('doctor', runRef, readyReport(examination)), warnings };
}

function failed(
  runReference: RunReference,
  examination: Examination,
  [error, ...further]: readonly [Diagnostic, ...Diagnostic[]],
  warnings: readonly Warning[],
): DoctorReport {
  const envelope = doctorFailure({
    runReference,
    error,
    secondaryErrors: further.slice(0, SECONDARY_ERRORS_MAX),
    warnings,
    result: failedReport(examination),
  });
  return { ...NOTHING_BESIDE, envelope };
}
