import { stricterApproval, type ApprovalWord } from '../../contract/approval.ts';
import { diagnostic, providerSubject, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../contract/diagnostics/interruption.ts';
import type { JsonObject } from '../../contract/json/value.ts';
import type { Secret } from '../../contract/provider-protocol/credentials.ts';
import { ANSWER_SECRET_BYTES, Scrubber, secretTexts } from '../../contract/provider-protocol/scrubber.ts';
import type { SharingRun } from '../../contract/provider-protocol/session.ts';
import type { CapabilitySet } from '../calls/broker/granted-calls.ts';
import type { Capability } from '../calls/broker/capability.ts';
import { scrubbedCapability } from '../calls/broker/scrubbed.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { Application } from '../application/preflight/application.ts';
import type { Acquire, AcquiredProvider, GrantUse, Occurrence } from '../providers/source/installed-provider.ts';
import type { CallAdmission } from '../providers/source/call-admission.ts';
import { acquisitionDiagnostic, wordsOfRefusal } from '../providers/acquisition-refusal.ts';
import { acquireTogether, openedTogether, type AcquisitionRefusal } from '../providers/acquire-together.ts';
import { NEEDS_NO_APPROVAL } from '../providers/source/approval.ts';
import { inOrderOfDependency } from '../providers/dependency-order.ts';
import { resolveCredentials, type CredentialSources, type ResolvedCredentials } from '../providers/credentials.ts';
import { ROUTED_FORMS } from '../providers/models/routed-forms.ts';
import { routedModels } from '../providers/models/routed-models.ts';
import { providerSnapshot } from '../providers/provider-snapshot.ts';
import { failure, type Failed, type Outcome } from '../../contract/outcome.ts';
import { releaseOnce, type Closer } from './release.ts';
import type { RunContext } from './run-context.ts';

/** Everything that the selected providers of a run supply. */
export interface AcquiredProviders {
  readonly workflow: CapabilitySet;
  readonly missions: ReadonlyMap<string, CapabilitySet>;
  readonly snapshots: readonly JsonObject[];
  /** Provider code has run. */
  readonly providerActivity: boolean;
  readonly release: () => Promise<Diagnostic | null>;
}

/** What providers may know of the run that opens them. */
export type AcquiringRun = Pick<RunContext, 'signal' | 'trustDomain' | 'runRef' | 'traceId' | 'missed'>;

/** Where values and files of providers come from. */
export interface AcquisitionSources extends CredentialSources {
  readonly reader: DocumentReader;
  /** The gate of the process; null without one. */
  readonly admission: CallAdmission | null;
  /** Absent: what was granted for this run alone. */
  readonly grants?: GrantUse;
  /** Installations that a person authorised for this run alone: their grants are in no store. Absent: none. */
  readonly authorisedForRun?: readonly string[];
  /** What was opened before the run; absent: nothing. */
  readonly shared?: SharedProviders;
  /**
   * Whether its tools are found by search alone, as those of a session over many servers (code-mode.md §3): no text of
   * a mission names them, and usage is counted of those that are called.
   */
  readonly isFoundBySearch?: true;
  /** Which calls are asked about in addition to those that its documents name (approvals.md §1, `run`). */
  readonly approval?: ApprovalWord;
}

/** Providers that were opened before the runs that use them. */
export interface SharedProviders {
  has(occurrence: Occurrence): boolean;
  /** For one run; `lost`: it is open no longer. Null: the run opens it itself. */
  share(occurrence: Occurrence, run: SharingRun): AcquiredProvider | 'lost' | null;
}

/** Who is open by now, in the order of their opening. */
type Opened = ReadonlyMap<Occurrence, AcquiredProvider>;

/** Providers that are open, and what closes those that were opened here. */
export interface OpenProviders {
  readonly opened: Opened;
  readonly release: () => Promise<Diagnostic | null>;
}

/** Everything that an application selects, for one of its runs: what is lent to it, and the rest opened for it. */
export async function acquireProviders(
  application: Application,
  context: AcquiringRun,
  sources: AcquisitionSources,
): Promise<Outcome<AcquiredProviders>> {
  const { providers } = application;
  const occurrences = [...providers.workflow, ...providers.mission];
  const shared = new Map<Occurrence, AcquiredProvider>();
  for (const occurrence of occurrences) {
    const provider = sources.shared?.share(occurrence, context) ?? null;
    if (provider === 'lost') return { ok: false, diagnostic: acquisitionDiagnostic(occurrence, LOST, false) };
    if (provider !== null) shared.set(occurrence, provider);
  }
  const own = await openProviders(
    application,
    occurrences.filter((occurrence) => !shared.has(occurrence)),
    context,
    sources,
  );
  if (!own.ok) return own;
  const opened = scrubbed(new Map([...shared, ...own.value.opened]));
  const clash = findClash(application, opened);
  if (clash !== null) {
    const later = await own.value.release();
    return { ...clash, later: later === null ? [] : [later] };
  }
  return {
    ok: true,
    value: { ...granted(application, occurrences, opened, sources.approval ?? 'never'), release: own.value.release },
  };
}

/** Two tools of one name in one environment, which only the servers could name (world.md §2.3). */
function findClash({ providers, manifest }: Application, opened: Opened): Failed | null {
  const missions = [...manifest.missions.values()].map((mission) =>
    providers.mission.filter(({ alias }) => mission.providers.includes(alias)),
  );
  for (const environment of [providers.workflow, ...missions]) {
    const owners = new Map<string, string>();
    for (const occurrence of environment) {
      const provider = opened.get(occurrence);
      // The aliases of a model have one capability together.
      if (provider === undefined || (provider.session?.model ?? null) !== null) continue;
      const { alias, destination, index } = occurrence;
      for (const { name } of provider.capabilities) {
        const other = owners.get(name);
        owners.set(name, alias);
        if (other === undefined) continue;
        const said = `its tool ${name} has the name of one of ${other}: give one of them a row of its own with another "as"`;
        return failure(
          diagnostic('selection_rejected', {
            subject: providerSubject(alias, 'selection', { destination, index }),
            providerActivity: true,
          }),
          { provider: { alias, said } },
        );
      }
    }
  }
  return null;
}

/** None of them repeats a credential of any of them. */
function scrubbed(opened: Opened): Opened {
  const secrets = [...opened.values()]
    .flatMap((provider) => provider.secrets ?? [])
    .flatMap((secret) => secretTexts(secret.reveal()));
  if (secrets.length === 0) return opened;
  const scrubber = new Scrubber(secrets, ANSWER_SECRET_BYTES);
  return new Map(
    [...opened].map(([occurrence, provider]) => [
      occurrence,
      {
        ...provider,
        capabilities: provider.capabilities.map((capability) => scrubbedCapability(capability, scrubber)),
      },
    ]),
  );
}

const LOST = { code: 'provider_unavailable', tool: null, hasActivity: false } as const;

/**
 * Resolves the credentials of the selected providers and opens these, each behind what it requires, else in the order
 * of their declaration, those together that may be; at the first refusal what was opened is released (providers.md §3,
 * stages 5e and 6). The values live no longer than what was opened with them.
 */
export async function openProviders(
  application: Application,
  occurrences: readonly Occurrence[],
  context: AcquiringRun,
  sources: AcquisitionSources,
): Promise<Outcome<OpenProviders>> {
  const { limits, host } = application;
  const unsupported = occurrences.find(({ provider }) => provider.acquire === null);
  if (unsupported !== undefined) return { ok: false, diagnostic: unsupportedSource(unsupported) };
  const credentials = await resolveCredentials({ occurrences, host, sources });
  if (!credentials.ok) return credentials;
  const opened = new Map<Occurrence, AcquiredProvider>();
  const closers: Closer[] = [];
  const release = releaseOnce(closers, limits.values.provider_cleanup_timeout_ms);
  for (const batch of openedTogether(inOrderOfDependency(occurrences))) {
    let refused: { readonly occurrence: Occurrence; readonly refusal: AcquisitionRefusal } | null = null;
    for (const { occurrence, acquired } of await acquireTogether(
      batch,
      (occurrence, signal) =>
        acquireOne(
          application,
          { ...context, signal },
          { occurrence, credentials: credentials.value, sources, opened },
        ),
      context.signal,
    )) {
      if (!acquired.ok) {
        refused ??= { occurrence, refusal: acquired.refusal };
        continue;
      }
      opened.set(occurrence, acquired.value);
      if (acquired.value.close !== null) closers.push(acquired.value.close);
    }
    if (refused === null) continue;
    const later = await release();
    const { occurrence, refusal } = refused;
    const behind = { later: later === null ? [] : [later] };
    if (refusal === 'stopped') return { ...failure(interruption({ providerActivity: true })), ...behind };
    const secrets = occurrences.flatMap(({ provider }) => [...credentials.value.of(provider).values()]);
    const found = acquisitionDiagnostic(occurrence, refusal, hasActivity(opened));
    return { ...failure(found, { provider: wordsOfRefusal(occurrence, refusal, secrets) }), ...behind };
  }
  return { ok: true, value: { opened, release } };
}

/** Providers for which there is no adapter are refused before any other is reached. */
function unsupportedSource({ alias, destination, index }: Occurrence): Diagnostic {
  return diagnostic('adapter_unavailable', { subject: providerSubject(alias, 'local', { destination, index }) });
}

interface Opening {
  readonly occurrence: Occurrence;
  readonly credentials: ResolvedCredentials;
  readonly sources: AcquisitionSources;
  readonly opened: Opened;
}

async function acquireOne(
  { limits, hostDirectory }: Application,
  { signal, trustDomain, runRef, traceId, missed }: AcquiringRun,
  { occurrence, credentials, sources, opened }: Opening,
): ReturnType<Acquire> {
  const { provider } = occurrence;
  if (provider.acquire === null) throw new Error('a provider without an adapter was refused before');
  const required = [...opened]
    .filter(([other]) => provider.requires !== null && other.provider.provides === provider.requires)
    .map(([, acquired]) => acquired);
  const { reader, variable, admission, grants = null, authorisedForRun = [] } = sources;
  const own = credentials.of(provider);
  const acquired = await provider.acquire(occurrence, {
    credentials: own,
    limits: limits.values,
    tenant: trustDomain,
    admission,
    grants: authorisedForRun.includes(occurrence.alias) ? null : grants,
    runRef,
    traceId,
    signal,
    reader,
    hostDirectory,
    variable,
    missed,
    required,
  });
  return acquired.ok && own.size > 0 ? { ok: true, value: withSecrets(acquired.value, [...own.values()]) } : acquired;
}

function withSecrets(provider: AcquiredProvider, secrets: readonly Secret[]): AcquiredProvider {
  const { share } = provider;
  if (share === null) return { ...provider, secrets };
  return {
    ...provider,
    secrets,
    share: (run) => {
      const acquiredProvider = share(run);
      return acquiredProvider === null ? null : withSecrets(acquiredProvider, secrets);
    },
  };
}

function hasActivity(opened: Opened): boolean {
  return [...opened.values()].some((acquired) => acquired.hasActivity);
}

function granted(
  { providers, manifest }: Application,
  occurrences: readonly Occurrence[],
  opened: Opened,
  word: ApprovalWord,
): Omit<AcquiredProviders, 'release'> {
  const setOf = (selected: readonly Occurrence[]): CapabilitySet =>
    new Map(capabilitiesOf(selected, opened, word).map((capability) => [capability.name, capability]));
  const missions = [...manifest.missions].map(([name, mission]): [string, CapabilitySet] => [
    name,
    setOf(providers.mission.filter(({ alias }) => mission.providers.includes(alias))),
  ]);
  const snapshots = occurrences.flatMap((occurrence) => {
    const acquired = opened.get(occurrence);
    const digest = providers.configDigests.get(occurrence.alias);
    return acquired === undefined || digest === undefined
      ? []
      : [providerSnapshot(occurrence, acquired.snapshot, digest)];
  });
  return {
    workflow: setOf(providers.workflow),
    missions: new Map(missions),
    snapshots,
    providerActivity: hasActivity(opened),
  };
}

/** One that a session lends may be stricter by itself. */
function withApproval(capability: Capability, word: ApprovalWord): Capability {
  const approval = stricterApproval(capability.approval ?? 'never', word);
  return approval === 'never' ? capability : { ...capability, approval };
}

/** All models of a kind share one capability; every other one has its own. */
function capabilitiesOf(selected: readonly Occurrence[], opened: Opened, word: ApprovalWord): readonly Capability[] {
  const acquired = selected.flatMap((occurrence) => {
    const provider = opened.get(occurrence);
    return provider === undefined ? [] : [{ occurrence, provider }];
  });
  const models = acquired.flatMap(({ occurrence, provider: { session, capabilities } }) => {
    const facts = session?.model ?? null;
    const {
      alias,
      selection,
      provider: { revision },
    } = occurrence;
    return facts === null
      ? []
      : capabilities.map((capability) => ({
          alias,
          revision,
          isDefault: selection['default'] === true,
          facts,
          capability,
        }));
  });
  const others = acquired
    .filter(({ provider }) => (provider.session?.model ?? null) === null)
    .flatMap(({ occurrence: { approvalOf = NEEDS_NO_APPROVAL }, provider }) =>
      provider.capabilities.map((capability) =>
        withApproval(capability, stricterApproval(approvalOf(capability.name), word)),
      ),
    );
  const routed = ROUTED_FORMS.flatMap((form) => {
    const requested = models.filter(({ capability }) => capability.name === form.name);
    return requested.length === 0 ? [] : [routedModels(form, requested)];
  });
  return [...routed, ...others];
}
