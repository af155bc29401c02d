import { APPROVAL_LIMITS, type ApprovalLimits } from '../../contract/approval.ts';
import type { Outcome } from '../../contract/outcome.ts';
import { randomFillSync } from 'node:crypto';
import { withProviderActivity } from '../../contract/diagnostics/diagnostic.ts';
import { requiredTools } from '../../contract/requirement.ts';
import { routeNamed } from '../../contract/routes.ts';
import { openDesk } from '../calls/approvals/desk.ts';
import { openBroker, type RunBroker } from '../calls/broker/broker.ts';
import type { Broker } from '../calls/broker/broker-interface.ts';
import { NO_KERNEL, type Kernel } from '../calls/kernel/interface.ts';
import type { Route } from '../calls/broker/route.ts';
import { remainingMs } from '../../system/clock.ts';
import { LOCAL_TENANT } from '../platform/tenant.ts';
import type { Application } from '../application/preflight/application.ts';
import { acquireProviders, type AcquiredProviders, type AcquisitionSources } from './acquisition.ts';
import { countsOf } from './usage/run-counts.ts';
import type { RunEnvironments } from './environments.ts';
import { freezeMissions, type MissionSetting } from './mission-texts/frozen-missions.ts';
import { textFacts } from './mission-texts/mission-texts.ts';
import type { RunContext } from './run-context.ts';
import { usageSnapshot } from './usage/usage.ts';

/**
 * Acquires what an application selects, freezes its environments and opens what serves them (runtime.md §1 steps 14 and
 * 15).
 */
export async function openEnvironments(
  application: Application,
  context: RunContext,
  sources: AcquisitionSources,
): Promise<Outcome<RunEnvironments>> {
  const acquired = await acquireProviders(application, context, sources);
  if (!acquired.ok) return acquired;
  const { value: providers } = acquired;
  const isFoundBySearch = sources.isFoundBySearch === true;
  const settings = freezeMissions(application, isFoundBySearch ? new Map() : providers.missions);
  if (!settings.ok) {
    const later = await providers.release();
    return {
      ok: false,
      diagnostic: withProviderActivity(settings.diagnostic, providers.providerActivity),
      later: later === null ? [] : [later],
    };
  }
  const { broker, kernel } = await openServices(application, context, providers, settings.value);
  return {
    ok: true,
    value: {
      broker,
      kernel,
      missions: new Map(
        [...settings.value].map(([name, { inventory, modelContext }]) => [
          name,
          {
            tools: broker.tools(name),
            inventory: textFacts(inventory),
            modelContext: { ...textFacts(modelContext), text: modelContext },
          },
        ]),
      ),
      usageKeys: usageKeys(providers).slice(0, isFoundBySearch ? CALLED_TOOLS_MAX : undefined),
      snapshots: providers.snapshots,
      runDeadline: context.runDeadline,
      providerActivity: providers.providerActivity,
      close: providers.release,
    },
  };
}

/** Distinct tools that one run may call where there may be more than usage has room for (code-mode.md §3). */
export const CALLED_TOOLS_MAX = 480;

function usageKeys({ workflow, missions }: AcquiredProviders): readonly string[] {
  const called = [...missions.values()].flatMap((capabilities) => [...capabilities.keys()]);
  return [
    ...[...workflow.keys()].map((name) => `workflow/${name}`),
    ...new Set(called.map((name) => `mission/${name}`)),
  ];
}

/** The broker and the kernel, each of which calls the other. */
async function openServices(
  application: Application,
  context: RunContext,
  providers: AcquiredProviders,
  settings: ReadonlyMap<string, MissionSetting>,
): Promise<{ readonly broker: RunBroker; readonly kernel: Kernel }> {
  const routes = new Map<string, Route>();
  const { clock, runDeadline, recorder, inspection, effectGate } = context;
  const { machine, callerDeadlineAt, approvals, runRef, trustDomain } = context;
  const { host } = application;
  let kernel = NO_KERNEL;
  const broker = openBroker({
    limits: application.limits.values,
    runDeadlineAt: runDeadline.at,
    clock,
    events: recorder,
    inspection,
    capabilities: providers,
    routes,
    effectGate,
    approvals: openDesk({
      limits: { ...APPROVAL_LIMITS, ...hostApprovalLimits(host), ...approvals.limits },
      run: {
        runRef,
        application: application.manifest.labels.name ?? null,
        tenant: trustDomain === LOCAL_TENANT ? null : trustDomain,
        principal: approvals.principal ?? null,
        isPrivate: context.application.artifactClass === 'private',
      },
      clock,
      machine,
      runDeadlineAt: runDeadline.at,
      callerDeadlineAt,
      asker: approvals.asker,
      place: approvals.place ?? null,
      allowsAll: approvals.allowsAll,
      ...(approvals.session === undefined ? {} : { session: approvals.session }),
    }),
    usage: () => ({
      ...usageSnapshot(countsOf(broker, kernel), remainingMs(runDeadline, clock.monotonic())),
      events_dropped: recorder.dropped(),
    }),
  });
  if (!needsKernel(application)) return { broker, kernel };
  kernel = await openRunKernel(application, context, broker, settings);
  for (const [name, route] of kernel.routes) routes.set(name, route);
  return { broker, kernel };
}

function hostApprovalLimits(host: Application['host']): Partial<ApprovalLimits> {
  const {
    timeout_ms: timeoutMs,
    hold_ms: holdMs,
    lifetime_ms: lifetimeMs,
    max_asks: maxAsks,
    max_open: maxOpen,
  } = host?.document.approvals ?? {};
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(holdMs === undefined ? {} : { holdMs }),
    ...(lifetimeMs === undefined ? {} : { lifetimeMs }),
    ...(maxAsks === undefined ? {} : { maxAsks }),
    ...(maxOpen === undefined ? {} : { maxOpen }),
  };
}

/** Only component code can name a route, and it says so: anyone who names none is spared the kernel's reading. */
function needsKernel({ bundles }: Application): boolean {
  return (
    bundles.workflow?.exports.flatMap(requiredTools).some((name) => routeNamed(name)?.server === 'kernel') === true
  );
}

async function openRunKernel(
  application: Application,
  context: RunContext,
  broker: RunBroker,
  settings: ReadonlyMap<string, MissionSetting>,
): Promise<Kernel> {
  const { openKernel } = await import('../calls/kernel/kernel.ts');
  const { sandbox, clock, runRef, runDeadline, recorder, inspection, observer } = context;
  const missions = [...settings].map(([name, setting]) => [name, { ...setting, tools: broker.tools(name) }] as const);
  const kernel = openKernel({
    sandbox,
    clock,
    limits: application.limits.values,
    missionTrustDomain: runRef,
    runDeadlineAt: runDeadline.at,
    missions: new Map(missions),
    contracts: application.contracts,
    evidence: {
      keepsRecords: inspection.isRequested,
      event: (event) => {
        if (recorder.record(event) !== 'refused') return 'accepted';
        broker.stop({ kind: 'event_sink' });
        return 'refused';
      },
      record: async (record) => {
        if (await inspection.record(record)) return true;
        broker.stop({ kind: 'inspection_sink' });
        return false;
      },
    },
    broker: broker satisfies Broker,
    providerFailures: broker.failures,
    random: (bytes) => void randomFillSync(bytes),
    // What a program says is nobody's business but its owner's where the run is private.
    ...(context.application.artifactClass === 'normal' &&
      observer?.program !== undefined && { onProgram: (program) => observer.program?.(program) }),
  });
  if (reachesMissions(application)) kernel.prepare();
  return kernel;
}

function reachesMissions({ bundles, manifest }: Application): boolean {
  const entry = bundles.workflow?.exports.find(({ ref }) => ref === manifest.workflow.entry);
  return entry !== undefined && requiredTools(entry).some((name) => routeNamed(name)?.effect === 'missions');
}
