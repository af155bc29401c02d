import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { inventoryTextMessage } from '../../../contract/diagnostics/messages/documents.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import type { CapabilitySet } from '../../calls/broker/granted-calls.ts';
import type { Application } from '../../application/preflight/application.ts';
import { MISSION_TEXT_BYTES, missionInventory, missionModelContext, type MissionTextFacts } from './mission-texts.ts';

/** A mission as it stays for the whole run (runtime.md §4). */
export interface MissionSetting {
  readonly code: string | null;
  /** JSON text of each granted `data/<name>`. */
  readonly data: Readonly<Record<string, string>>;
  readonly inventory: string;
  readonly modelContext: string;
  /** The model context with further data; null where it would be too large. */
  readonly modelContextWith: (data: JsonObject) => string | null;
}

/**
 * The texts and data of every mission, by name; `limit_capacity_invalid` where a text is too large to be shown whole.
 */
export function freezeMissions(
  application: Application,
  granted: ReadonlyMap<string, CapabilitySet>,
): Outcome<ReadonlyMap<string, MissionSetting>> {
  const { grants, bundles, limits } = application;
  const missions = new Map<string, MissionSetting>();
  for (const [name, { data }] of grants) {
    const bundle = bundles.missions.get(name) ?? null;
    const values = grantedValues(application, name, data);
    const facts = {
      exports: bundle?.exports ?? [],
      namespaces: bundle?.namespaces ?? [],
      capabilities: [...(granted.get(name)?.values() ?? [])],
      data: values,
      limits: limits.values,
    };
    const setting = { inventory: missionInventory(facts), modelContext: missionModelContext(facts) };
    if (Math.max(Buffer.byteLength(setting.inventory), Buffer.byteLength(setting.modelContext)) > MISSION_TEXT_BYTES) {
      return failure(diagnostic('limit_capacity_invalid', { message: inventoryTextMessage(MISSION_TEXT_BYTES) }));
    }
    missions.set(name, {
      ...setting,
      modelContextWith: (more) => boundedContext({ ...facts, data: withData(facts.data, more) }),
      code: bundle?.code ?? null,
      data: dataTexts(application, name),
    });
  }
  return success(missions);
}

function withData(data: MissionTextFacts['data'], more: JsonObject): MissionTextFacts['data'] {
  return new Map([...data, ...[...more].map(([name, value]) => [`data/${name}`, value] as const)]);
}

function boundedContext(facts: MissionTextFacts): string | null {
  const text = missionModelContext(facts);
  return Buffer.byteLength(text) > MISSION_TEXT_BYTES ? null : text;
}

/** The values behind the names that programs of a mission can write. */
function grantedValues(
  { manifest }: Application,
  mission: string,
  names: readonly string[],
): ReadonlyMap<string, JsonValue> {
  const values = manifest.missions.get(mission)?.data ?? new Map<string, JsonValue>();
  return new Map(names.map((name) => [name, values.get(name.slice('data/'.length)) ?? null]));
}

function dataTexts({ manifest }: Application, mission: string): Readonly<Record<string, string>> {
  const values = manifest.missions.get(mission)?.data ?? new Map<string, JsonValue>();
  return Object.fromEntries([...values].map(([name, value]) => [name, canonicalJson(value)]));
}
