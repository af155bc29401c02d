import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { openEngine, type EngineTiming } from '../engine/engine.ts';
import type { Database } from '../engine/database.ts';
import type { Lease, Settle } from '../engine/interface.ts';
import { openPostgresApprovals } from '../engine/postgres-approvals.ts';
import { openPostgresDatabase } from '../engine/postgres-database.ts';
import type { Retention } from '../engine/retention.ts';
import type { Supervisor } from '../embedding/types.ts';
import { performJob } from '../jobs/perform-job.ts';
import { runnerFigures } from '../jobs/runner-figures.ts';
import { runnerStore } from '../jobs/runner-store.ts';
import { openDirectoryGrants, openDirectorySecrets } from '../stores/directory-stores.ts';
import { createSupervisor } from '../runs/create.ts';
import { PreparationError, SupervisorStartError } from '../runs/refusals.ts';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';

/** What a runner process is started with. */
export interface RunnerOptions {
  readonly programDirectory: string;
  /** Absolute. */
  readonly workingDirectory: string;
  /** Manifest or project document. */
  readonly document: string;
  /** Host document in place of the project's; null for none. */
  readonly hostConfig: string | null;
  /** `postgres://user:password@host:port/name`. */
  readonly databaseUrl: string;
  /** Runs at once, 1 or more. */
  readonly slots: number;
  /**
   * Where artifacts, long inputs and long envelopes of all runners lie (`runnerStore`); null: runs leave nothing but
   * their records.
   */
  readonly artifactStore: string | null;
  /**
   * Directory of what each tenant has (`openDirectorySecrets`, `openDirectoryGrants`); null: credentials are those of
   * the host document, for all alike.
   */
  readonly tenantStore: string | null;
  /** Whether one value of a credential there may be that of two tenants. */
  readonly sharedSecrets: boolean;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Aborted when the runner is to end. */
  readonly signal: AbortSignal;
  /** Milliseconds that runs have to come to their end by then. */
  readonly graceMs: number;
  /**
   * Called once it takes runs: the digest by which runs name its application, and the port of its figures where they
   * were asked for.
   */
  readonly onReady: (contentDigest: string, metricsPort: number | null) => Promise<void>;
  /** Port of a listener for health and figures on loopback, 0 for any; null for none. */
  readonly metricsPort: number | null;
  /** How long runs that have ended stay on record. */
  readonly retention: Retention;
  /** Of tests alone: other times than those of gateway.md §19. */
  readonly timing?: Partial<EngineTiming>;
}

/** How a runner ended. */
export type RunnerEnd =
  /** `forced`: runs that had to be stopped, and that others start again or report as lost. */
  | { readonly ended: 'stopped'; readonly forced: number }
  /** The port for its figures is taken. */
  | { readonly ended: 'listener_unavailable' }
  /** It took no run: its application cannot be prepared. */
  | { readonly ended: 'refused'; readonly diagnostic: Diagnostic }
  | { readonly ended: 'database_unavailable' }
  /** The place of artifacts is none, or its credentials are not there. */
  | { readonly ended: 'store_unusable' }
  /** What tenants have is in no directory. */
  | { readonly ended: 'tenant_store_unusable' };

/**
 * Takes runs of one application from a database and performs them until the signal is raised (gateway.md §19); any
 * number of processes may do so beside each other. Rejects for bugs alone.
 */
export async function serveRuns(options: RunnerOptions): Promise<RunnerEnd> {
  const { programDirectory, variables, slots, hostConfig, artifactStore, tenantStore, workingDirectory } = options;
  const store = artifactStore === null ? null : runnerStore({ place: artifactStore, workingDirectory, variables });
  if (artifactStore !== null && store === null) return { ended: 'store_unusable' };
  const tenants = tenantStore === null ? null : resolve(workingDirectory, tenantStore);
  if (tenants !== null && statSync(tenants, { throwIfNoEntry: false })?.isDirectory() !== true)
    return { ended: 'tenant_store_unusable' };
  const database = openPostgresDatabase(options.databaseUrl);
  try {
    const supervisor = await createSupervisor({
      programDirectory,
      limits: { maxRuns: slots, maxQueued: slots },
      // Who may have how much of it the database decides, over all runners.
      tenant: () => ({ weight: 1, maxRuns: slots, maxQueued: slots }),
      variables: () => variables,
      stores: {
        approvals: openPostgresApprovals(database),
        ...(store === null ? {} : { artifacts: store }),
        ...(tenants === null ? {} : { grants: openDirectoryGrants(tenants) }),
      },
      ...(tenants === null
        ? {}
        : { secrets: openDirectorySecrets(tenants), sharedSecrets: options.sharedSecrets ? 'allowed' : 'refused' }),
      ...(hostConfig === null ? {} : { host: hostConfig }),
    });
    try {
      const application = await supervisor.prepare({
        kind: 'directory',
        manifest: options.document,
        workingDirectory: options.workingDirectory,
      });
      return await serve(options, {
        supervisor,
        database,
        handle: (lease) => performJob({ supervisor, application, store }, lease),
        contentDigest: application.contentDigest,
      });
    } finally {
      await supervisor.close();
    }
  } catch (error) {
    const isRefusal = error instanceof PreparationError || error instanceof SupervisorStartError;
    if (!isRefusal || error.diagnostic === null) throw error;
    return { ended: 'refused', diagnostic: error.diagnostic };
  } finally {
    await database.close().catch(() => undefined);
  }
}

interface Serving {
  readonly database: Database;
  readonly supervisor: Pick<Supervisor, 'snapshot'>;
  readonly handle: (lease: Lease) => Promise<Settle>;
  readonly contentDigest: string;
}

async function serve(
  { slots, signal, graceMs, onReady, metricsPort, retention, timing = {} }: RunnerOptions,
  { supervisor, database, handle, contentDigest }: Serving,
): Promise<RunnerEnd> {
  const engine = await openEngine(database, { ...timing, ...retention }).catch(() => null);
  if (engine === null) return { ended: 'database_unavailable' };
  const figures = runnerFigures({
    slots,
    isStopping: () => signal.aborted,
    snapshot: () => supervisor.snapshot(),
    status: async () => engine.status(),
    ask: async () => database.query('select 1'),
  });
  const listener = metricsPort === null ? null : await figures.serve(metricsPort);
  if (typeof listener === 'string') {
    await engine.close().catch(() => undefined);
    return { ended: 'listener_unavailable' };
  }
  const worker = engine.work({ slots, applicationDigest: contentDigest }, figures.counted(handle));
  await onReady(contentDigest, listener?.port ?? null);
  if (!signal.aborted)
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  await worker.close({ graceMs });
  await listener?.close();
  await engine.close().catch(() => undefined);
  return { ended: 'stopped', forced: figures.forced() };
}
