import { waitUntilAborted } from '../../../system/until-aborted.ts';
import { diagnostic, providerSubject, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../../contract/diagnostics/interruption.ts';
import type { ProviderCheck } from '../../../contract/envelope/doctor.ts';
import { cutSaid } from '../../../contract/provider-protocol/call.ts';
import { Scrubber, secretTexts } from '../../../contract/provider-protocol/scrubber.ts';
import type { ProviderWords } from '../../../contract/provider-protocol/provider-words.ts';
import type { AliasUsage } from '../../../contract/envelope/usage.ts';
import { modelUsageFold } from '../../evidence/model-usage.ts';
import type { Application } from '../../application/preflight/application.ts';
import type { AcquiredProvider, AcquisitionTools, Occurrence } from '../../providers/source/installed-provider.ts';
import { acquisitionDiagnostic, refusalWords } from '../../providers/acquisition-refusal.ts';
import { resolveCredentials, type ResolvedCredentials } from '../../providers/credentials.ts';
import { inOrderOfDependency } from '../../providers/dependency-order.ts';
import type { AcquisitionSources } from '../../run/acquisition.ts';
import { releaseOnce, type Closer } from '../../run/release.ts';
import { failedCheck } from './report.ts';

export interface ConnectRequest {
  /** Its local checks passed. */
  readonly application: Pick<Application, 'providers' | 'limits' | 'host' | 'hostDirectory'>;
  readonly sources: AcquisitionSources;
  readonly runRef: string;
  readonly tenant: string;
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal;
}

/** A check of an alias. */
export type AliasCheck = readonly [alias: string, check: ProviderCheck];

export interface Connected {
  readonly passed: readonly AliasCheck[];
  readonly failure: ConnectFailure | null;
  /** What went wrong while the opened was let go again. */
  readonly later: readonly Diagnostic[];
  /** Whether provider-facing work was attempted. */
  readonly hasActivity: boolean;
  /** Of every probed alias; null for more rows than a report holds. */
  readonly usage: readonly AliasUsage[] | null;
}

export interface ConnectFailure {
  readonly diagnostic: Diagnostic;
  /** The row that it fails; null where no row tells it. */
  readonly row: AliasCheck | null;
  /** What the provider said of it, or what happened on the way; null where nothing is known (world.md §1.5). */
  readonly provider: ProviderWords | null;
}

/** What the steps leave behind as they go. */
interface Record {
  readonly passed: AliasCheck[];
  readonly closers: Closer[];
  readonly opened: Map<Occurrence, AcquiredProvider>;
  readonly usage: ReturnType<typeof modelUsageFold>;
  hasActivity: boolean;
  /** Whose answer is awaited; null while none is. */
  awaited: string | null;
}

/**
 * The active checks of `doctor --connect` (providers.md §12, §3 stage 5): credentials, then what is opened to be
 * reached, in the order of dependencies, then probes in the order of declaration; the first failure ends it. All of it
 * within
 * `doctor_connectivity_timeout_ms`, what was opened is closed again behind that.
 */
export async function connectProviders(request: ConnectRequest): Promise<Connected> {
  const { limits } = request.application;
  const record: Record = {
    passed: [],
    closers: [],
    opened: new Map(),
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
  const failure =
    ended !== 'aborted'
      ? ended
      : {
          diagnostic: request.signal.aborted
            ? interruption({ providerActivity: record.hasActivity })
            : diagnostic('connectivity_timeout', { providerActivity: record.hasActivity }),
          row: null,
          provider: request.signal.aborted ? null : lateWords(record, limits.values.doctor_connectivity_timeout_ms),
        };
  const cleanup = await releaseOnce(record.closers, limits.values.provider_cleanup_timeout_ms)();
  const later = cleanup === null ? [] : [cleanup];
  return {
    passed: record.passed,
    failure: failure ?? (cleanup === null ? null : { diagnostic: cleanup, row: null, provider: null }),
    later: failure === null ? [] : later,
    hasActivity: record.hasActivity,
    usage: record.usage.detail().llm_usage,
  };
}

function lateWords({ awaited }: Record, milliseconds: number): ProviderWords | null {
  const said = `no answer within ${milliseconds} ms (doctor_connectivity_timeout_ms)`;
  return awaited === null ? null : { alias: awaited, said };
}

async function connect(request: ConnectRequest, record: Record): Promise<ConnectFailure | null> {
  const {
    application: { providers, host },
    sources,
  } = request;
  const occurrences = [...providers.workflow, ...providers.mission];
  const unauthorised = occurrences.find(({ provider }) => provider.authorization === 'oauth');
  // Grants live as long as the command that was given them, and doctor is given none (providers.md §9).
  if (unauthorised !== undefined)
    return failureOf(
      diagnostic('authorization_required', {
        subject: providerSubject(unauthorised.alias, 'authorization', placeOf(unauthorised)),
      }),
    );
  const credentials = await resolveCredentials({ occurrences, host, sources });
  if (!credentials.ok) return failureOf(credentials.diagnostic);
  for (const { alias, provider } of occurrences)
    if (provider.credentials.length > 0) record.passed.push([alias, 'credentials']);
  for (const occurrence of inOrderOfDependency(occurrences)) {
    const refused =
      occurrence.provider.connectivity === 'acquisition'
        ? await acquireToClose(request, record, occurrence, credentials.value)
        : null;
    if (refused !== null) return refused;
  }
  for (const occurrence of occurrences) {
    const refused =
      occurrence.provider.connectivity === 'probe'
        ? await probeOne(request, record, occurrence, credentials.value)
        : null;
    if (refused !== null) return refused;
  }
  return null;
}

async function acquireToClose(
  request: ConnectRequest,
  record: Record,
  occurrence: Occurrence,
  credentials: ResolvedCredentials,
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
    const told = acquisitionDiagnostic(occurrence, refusal, record.hasActivity);
    record.hasActivity ||= told.provider_activity;
    return { ...failureOf(told), provider: refusalWords(occurrence, refusal) };
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
  credentials: ResolvedCredentials,
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
  const told = diagnostic(finding, { subject, providerActivity: true });
  // A server that refuses a credential was reached (providers.md §12, "Probe").
  const words = said === null ? null : { alias, said: scrubbedOf(request, credentials, said) };
  if (finding !== 'authentication_rejected') return { ...failureOf(told), provider: words };
  record.passed.push([alias, 'connectivity']);
  return { diagnostic: told, row: [alias, 'credentials'], provider: words };
}

/** Without any credential of any provider that the command asks. */
function scrubbedOf(
  { application: { providers } }: ConnectRequest,
  credentials: ResolvedCredentials,
  said: string,
): string {
  const secrets = [...providers.workflow, ...providers.mission]
    .flatMap(({ provider }) => [...credentials.of(provider).values()])
    .flatMap((secret) => secretTexts(secret.reveal()));
  return cutSaid(new Scrubber(secrets).text(said));
}

function toolsOf(
  {
    application: { limits, hostDirectory },
    sources: { reader, variable, admission },
    tenant,
    runRef,
    signal,
  }: ConnectRequest,
  { provider }: Occurrence,
  credentials: ResolvedCredentials,
  required: readonly AcquiredProvider[],
): AcquisitionTools {
  return {
    credentials: credentials.of(provider),
    limits: limits.values,
    tenant,
    admission,
    grants: null,
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

function failureOf(told: Diagnostic): ConnectFailure {
  const { subject, code } = told;
  const check = subject === null ? null : failedCheck(subject.operation, code);
  return { diagnostic: told, row: subject === null || check === null ? null : [subject.name, check], provider: null };
}
