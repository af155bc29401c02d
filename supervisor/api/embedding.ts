import { randomFillSync } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { exitStatusOf } from '../../contract/exit-status.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { newRunReference } from '../../contract/run-reference.ts';
import type { RefusalReason } from '../../contract/fairness/fair-queue.ts';
import { stopOf } from '../../contract/stop-signals.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { PoolEvent } from '../../sandbox/pool/pool-event.ts';
import { startSandbox } from '../../sandbox/pool/pool.ts';
import type { CustomInstallation } from '../custom/installation.ts';
import { providerAdmission } from '../provider-admission/provider-admission.ts';
import type { ProviderAdmissionBounds } from '../provider-admission/provider-admission.ts';
import { holdProviderThreads } from '../providers/tenant-threads.ts';
import { sweptPlaces } from '../publication/swept-places.ts';
import type { ExplicitDestinations } from '../run/destinations.ts';
import { runAdmission } from '../tenancy/run-admission.ts';
import type { Asking } from '../tenancy/run-admission.ts';
import { tenantBundles } from '../tenancy/tenant-bundles.ts';
import { LOCAL_TENANT } from '../tenancy/tenant.ts';
import type { RunLimits, TenantPolicy } from '../tenancy/tenant.ts';
import { thisMachine } from './machine.ts';
import { sandboxFiles } from './program-folder.ts';
import { publicationTools } from './publication.ts';
import { runApplication } from './run.ts';
import type { RunReport } from './run.ts';
import { validateApplication } from './validate.ts';
import type { ValidateReport } from './validate.ts';

export { defineCustomInstallation } from '../custom/define.ts';
export type { CustomCapabilitySpec, CustomInstallationSpec } from '../custom/define.ts';
export type { CustomFunction, CustomInstallation, CustomOpen } from '../custom/installation.ts';
export type { HostEnding, KillReason, PoolEvent } from '../../sandbox/pool/pool-event.ts';
export type { ProviderAdmissionBounds } from '../provider-admission/provider-admission.ts';
export type { RunLimits, TenantPolicy } from '../tenancy/tenant.ts';
export { acquisitionFailure, notDispatched, providerError } from '../custom/outcome.ts';

/** What an embedding is opened with (docs/custom-capabilities.md). */
export interface EmbeddingOptions {
  /** Folder of the built program: host script, guest image and libraries. */
  readonly programDirectory: string;
  /** Isolates that one host process holds at most; 64 by default. */
  readonly isolatesPerHost?: number;
  /**
   * Host processes at most, 3 or more; 64 by default. Half of them at most hold workflows. One that nobody uses gives way to
   * whoever needs one, and no tenant can hold all of them.
   */
  readonly hosts?: number;
  /** Told of what happens to the processes, after it has. What it throws is dropped. */
  readonly onPoolEvent?: (event: PoolEvent) => void;
  /** Runs and validations at once, and those that wait for one; 32 and 1,000 by default. */
  readonly limits?: Partial<RunLimits>;
  /**
   * What one tenant may have of them, asked at each request; throws or breaks its rules only by mistake. By default the tenant
   * of requests that name none has all, and any other 4 runs and 100 that wait, all of one weight.
   */
  readonly policy?: (tenant: string) => TenantPolicy;
  /** Live calls of models at once, over all runs and tenants, and those that wait for a place; by default only the bounds of each run hold. */
  readonly providerCalls?: ProviderAdmissionBounds;
}

/** What a run and a validation are asked alike. */
export interface EmbeddedRequest {
  /** Manifest or project document, from the working directory unless absolute. */
  readonly document: string;
  /**
   * For whom: nothing of one tenant is in a process, a bundle, a thread or a place in the queue of another. 1 to 128 letters,
   * digits, dots, dashes and underscores; by default all requests are of one.
   */
  readonly tenant?: string;
  /** Absolute; that of the process by default. */
  readonly workingDirectory?: string;
  /** Host document that replaces the project's; none by default. */
  readonly hostConfig?: string;
  /** Functions that the application may select. */
  readonly custom?: readonly CustomInstallation[];
  /** Aborted to stop, for any reason: the command ends in order and tells `internal_error`, "the command was interrupted" (runtime.md §10). */
  readonly signal?: AbortSignal;
}

/** What a run is asked. */
export interface EmbeddedRun extends EmbeddedRequest {
  /** An input file that replaces the declared one: a name below the application's folder, else a path from the working directory. */
  readonly input?: { readonly path: string; readonly dataClass: 'normal' | 'private' };
  /** Artifacts beside those of the project, from the working directory unless absolute; what is there is never replaced. */
  readonly destinations?: Partial<ExplicitDestinations>;
  /** Variables from which the host document's credentials are taken, behind those of the project's file; by default those of the process. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** What is added to the report of a command. */
export interface ExitStatus {
  /** What the command line would have exited with (cli.md §5). */
  readonly exitStatus: number;
}

/** How a run ended (interface-1.md), and its name. */
export interface EmbeddedReport extends RunReport, ExitStatus {
  readonly runRef: RunReference;
}

/** The request was turned away before anything was done for it. */
export interface Refused {
  readonly kind: 'refused';
  /**
   * - `tenant_quota`: as many of its tenant wait as may, for a place or for a process.
   * - `queue_full`: as many wait as may in all, and its tenant has its share of them.
   * - `draining`: the embedding is being closed.
   */
  readonly reason: RefusalReason;
  /** When to come again, milliseconds from now. */
  readonly retryAfterMs: number;
}

/** What a request came to: an answer, or a refusal before anything was done for it. */
export type EmbeddedEnd<Report> = Refused | ({ readonly kind: 'finished' } & Report);

/** How an embedding was closed. */
export interface Closing {
  /** Runs and validations that had to be stopped. */
  readonly stopped: number;
}

/** Runs and validates applications inside another program, with one sandbox for all of them (gateway.md §16). */
export interface Embedding {
  /** Runs may overlap; they begin in a fair order between tenants. Rejects only with TypeError for what the calling program got wrong. */
  run(request: EmbeddedRun): Promise<EmbeddedEnd<EmbeddedReport>>;
  validate(request: EmbeddedRequest): Promise<EmbeddedEnd<ValidateReport & ExitStatus>>;
  /**
   * Takes nothing on, lets what goes on come to its end, stops what has not within `graceMs` (10,000 by default) as a signal would,
   * and ends the sandbox.
   */
  close(options?: { readonly graceMs?: number }): Promise<Closing>;
}

const ISOLATES_PER_HOST = 64;
const CLOSING_GRACE_MS = 10_000;
/** What a run that is stopped is told, as by a process that ends. */
const STOPPED = 'SIGTERM';

/**
 * Starts the sandbox of an embedding program (docs/custom-capabilities.md). Throws for a folder that is not there, and TypeError
 * for limits and bounds that leave nothing to run. Links on the way to the folder are followed once, since a host may read what lies in it
 * and no link to it.
 */
export function openEmbedding({ programDirectory: folder, isolatesPerHost = ISOLATES_PER_HOST, hosts, onPoolEvent, providerCalls, ...admitted }: EmbeddingOptions): Embedding {
  const programDirectory = realpathSync(folder);
  const sandbox = startSandbox({
    ...sandboxFiles(programDirectory),
    isolatesPerHost,
    ...(hosts === undefined ? {} : { hosts }),
    ...(onPoolEvent === undefined ? {} : { onEvent: onPoolEvent }),
  });
  const admission = runAdmission(sandbox, admitted);
  const calls = providerCalls === undefined ? null : providerAdmission(providerCalls);
  const bundlesOf = tenantBundles();
  const machine = thisMachine(programDirectory);
  const publication = { ...publicationTools(), swept: sweptPlaces() };
  const stopping = new AbortController();
  const endProviderThreads = holdProviderThreads();

  const documentOptions = ({ document, workingDirectory = process.cwd(), hostConfig, custom }: EmbeddedRequest, { tenant, signal }: Asking, own: Sandbox) => ({
    runRef: newRunReference(randomFillSync),
    workingDirectory,
    document,
    hostConfig: hostConfig ?? null,
    override: null,
    ...machine,
    trustDomain: tenant,
    bundles: async () => bundlesOf(tenant),
    sandbox: async () => own,
    signal,
    ...(calls === null ? {} : { admission: calls }),
    ...(custom === undefined ? {} : { custom }),
  });

  async function begin<Report>(request: EmbeddedRequest, work: (options: ReturnType<typeof documentOptions>) => Promise<Report>): Promise<EmbeddedEnd<Report>> {
    const { tenant = LOCAL_TENANT, signal } = request;
    const asking = { tenant, signal: signal === undefined ? stopping.signal : AbortSignal.any([signal, stopping.signal]) };
    const begun = await admission.begin(asking, (own) => work(documentOptions(request, asking, own)));
    if (begun.admitted) return { kind: 'finished', ...begun.value };
    const { reason, retryAfterMs } = begun.refusal;
    return { kind: 'refused', reason, retryAfterMs };
  }

  async function drained(graceMs: number): Promise<number> {
    let stopped = 0;
    const late = setTimeout(() => {
      stopped = admission.counts().holding;
      stopping.abort(STOPPED);
    }, graceMs);
    await admission.drain();
    clearTimeout(late);
    return stopped;
  }

  return {
    run: (request) => begin(request, async (options) => {
      const report = await runApplication({
        ...options,
        input: request.input ?? null,
        environmentFile: null,
        variables: request.variables ?? process.env,
        authorize: [],
        destinations: anchored(options.workingDirectory, request.destinations),
        publication,
        onEvaluated: () => undefined,
      });
      return { ...report, runRef: options.runRef, exitStatus: runStatus(report, options.signal) };
    }),
    validate: (request) => begin(request, async (options) => {
      const report = await validateApplication({ ...options, variables: {} });
      return { ...report, exitStatus: statusOf(report.envelope, options.signal) };
    }),
    close: async ({ graceMs = CLOSING_GRACE_MS } = {}) => {
      const stopped = await drained(graceMs);
      await calls?.drain();
      await Promise.all([sandbox.close(), endProviderThreads()]);
      return { stopped };
    },
  };
}

function anchored(directory: string, { traceDirectory, inspection, output, privateOutput }: Partial<ExplicitDestinations> = {}): ExplicitDestinations {
  const from = (path: string | null = null) => (path === null ? null : resolve(directory, path));
  return { traceDirectory: from(traceDirectory), inspection: from(inspection), output: from(output), privateOutput: from(privateOutput) };
}

function runStatus({ envelope, projectEnvelope }: RunReport, signal: AbortSignal): number {
  return projectEnvelope === 'failed' ? exitStatusOf({ fate: 'envelope_lost' }) : statusOf(envelope, signal);
}

function statusOf(envelope: RunReport['envelope'] | ValidateReport['envelope'], signal: AbortSignal): number {
  return exitStatusOf(envelope.status === 'ok' ? { fate: 'succeeded' } : { fate: 'failed', error: envelope.error, stop: stopOf(signal) });
}
