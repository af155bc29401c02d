import { waitUntilAborted } from '../../../system/until-aborted.ts';
import type { FailureExplanation } from '../../../contract/diagnostics/explanation.ts';
import { diagnostic, providerSubject, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../../contract/diagnostics/interruption.ts';
import type { ProviderCheck } from '../../../contract/envelope/doctor.ts';
import type { Credentials, Secret } from '../../../contract/provider-protocol/credentials.ts';
import { cutSaid } from '../../../contract/provider-protocol/call.ts';
import { Scrubber, secretTexts } from '../../../contract/provider-protocol/scrubber.ts';
import type { ProviderWords } from '../../../contract/provider-protocol/provider-words.ts';
import type { AliasUsage } from '../../../contract/envelope/usage.ts';
import { modelUsageFold } from '../../evidence/model-usage.ts';
import type { Application } from '../../application/preflight/application.ts';
import type { AcquiredProvider, AcquisitionTools, Occurrence } from '../../providers/source/installed-provider.ts';
import { acquisitionDiagnostic, wordsOfRefusal } from '../../providers/acquisition-refusal.ts';
import { resolveCredentials, type ResolvedCredentials } from '../../providers/credentials.ts';
import { inOrderOfDependency } from '../../providers/dependency-order.ts';
import type { AcquisitionSources } from '../../run/acquisition.ts';
import { findUngranted } from '../../run/authorisation.ts';
import { releaseOnce, type Closer } from '../../run/release.ts';
import { failedCheck } from './report.ts';

export interface ConnectRequest {
  /** All aliases of `ready` passed their local checks. */
  readonly application: Pick<Application, 'providers' | 'limits' | 'host' | 'hostDirectory'>;
  readonly sources: AcquisitionSources;
  /** Aliases that are checked; absent: all. */
  readonly ready?: (alias: string) => boolean;
  readonly runRef: string;
  readonly tenant: string;
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal;
}

/** A check of an alias. */
export type AliasCheck = readonly [alias: string, check: ProviderCheck];

export interface Connected {
  readonly passed: readonly AliasCheck[];
  /** In the order in which they were found, at most one of each alias; or the one that no row shows. */
  readonly failures: readonly ConnectFailure[];
  /** Further faults: the time was over, or a provider could not be closed. */
  readonly later: readonly Diagnostic[];
  /** Whether provider-facing work was attempted. */
  readonly hasActivity: boolean;
  /** Of every probed alias; null for more rows than a report holds. */
  readonly usage: readonly AliasUsage[] | null;
}

export interface ConnectFailure {
  readonly diagnostic: Diagnostic;
  /** The row that it fails; null where no row shows it. */
  readonly row: AliasCheck | null;
  /** What the provider said of it, or what happened on the way; null where nothing is known (world.md §1.5). */
  readonly provider: ProviderWords | null;
  /** What is wrong with what was granted, for people; absent where that is not why. */
  readonly faults?: FailureExplanation | null;
}

/** What the steps leave behind as they go. */
interface Record {
  readonly passed: AliasCheck[];
  readonly closers: Closer[];
  readonly opened: Map<Occurrence, AcquiredProvider>;
  readonly failures: ConnectFailure[];
  readonly usage: ReturnType<typeof modelUsageFold>;
  hasActivity: boolean;
  /** Whose answer is awaited; null while none is. */
  awaited: string | null;
}

/**
 * The active checks of `doctor --connect` (providers.md §12, §3 stage 5): credentials, then what is opened to be
 * reached, in the order of dependencies, then probes in the order of declaration. The first failure of an alias ends
 * its checks, and those of the aliases that depend on it; the others go on (world.md §2.4). All of it within
 * `doctor_connectivity_timeout_ms`, what was opened is closed again behind that.
 */
export async function connectProviders(request: ConnectRequest): Promise<Connected> {
  const { limits } = request.application;
  const record: Record = {
    passed: [],
    closers: [],
    opened: new Map(),
    failures: [],
    usage: modelUsageFold(),
    hasActivity: false,
    awaited: null,
  };
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limits.values.doctor_connectivity_timeout_ms);
  const signal = AbortSignal.any([request.signal, late.signal]);
  const steps = connect({ ...request, signal }, record);
  const ended = await waitUntilAborted(steps, signal, 'aborted');
  clearTimeout(timer);
  // A step that comes too late opens nothing any more: each asks the signal, and closes what it had.
  const stopped: ConnectFailure | null =
    ended !== 'aborted'
      ? null
      : {
          diagnostic: request.signal.aborted
            ? interruption({ providerActivity: record.hasActivity })
            : diagnostic('connectivity_timeout', { providerActivity: record.hasActivity }),
          row: null,
          provider: request.signal.aborted ? null : lateWords(record, limits.values.doctor_connectivity_timeout_ms),
        };
  const cleanup = await releaseOnce(record.closers, limits.values.provider_cleanup_timeout_ms)();
  const unclean: ConnectFailure | null = cleanup === null ? null : { diagnostic: cleanup, row: null, provider: null };
  const [rowless = null, ...besides] = [stopped, unclean].filter((one) => one !== null);
  // A stop by the user ends the command, whatever was found before.
  const found = request.signal.aborted ? [] : [...record.failures];
  const diagnostics = [rowless, ...besides].filter((one) => one !== null).map((one) => one.diagnostic);
  return {
    passed: record.passed,
    failures: found.length > 0 ? found : rowless === null ? [] : [rowless],
    later: found.length > 0 ? diagnostics : diagnostics.slice(1),
    hasActivity: record.hasActivity,
    usage: record.usage.detail().llm_usage,
  };
}

function lateWords({ awaited }: Record, milliseconds: number): ProviderWords | null {
  const said = `no answer within ${milliseconds} ms (doctor_connectivity_timeout_ms)`;
  return awaited === null ? null : { alias: awaited, said };
}

/** Values of each alias, and of all of them together. */
interface AliasCredentials {
  of(occurrence: Occurrence): Credentials;
  readonly secrets: readonly Secret[];
}

async function connect(request: ConnectRequest, record: Record): Promise<null> {
  const { providers } = request.application;
  const selected = [...providers.workflow, ...providers.mission];
  const failed = new Set(selected.filter(({ alias }) => request.ready?.(alias) === false).map(({ alias }) => alias));
  const fail = (alias: string, failure: ConnectFailure | null): void => {
    if (failure === null) return;
    failed.add(alias);
    record.failures.push(failure);
  };
  for (const occurrence of selected) {
    const { alias, provider } = occurrence;
    if (provider.authorization !== 'oauth' || failed.has(alias)) continue;
    // Nobody is asked by doctor: it looks for what `svc auth login` kept (world.md §2.5).
    const ungranted = await findUngranted([occurrence], request.tenant, request.sources.grants ?? null);
    const subject = providerSubject(alias, 'authorization', placeOf(occurrence));
    if (ungranted === null) record.passed.push([alias, 'authorization']);
    else fail(alias, failureOf({ ...ungranted.diagnostic, subject }, ungranted.advice?.faults));
  }
  const credentials = await resolveEach(
    request,
    selected.filter(({ alias }) => !failed.has(alias)),
    fail,
  );
  const goesOn = ({ alias }: Occurrence): boolean => !failed.has(alias) && !request.signal.aborted;
  for (const { alias, provider } of selected)
    if (!failed.has(alias) && provider.credentials.length > 0) record.passed.push([alias, 'credentials']);
  for (const occurrence of inOrderOfDependency(selected)) {
    const { alias, provider } = occurrence;
    if (provider.connectivity !== 'acquisition' || !goesOn(occurrence)) continue;
    // What it requires failed, so that nothing is known of it.
    const isMissing = selected.some(
      (other) => provider.requires !== null && other.provider.provides === provider.requires && failed.has(other.alias),
    );
    if (isMissing) failed.add(alias);
    else fail(alias, await acquireToClose(request, record, occurrence, credentials));
  }
  for (const occurrence of selected) {
    if (occurrence.provider.connectivity === 'probe' && goesOn(occurrence))
      fail(occurrence.alias, await probeOne(request, record, occurrence, credentials));
  }
  return null;
}

/** The credentials of all together, or of each alias by itself where one of them has none. */
async function resolveEach(
  { application: { host }, sources }: ConnectRequest,
  occurrences: readonly Occurrence[],
  fail: (alias: string, failure: ConnectFailure) => void,
): Promise<AliasCredentials> {
  const resolved = new Map<string, ResolvedCredentials>();
  const byAlias = Map.groupBy(occurrences, ({ alias }) => alias);
  for (const [alias, own] of byAlias) {
    const credentials = await resolveCredentials({ occurrences: own, host, sources });
    if (credentials.ok) resolved.set(alias, credentials.value);
    else fail(alias, failureOf(credentials.diagnostic));
  }
  const of = ({ alias, provider }: Occurrence): Credentials => resolved.get(alias)?.of(provider) ?? new Map();
  return { of, secrets: occurrences.flatMap((occurrence) => [...of(occurrence).values()]) };
}

async function acquireToClose(
  request: ConnectRequest,
  record: Record,
  occurrence: Occurrence,
  credentials: AliasCredentials,
): Promise<ConnectFailure | null> {
  const { provider, alias } = occurrence;
  if (provider.acquire === null || request.signal.aborted) return null;
  const required = [...record.opened]
    .filter(([other]) => provider.requires !== null && other.provider.provides === provider.requires)
    .map(([, acquired]) => acquired);
  record.awaited = alias;
  const acquired = await provider.acquire(occurrence, toolsOf(request, occurrence, credentials, required));
  record.awaited = null;
  if (!acquired.ok) {
    const { refusal } = acquired;
    if (refusal === 'stopped') return null;
    const failure = acquisitionDiagnostic(occurrence, refusal, record.hasActivity);
    record.hasActivity ||= failure.provider_activity;
    return { ...failureOf(failure), provider: wordsOfRefusal(occurrence, refusal, credentials.secrets) };
  }
  const { value } = acquired;
  record.hasActivity ||= value.hasActivity;
  record.opened.set(occurrence, value);
  if (value.close !== null) record.closers.push(value.close);
  record.passed.push([alias, 'connectivity']);
  return null;
}

async function probeOne(
  request: ConnectRequest,
  record: Record,
  occurrence: Occurrence,
  credentials: AliasCredentials,
): Promise<ConnectFailure | null> {
  const { alias, provider } = occurrence;
  const subject = providerSubject(alias, 'connectivity', placeOf(occurrence));
  if (request.signal.aborted) return null;
  if (provider.probe === null)
    return failureOf(diagnostic('connectivity_unsupported', { subject, providerActivity: record.hasActivity }));
  record.hasActivity = true;
  const end = record.usage.start({ alias, installationRevision: provider.revision, resolvedModel: null });
  record.awaited = alias;
  const {
    finding,
    isDispatched,
    usage,
    said = null,
  } = await provider.probe(occurrence, toolsOf(request, occurrence, credentials, []));
  record.awaited = null;
  end(finding === null ? { status: 'ok', usage } : { status: 'error', usage, dispatched: isDispatched });
  if (finding === null) {
    record.passed.push([alias, 'connectivity']);
    return null;
  }
  const failure = diagnostic(finding, { subject, providerActivity: true });
  // A server that refuses a credential was reached (providers.md §12, "Probe").
  const words = said === null ? null : { alias, said: scrubbedOf(credentials, said) };
  if (finding !== 'authentication_rejected') return { ...failureOf(failure), provider: words };
  record.passed.push([alias, 'connectivity']);
  return { diagnostic: failure, row: [alias, 'credentials'], provider: words };
}

/** Without any credential of any provider that the command asks. */
function scrubbedOf({ secrets }: AliasCredentials, said: string): string {
  const texts = secrets.flatMap((secret) => secretTexts(secret.reveal()));
  return cutSaid(new Scrubber(texts).text(said));
}

function toolsOf(
  {
    application: { limits, hostDirectory },
    sources: { reader, variable, admission, grants },
    tenant,
    runRef,
    signal,
  }: ConnectRequest,
  occurrence: Occurrence,
  credentials: AliasCredentials,
  required: readonly AcquiredProvider[],
): AcquisitionTools {
  return {
    credentials: credentials.of(occurrence),
    limits: limits.values,
    tenant,
    admission,
    grants: grants ?? null,
    runRef,
    traceId: runRef,
    signal,
    reader,
    hostDirectory,
    variable,
    missed: () => undefined,
    required,
  };
}

function placeOf({ destination, index }: Occurrence) {
  return { destination, index };
}

function failureOf(failure: Diagnostic, faults: FailureExplanation | null = null): ConnectFailure {
  const { subject, code } = failure;
  const check = subject === null ? null : failedCheck(subject.operation, code);
  const row = subject === null || check === null ? null : ([subject.name, check] as const);
  return { diagnostic: failure, row, provider: null, faults };
}
