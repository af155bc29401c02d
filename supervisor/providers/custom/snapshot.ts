import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { SnapshotFacts } from '../../../contract/provider-protocol/session.ts';
import type { CustomInstallation } from './installation.ts';

/**
 * What is reported about an opened installation: no text of it but names, everything else by hash (providers.md §2).
 */
export function customSnapshot({ capabilities, toolsHash }: CustomInstallation): SnapshotFacts<JsonObject> {
  if (toolsHash !== undefined)
    return snapshotOf([
      ['tools_hash', toolsHash],
      ['tool_count', capabilities.size],
    ]);
  const tools = [...capabilities.values()].map(
    (capability) =>
      new Map<string, JsonValue>([
        ['name', capability.name],
        ['effect', capability.effect],
        ['model_visible', capability.modelVisible],
        [
          'description_hash',
          capability.modelVisible ? createHash('sha256').update(capability.description).digest('hex') : null,
        ],
        ['input_schema_hash', capability.inputSchema.key],
        ['output_schema_hash', capability.outputSchema.key],
      ]),
  );
  return snapshotOf([['tools', tools]]);
}

function snapshotOf(facts: readonly (readonly [string, JsonValue])[]): SnapshotFacts<JsonObject> {
  return {
    acquisition: new Map<string, JsonValue>([['source', 'custom'], ...facts]),
    unidentified: [],
    contentHash: null,
  };
}
