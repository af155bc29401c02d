import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { SnapshotFacts } from '../../../contract/provider-protocol/session.ts';
import { shortSnapshot } from './imported-provider.ts';

/** A server whose facts go into the trace of a run. */
export interface SnapshotServer {
  readonly alias: string;
  readonly snapshot: SnapshotFacts<JsonObject>;
  readonly isImported: boolean;
}

/** Bytes of all that a trace says of providers (evidence.md §3). */
const SNAPSHOTS_BYTES = 262_144;
/** Of what else is in the event: hashes, names, and what is declared of each provider. */
const EVENT_BYTES = 16_384;
const DECLARATION_BYTES = 1024;

/**
 * Imported servers whose lists of tools a trace has room for, by alias: the longest lists are left out first
 * (code-mode.md §3). `eventBytes`: of one event.
 */
export function listedServers(servers: readonly SnapshotServer[], eventBytes: number): ReadonlySet<string> {
  const sized = servers.map(({ alias, snapshot, isImported }) => ({
    alias,
    isImported,
    whole: bytesOf(snapshot),
    short: bytesOf(shortSnapshot(snapshot)),
  }));
  const listed = new Set(sized.flatMap(({ alias, isImported }) => (isImported ? [alias] : [])));
  let free = Math.min(SNAPSHOTS_BYTES, eventBytes - EVENT_BYTES);
  for (const { whole } of sized) free -= whole + DECLARATION_BYTES;
  for (const { alias, isImported, whole, short } of sized.toSorted((left, right) => right.whole - left.whole)) {
    if (free >= 0) break;
    if (!isImported) continue;
    listed.delete(alias);
    free += whole - short;
  }
  return listed;
}

function bytesOf({ acquisition }: SnapshotFacts<JsonObject>): number {
  return Buffer.byteLength(canonicalJson(acquisition));
}
