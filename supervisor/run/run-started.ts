import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import { runStarted, type PreludeFacts, type TraceEvent } from '../evidence/event.ts';
import { labelFingerprint } from '../evidence/fingerprint.ts';
import type { TextFacts } from './mission-texts/mission-texts.ts';
import type { RunEnvironment, RunLabels, RunnableApplication } from './application.ts';
import type { RunSession } from './run-session.ts';

/** The first event of a run (evidence.md §3). Missions are described by what is frozen at step 15. */
export function runStartedEvent(
  application: RunnableApplication,
  missions: ReadonlyMap<string, FrozenMission>,
  { snapshots, traceparent, inputName, session }: { readonly snapshots: readonly JsonObject[] } & RunOrigin,
): TraceEvent {
  const facts = [...application.missions].map(
    ([name, mission]) => [name, missionFacts(mission, missions.get(name))] as const,
  );
  return runStarted({
    labels: labelFacts(application.labels),
    workflow_prelude: preludeFacts(application.workflow),
    missions: Object.fromEntries(facts),
    connector_snapshots: snapshots,
    ...(application.override === null ? {} : { component_overrides: [application.override] }),
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(inputName === undefined ? {} : { input_name: inputName }),
    ...(session === undefined ? {} : { session: { ...session } }),
  });
}

/** What the person who asked for a run said of its place. */
export interface RunOrigin {
  readonly traceparent?: string | undefined;
  readonly inputName?: string | undefined;
  readonly session?: RunSession | undefined;
}

/** A mission as it will stay: what it may call, and its texts by hash and bytes (runtime.md §4). */
export interface FrozenMission {
  readonly tools: readonly string[];
  readonly inventory: TextFacts;
  readonly modelContext: TextFacts & { readonly text: string };
}

function missionFacts(mission: RunEnvironment, frozen: FrozenMission | undefined) {
  if (frozen === undefined) throw new Error('every mission is frozen before the run starts');
  return {
    prelude: preludeFacts(mission),
    inventory_hash: frozen.inventory.hash,
    inventory_bytes: frozen.inventory.bytes,
    model_context_hash: frozen.modelContext.hash,
    model_context_bytes: frozen.modelContext.bytes,
  };
}

function preludeFacts({ components, bundleHash }: RunEnvironment): PreludeFacts {
  const positions = new Map(components.map(({ id }, index) => [id, index]));
  return {
    component_ids: components.map(({ id }) => id),
    dependency_indices: components.map(({ dependencies }) =>
      dependencies
        .map((id) => positions.get(id))
        .filter((index) => index !== undefined)
        .toSorted((left, right) => left - right),
    ),
    hash: bundleHash,
  };
}

function tagFacts(tags: NonNullable<RunLabels['tags']>): JsonObject {
  return new Map(Object.entries(tags).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function labelFacts(labels: RunLabels): Readonly<Record<string, JsonValue>> {
  const { name, model, provider, tags } = labels;
  return {
    ...(name === undefined ? {} : { name: labelFingerprint(name) }),
    ...(model === undefined ? {} : { model: labelFingerprint(model) }),
    ...(provider === undefined ? {} : { provider: labelFingerprint(provider) }),
    ...(tags === undefined ? {} : { tags: tagFacts(tags) }),
  };
}
