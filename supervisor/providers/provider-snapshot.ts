import { canonicalJson } from '../../contract/json/canonical.ts';
import type { JsonObject, JsonValue } from '../../contract/json/value.ts';
import type { SnapshotFacts } from '../../contract/provider-protocol/session.ts';
import { jsonDigest, sha256Hex, type Digest } from '../documents/digest.ts';
import { providerRecord } from '../documents/identity/effective.ts';
import type { Occurrence } from './source/installed-provider.ts';
import { providerRecordOf } from './provider-record.ts';

/** What `run-started` says about an opened provider (providers.md §2, documents.md §10). */
export function providerSnapshot(
  occurrence: Occurrence,
  facts: SnapshotFacts<JsonObject>,
  configDigest: Digest,
): JsonObject {
  const { acquisition, contentHash } = facts;
  const parts = new Map<string, JsonValue>([
    ['declaration', providerRecord(providerRecordOf(occurrence))],
    ['acquisition', acquisition],
    ['acquisition_identity_hash', snapshotIdentity(facts)],
    ...(contentHash === null ? [] : [['content_snapshot_hash', contentHash] as const]),
    ['installation_config_digest', configDigest],
  ]);
  return new Map([...parts, ['snapshot_hash', jsonDigest(parts)]]);
}

/** `acquisition_identity_hash` (documents.md §10): 64 hex digits, the same for two captures of the same content. */
export function snapshotIdentity({ acquisition, unidentified }: SnapshotFacts<JsonObject>): string {
  return sha256Hex(canonicalJson(new Map([...acquisition].filter(([member]) => !unidentified.includes(member)))));
}
