import { mkdtempSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { findConfinement, type Confinement } from '../../../sandbox/pool/confinement.ts';
import { startSandbox } from '../../../sandbox/pool/pool.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import { loadHost } from '../../documents/host/load.ts';
import { providerAdmission } from '../../providers/admission/provider-admission.ts';
import { holdProviderThreads } from '../../providers/tenant-threads.ts';
import type { ReservationTools } from '../../evidence/publication/reservation.ts';
import { openSafeDirectory } from '../../evidence/publication/safe-directory.ts';
import { sweptPlaces } from '../../evidence/publication/swept-places.ts';
import { runAdmission } from '../tenants/run-admission.ts';
import { storedBytes } from '../tenants/stored-bytes.ts';
import { dayBudgets } from '../tenants/day-budgets.ts';
import { secretOwners } from '../tenants/secret-owners.ts';
import { watchMemoryPressure } from '../tenants/memory-pressure.ts';
import { residentBytesOf } from '../tenants/resident-bytes.ts';
import {
  LOCAL_TENANT,
  RUN_LIMITS,
  boundsOf,
  defaultPolicy,
  type Isolation,
  type RunLimits,
  type TenantPolicy,
} from '../../platform/tenant.ts';
import { checkArguments, maybe } from '../../platform/arguments/checks.ts';
import {
  acquisitionRequest,
  application as aPrepared,
  applicationReference,
  artifactRoot as absoluteRoot,
  authorisationRequest,
  drainOptions,
  resultCodec,
  runRequest,
  supervisorOptions,
  tenantPolicy,
  variableValues,
} from '../embedding/arguments.ts';
import { makeDirectory } from '../../evidence/publication/make-directory.ts';
import { thisMachine, type Machine } from '../../application/machine.ts';
import { publicationTools } from '../../evidence/publication/published-files.ts';
import { sandboxFiles } from '../../platform/program-folder.ts';
import { authoriseInstallation } from './authorising.ts';
import { engineRuns } from './engine-runs.ts';
import type { RunSetting, RunWatch } from './run-setting.ts';
import { preparer } from './preparing.ts';
import { openProviderPool } from './provider-pool.ts';
import { runTelemetry } from './run-telemetry.ts';
import { telemetryFor } from '../../evidence/telemetry/observe-run.ts';
import { runRecords } from './run-records.ts';
import { PreparationError, SupervisorStartError } from './refusals.ts';
import { typedRun } from './results.ts';
import { runsOf } from './runs.ts';
import { laterAsker } from './approval-callback.ts';
import { supervisorApprovals } from './supervisor-approvals.ts';
import { hostedRooms, type OpenHostedRoom } from './hosted-sessions.ts';
import { sessionsOf } from './sessions.ts';
import type {
  Drained,
  PreparedApplication,
  ResultCodec,
  RunRequest,
  Supervisor,
  SupervisorOptions,
} from '../embedding/types.ts';

const ISOLATES_PER_HOST = 64;
/** Processes of a sandbox that nobody bounds (sandbox/pool), and which part of them idle sessions may hold. */
const HOSTS = 64;
const IDLE_SHARE = 4;
const DRAINING_GRACE_MS = 10_000;
/** Why a run is stopped, as by a process that ends. */
const STOPPED = 'SIGTERM';

/**
 * Starts a supervisor and its first sandbox host (gateway.md §16). Rejects with `SupervisorStartError` for a host
 * document or a directory that cannot be used, with TypeError for bounds that leave nothing to run. Links on the way to
 * the program's folder are followed once, since a host may read what is in it and no link to it.
 */
export async function createSupervisor(options: SupervisorOptions = {}): Promise<Supervisor> {
  checkArguments('createSupervisor', { options: [options, supervisorOptions] });
  const { openRoom: _, ...supervisor } = await startSupervisor(options);
  return supervisor;
}

/** A supervisor as parts of this program have it. */
export interface HostingSupervisor extends Supervisor {
  /** Opens a mission of an application for sessions of clients (code-mode.md §2). */
  readonly openRoom: OpenHostedRoom;
}

/** The same, its arguments unchecked, for a part of this program that follows every run. */
export async function startSupervisor(
  {
    programDirectory: folder = import.meta.dirname,
    host,
    artifacts,
    isolatesPerHost = ISOLATES_PER_HOST,
    hosts,
    onPoolEvent,
    isolation = 'process',
    confinement = 'auto',
    memoryBytes,
    secrets,
    sharedSecrets = 'refused',
    stores = {},
    engine,
    variables: said,
    limits: input = {},
    tenant,
    telemetry,
    approvals = {},
  }: SupervisorOptions,
  watch: RunWatch | null = null,
): Promise<HostingSupervisor> {
  const programDirectory = realpathSync(folder);
  const machine = thisMachine(programDirectory);
  const publication = { ...publicationTools(), swept: sweptPlaces() };
  if (host !== undefined) await checkHost(machine, host);
  if (engine !== undefined && stores.journal === undefined)
    throw new TypeError('the runs of an engine are read from its journal');
  if (artifacts !== undefined && stores.artifacts !== undefined)
    throw new TypeError('artifacts go to a directory or to a store');
  const artifactRoot = artifactRoots(artifacts);
  if (typeof artifacts === 'string') await checkRoot(publication, resolve(artifacts));
  const limits = { ...RUN_LIMITS, ...input };
  boundsOf(limits);
  const policy = tenantPolicies(tenant, limits, isolation);
  const variables = variablesOf(said);
  const calls = providerAdmission(
    { active: limits.maxProviderCalls, waiting: limits.maxWaitingCalls },
    {
      shareOf: (lane) => {
        const { weight, maxProviderCalls } = sharePolicy(policy, lane);
        return {
          ...(weight === undefined ? {} : { weight }),
          ...(typeof maxProviderCalls === 'number' ? { atOnce: maxProviderCalls } : {}),
        };
      },
    },
  );
  const files = sandboxFiles(programDirectory);
  const confined: Confinement =
    confinement === 'off'
      ? { state: 'unconfined', reason: 'refused', start: null }
      : await findConfinement(files.readableFolders);
  if (confinement === 'required' && confined.state === 'unconfined')
    throw new SupervisorStartError('confinement_unavailable');
  const sandbox = startSandbox({
    ...files,
    isolatesPerHost,
    ...(confined.start === null ? {} : { confinement: confined.start }),
    ...(hosts === undefined ? {} : { hosts }),
    ...(onPoolEvent === undefined ? {} : { onEvent: onPoolEvent }),
  });
  const depository =
    stores.artifacts === undefined
      ? null
      : { store: stores.artifacts, spool: realpathSync(mkdtempSync(join(tmpdir(), 'svc-spool-'))) };
  const endProviderThreads = holdProviderThreads();
  const stopping = new AbortController();
  const admission = runAdmission(sandbox, { limits, policy });
  const ownBytes = residentBytesOf();
  const pressure = watchMemoryPressure({
    usedBytes: () => ownBytes() + sandbox.residentBytes(),
    limitBytes: memoryBytes ?? machineBytes(),
    places: admission.places,
    endLargest: () => {
      sandbox.endLargest();
    },
  });
  const applications = preparer({ machine, sandbox, host: host === undefined ? null : resolve(host) });
  const heard = runTelemetry(telemetryFor(process.env, telemetry ?? null));
  const setting: RunSetting = {
    machine,
    publication,
    calls,
    artifactRoot,
    depository,
    variables,
    secrets: secrets ?? null,
    secretOwners: sharedSecrets === 'allowed' ? null : secretOwners(),
    telemetry: heard,
    grants: stores.grants ?? null,
    approvals,
    asksLater: laterAsker(stores.approvals ?? null),
    watch,
  };
  const providers = openProviderPool(setting);
  // An engine has each run on record itself.
  const records =
    stores.journal === undefined || engine !== undefined ? null : runRecords(stores.journal, stores.artifacts ?? null);
  const beginHere = runsOf({
    ...setting,
    policy,
    shareOf: providers.shareOf,
    preparationOf: (application) => applications.preparationOf(application),
    isPressed: () => pressure.isPressed(),
    budgets: dayBudgets(() => machine.clock.wall()),
    stored: storedBytes(artifactRoot),
    records,
    admission,
    stopping: stopping.signal,
  });
  const delivered =
    engine === undefined || stores.journal === undefined
      ? null
      : engineRuns({
          engine,
          policy,
          journal: stores.journal,
          store: stores.artifacts ?? null,
          slots: limits.maxRuns,
          run: beginHere,
          preparationOf: (application) => applications.preparationOf(application),
          applicationOf: applications.found,
          digests: applications.digests,
        });
  const begin = delivered?.begin ?? beginHere;
  const mostIdle = Math.max(1, Math.floor((hosts ?? HOSTS) / IDLE_SHARE));
  const preparationOf = (application: PreparedApplication) => applications.preparationOf(application);
  const sessions = sessionsOf({
    setting,
    sandbox,
    // They run where they are: an isolate waits for the next program.
    begin: beginHere,
    prepare: async (reference) => applications.prepare(reference),
    preparationOf: (application) => applications.preparationOf(application),
    policy,
    isReady: () => state === 'ready',
    most: limits.maxSessions,
    mostIdle,
    keys: stores.keys ?? null,
  });
  let state: 'ready' | 'draining' | 'closed' = 'ready';
  let draining: Promise<Drained> | null = null;
  let closing: Promise<void> | null = null;

  async function drained(graceMs: number): Promise<Drained> {
    state = 'draining';
    let forced = 0;
    const stop = (): void => {
      forced = admission.counts().holding + admission.resting();
      stopping.abort(STOPPED);
    };
    const late = setTimeout(stop, graceMs);
    await delivered?.drain(graceMs);
    await admission.drain();
    clearTimeout(late);
    await calls.drain();
    return { clean: forced === 0, forced };
  }

  async function close(): Promise<void> {
    draining ??= drained(0);
    stopping.abort(STOPPED);
    await draining;
    await sessions.close();
    pressure.stop();
    await providers.close();
    await records?.close();
    await heard.close();
    await Promise.all([
      sandbox.close(),
      endProviderThreads(),
      ...(depository === null ? [] : [rm(depository.spool, { recursive: true, force: true })]),
    ]);
    state = 'closed';
  }

  function run(
    application: PreparedApplication,
    request?: RunRequest,
    codec?: ResultCodec<unknown>,
  ): ReturnType<Supervisor['run']> {
    checkArguments('supervisor.run', {
      application: [application, aPrepared],
      request: [request, maybe(runRequest)],
      codec: [codec, maybe(resultCodec)],
    });
    const handle = begin(application, request);
    return codec === undefined ? handle : typedRun(handle, codec);
  }

  return {
    prepare: async (reference) => {
      checkArguments('supervisor.prepare', { reference: [reference, applicationReference] });
      if (state !== 'ready') throw new PreparationError('draining');
      return applications.prepare(reference);
    },
    run,
    authorise: async (application, request) => {
      checkArguments('supervisor.authorise', {
        application: [application, aPrepared],
        request: [request, authorisationRequest],
      });
      if (state !== 'ready') return { kind: 'refused', code: 'draining' };
      if (policy(request.tenant ?? LOCAL_TENANT) === null) return { kind: 'refused', code: 'tenant_unknown' };
      return authoriseInstallation(setting, applications.preparationOf(application), request);
    },
    acquire: async (application, requested = {}) => {
      checkArguments('supervisor.acquire', {
        application: [application, aPrepared],
        request: [requested, acquisitionRequest],
      });
      const { tenant: id = LOCAL_TENANT, principal = id, signal } = requested;
      if (state !== 'ready') return { kind: 'refused', code: 'draining', diagnostic: null };
      if (policy(id) === null) return { kind: 'refused', code: 'tenant_unknown', diagnostic: null };
      const preparation = applications.preparationOf(application);
      return preparation === null
        ? { kind: 'refused', code: 'prepared_stale', diagnostic: null }
        : providers.acquire(preparation, { tenant: id, principal, ...(signal === undefined ? {} : { signal }) });
    },
    openSession: (subject, options) => sessions.open(subject, options),
    openRoom: hostedRooms({
      setting,
      sandbox,
      begin: beginHere,
      preparationOf: preparationOf,
      shareOf: providers.shareOf,
      mostIdle,
    }),
    restoreSession: (bytes, subject, options) => sessions.restore(bytes, subject, options),
    approvals: supervisorApprovals(stores.approvals ?? null),
    snapshot: () => {
      const { holding, waiting } = admission.counts();
      return {
        state,
        runs: { running: holding, queued: waiting, waiting: admission.resting() },
        sessions: sessions.count(),
        tenants: admission.tenants(),
        providerCalls: calls.counts(),
        applications: applications.counts(),
        confinement: confined.state,
        confinedFrom: confined.state === 'confined' ? confined.start.layers : [],
        memory: { residentBytes: ownBytes() + sandbox.residentBytes(), isPressed: pressure.isPressed() },
      };
    },
    drain: async (options = {}) => {
      checkArguments('supervisor.drain', { options: [options, drainOptions] });
      return (draining ??= drained(options.graceMs ?? DRAINING_GRACE_MS));
    },
    close: () => (closing ??= close()),
  };
}

/** What each tenant may have, the isolation of the supervisor where its own is not said. */
function tenantPolicies(
  said: SupervisorOptions['tenant'],
  limits: RunLimits,
  isolation: Isolation,
): (id: string) => Partial<TenantPolicy> | null {
  return (id) => {
    if (said === undefined) return { ...defaultPolicy(id, limits), isolation };
    const own = said(id);
    checkArguments('createSupervisor', { 'what options.tenant gave': [own, tenantPolicy] });
    return own === null ? null : { ...own, isolation: own.isolation ?? isolation };
  };
}

/** Of a tenant whose run goes on: what is said of it by then and is wrong, its next run reports. */
function sharePolicy(policy: (id: string) => Partial<TenantPolicy> | null, tenant: string): Partial<TenantPolicy> {
  try {
    return policy(tenant) ?? {};
  } catch {
    return {};
  }
}

function variablesOf(said: SupervisorOptions['variables']): NonNullable<SupervisorOptions['variables']> {
  if (said === undefined) return () => process.env;
  return (tenant) => {
    const values = said(tenant);
    checkArguments('createSupervisor', { 'what options.variables gave': [values, variableValues] });
    return values;
  };
}

/** Of this machine, or what this process is held to where that is less. */
function machineBytes(): number {
  const memory = process.constrainedMemory();
  return memory > 0 && memory < totalmem() ? memory : totalmem();
}

async function checkHost(machine: Machine, path: string): Promise<void> {
  const host = await loadHost(createDocumentReader(machine.documents, process.cwd()), { kind: 'named', path });
  if (!host.ok) throw new SupervisorStartError(host.diagnostic.code, host.diagnostic);
}

/** Made when it is absent; below it each tenant has a root of its own (documents.md §6). */
function artifactRoots(artifacts: SupervisorOptions['artifacts']): RunSetting['artifactRoot'] {
  if (artifacts === undefined) return () => null;
  if (typeof artifacts !== 'string') {
    return (tenant) => {
      const own = artifacts(tenant);
      checkArguments('createSupervisor', { 'what options.artifacts gave': [own, absoluteRoot] });
      return own;
    };
  }
  const root = resolve(artifacts);
  return (tenant) => `${root}/${tenant}`;
}

async function checkRoot({ fileSystem }: ReservationTools, path: string): Promise<void> {
  try {
    makeDirectory(path);
  } catch {
    throw new SupervisorStartError('artifact_root_unavailable');
  }
  const opened = await openSafeDirectory(fileSystem, path);
  if (!opened.ok) throw new SupervisorStartError('artifact_root_unavailable');
  await opened.value.directory.close();
}
