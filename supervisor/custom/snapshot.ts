import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import { jsonDigest, sha256Hex } from '../documents/identity/digest.ts';
import { providerRecord } from '../documents/identity/effective.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { providerRecordOf } from '../preflight/occurrence.ts';
import type { Occurrence } from '../preflight/occurrence.ts';
import type { CustomInstallation } from './installation.ts';

/** What `run-started` tells of an opened installation: no text of it but names, everything else by hash (providers.md §2). */
export function customSnapshot(occurrence: Occurrence, installation: CustomInstallation, configDigest: string): JsonObject {
  const acquisition: JsonObject = new Map<string, JsonValue>([
    ['source', 'custom'],
    ['tools', [...installation.capabilities.values()].map((capability) => new Map<string, JsonValue>([
      ['name', capability.name],
      ['effect', capability.effect],
      ['model_visible', capability.modelVisible],
      ['description_hash', capability.modelVisible ? sha256Hex(capability.description) : null],
      ['input_schema_hash', capability.inputSchema.key],
      ['output_schema_hash', capability.outputSchema.key],
    ]))],
  ]);
  const parts = new Map<string, JsonValue>([
    ['declaration', providerRecord(providerRecordOf(occurrence))],
    ['acquisition', acquisition],
    ['acquisition_identity_hash', sha256Hex(canonicalJson(acquisition))],
    ['installation_config_digest', configDigest],
  ]);
  return new Map([...parts, ['snapshot_hash', jsonDigest(parts)]]);
}
