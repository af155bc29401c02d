import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import { inventoryTextMessage } from '../../contract/diagnostics/messages/documents.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { Application } from '../preflight/application.ts';
import { emptyBroker } from './broker.ts';
import type { Environments } from './environments.ts';
import type { FrozenMission } from './evidence-session.ts';
import { MISSION_TEXT_BYTES, missionInventory, missionModelContext, textFacts } from './mission-texts.ts';

/**
 * The environments of a run that reaches nothing outside. An application that selects a provider is told that no
 * adapter for it is there.
 */
export function plainEnvironments(application: Application): Outcome<Environments> {
  const { providers, grants, bundles, limits } = application;
  const [first] = [...providers.workflow, ...providers.mission];
  if (first !== undefined) {
    const { alias, destination, index } = first;
    return failure(diagnostic('adapter_unavailable', { subject: providerSubject(alias, 'local', { destination, index }) }));
  }
  const missions = new Map<string, FrozenMission>();
  for (const [name, { data }] of grants) {
    const facts = {
      exports: bundles.missions.get(name)?.exports ?? [],
      namespaces: bundles.missions.get(name)?.namespaces ?? [],
      capabilities: [],
      data: grantedValues(application, name, data),
      limits: limits.values,
    };
    const inventory = textFacts(missionInventory(facts));
    const modelContext = textFacts(missionModelContext(facts));
    if (Math.max(inventory.bytes, modelContext.bytes) > MISSION_TEXT_BYTES) {
      return failure(diagnostic('limit_capacity_invalid', { message: inventoryTextMessage(MISSION_TEXT_BYTES) }));
    }
    missions.set(name, { tools: MISSION_ROUTES, inventory, modelContext });
  }
  return success({ broker: emptyBroker(), missions, usageKeys: [], close: async () => null });
}

/** The values behind the names that programs of a mission can write. */
function grantedValues({ manifest }: Application, mission: string, names: readonly string[]): ReadonlyMap<string, JsonValue> {
  const values = manifest.missions.get(mission)?.data ?? new Map<string, JsonValue>();
  return new Map(names.map((name) => [name, values.get(name.slice('data/'.length)) ?? null]));
}

/** What every mission may call, whatever it was granted (runtime.md §4). */
const MISSION_ROUTES: readonly string[] = ['runtime-usage', 'runtime-remaining', 'cap-list', 'cap-describe'];
