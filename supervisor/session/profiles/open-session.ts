import { effectiveLimits } from '../../../contract/limits/effective.ts';
import { success, type Outcome } from '../../../contract/outcome.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import type { CapabilitySet } from '../../calls/broker/granted-calls.ts';
import { NO_JOURNAL } from '../../evidence/publication/journal/journal.ts';
import { NO_KERNEL } from '../../calls/kernel/interface.ts';
import type { Bundle } from '../../application/preflight/bundles.ts';
import type { ArtifactReservations } from '../../evidence/publication/publish-artifacts.ts';
import type { RunnableApplication } from '../../run/application.ts';
import { bareEnvironments } from '../../run/bare-environments.ts';
import type { OpenEnvironments } from '../../run/environments.ts';
import { missionInventory, missionModelContext, textFacts } from '../../run/mission-texts/mission-texts.ts';
import { openRun } from '../../run/open-run.ts';
import type { Run } from '../../run/run.ts';
import type { EvaluationTools } from '../../run/run-request.ts';
import { countsOf } from '../../run/usage/run-counts.ts';
import { usageSnapshot } from '../../run/usage/usage.ts';
import { sessionLimits } from '../application-limits.ts';
import { closingAtDeadline } from '../closing-at-deadline.ts';
import { bareApplication } from '../scratch.ts';
import { openSession, type Session } from '../session.ts';
import { PROFILE_LIMITS, sessionLabel, type Profile } from './contract.ts';

/** Name of the mission that the forms of an analysis session are evaluated in. */
const MISSION = 'analysis';

export interface ProfileSessionRequest {
  readonly tools: EvaluationTools;
  readonly runRef: RunReference;
  /** Name of the session in its trace. */
  readonly sessionId: string;
  readonly signal: AbortSignal;
  readonly profile: Profile;
  readonly bundle: Bundle;
  readonly capabilities: CapabilitySet;
  /** Where its trace goes. */
  readonly trace: ArtifactReservations['trace'];
  readonly projection: 'preview' | 'json';
  readonly previewCharacters: number;
  readonly showCode: boolean;
  /** Lets go of what was captured: at the deadline, or when the session is closed. */
  readonly release: () => Promise<void>;
}

export interface ProfileSession {
  readonly session: Session;
  /** Calls that were granted, by name. */
  readonly calls: () => Readonly<Record<string, number>>;
}

/**
 * Opens the session of a profile in a run of its own: one mission, its libraries and its queries, and no workflow
 * (evidence.md §8).
 */
export async function openProfileSession(request: ProfileSessionRequest): Promise<Outcome<ProfileSession>> {
  const { tools, runRef, signal, profile, bundle, trace, projection, previewCharacters, showCode } = request;
  const application = profileApplication(request);
  const opened = await openRun(tools, {
    runRef,
    signal,
    // Isolates of one session share a process with no other's.
    trustDomain: runRef,
    loaded: { application, openEnvironments: profileEnvironments(request) },
    reservations: { trace, inspection: null },
    journal: NO_JOURNAL,
  });
  if (!opened.ok) return opened;
  const run = opened.value;
  const session = openSession({
    run,
    mission: { name: MISSION, code: bundle.code },
    clock: tools.clock,
    limits: sessionLimits(application.limits, 'mission'),
    tools: run.environments.broker.tools(MISSION),
    data: {},
    projection,
    previewCharacters,
    showCode,
  });
  return success({ session: closingAtDeadline(session, run), calls: () => callsOf(run, profile) });
}

function profileApplication({ profile, bundle, sessionId }: ProfileSessionRequest): RunnableApplication {
  const limits = effectiveLimits(PROFILE_LIMITS, {});
  if (!limits.ok) throw new Error('a profile asks for no more than is installed');
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const components = bundle.components.map(({ id, dependencies, bytes, sourceName }) => ({
    id,
    dependencies,
    source: decoder.decode(bytes),
    file: sourceName,
    opens: null,
    isLibrary: true,
  }));
  // A query that an older profile does not have is refused where it is called.
  const exports = bundle.exports.filter(
    ({ ref }) => profile.queries.includes('counters') || ref !== 'analysis/counters',
  );
  return {
    ...bareApplication(limits),
    missions: new Map([[MISSION, { components, bundleHash: bundle.hash, exports }]]),
    eventIdentity: { runId: sessionId, traceId: sessionId },
    labels: { name: sessionLabel(profile), tags: { mode: 'repl' } },
  };
}

function profileEnvironments({ capabilities, bundle, release }: ProfileSessionRequest): OpenEnvironments {
  return async (context) => {
    const {
      application: { limits },
      runDeadline,
      clock,
    } = context;
    const environments = bareEnvironments(context, {
      capabilities: { workflow: new Map(), missions: new Map([[MISSION, capabilities]]) },
      usage: () =>
        usageSnapshot(countsOf(environments.broker, NO_KERNEL), Math.max(0, runDeadline.at - clock.monotonic())),
    });
    const facts = {
      exports: bundle.exports,
      namespaces: bundle.namespaces,
      capabilities: [...capabilities.values()],
      data: new Map(),
      limits,
    };
    const modelContext = missionModelContext(facts);
    const frozen = {
      tools: environments.broker.tools(MISSION),
      inventory: textFacts(missionInventory(facts)),
      modelContext: { ...textFacts(modelContext), text: modelContext },
    };
    let released: Promise<void> | null = null;
    return success({
      ...environments,
      missions: new Map([[MISSION, frozen]]),
      usageKeys: [...capabilities.keys()].map((name) => `mission/${name}`),
      close: async () => {
        released ??= release();
        await released;
        return null;
      },
    });
  };
}

function callsOf({ environments }: Run, { queries }: Profile): Readonly<Record<string, number>> {
  const { capabilityCalls } = environments.broker.counts();
  return Object.fromEntries(
    queries.map((query) => [`analysis-${query}`, capabilityCalls[`mission/analysis-${query}`] ?? 0]),
  );
}
