import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { parseJson } from '../../../contract/json/parse.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { readServerAnswer } from './answer.ts';
import { hashOf } from './discovery.ts';
import { isText } from './members.ts';
import { MESSAGE_BYTES_IN, MESSAGE_DEPTH, OLDER_REVISIONS, type OlderRevision } from './revision.ts';

/** What a server said to `initialize` (world.md §2.1). */
export type Initialization =
  | { readonly kind: 'begun'; readonly revision: OlderRevision; readonly serverInfoHash: string }
  /** It speaks none of ours. */
  | { readonly kind: 'unsupported' }
  /** It refuses; `offered`: those of ours that it says it speaks, the newest first. */
  | { readonly kind: 'refused'; readonly offered: readonly OlderRevision[] }
  | { readonly kind: 'malformed' };

/** Reads the answer to the request of that id. `status`: of HTTP, null over any other transport. */
export function readInitialization(bytes: Uint8Array, id: number, status: number | null): Initialization {
  const answer = readServerAnswer(bytes, id);
  const isRefused = status !== null && status !== 200;
  if (answer === null && !isRefused) return { kind: 'malformed' };
  if (answer === null || answer.kind === 'error' || isRefused) return { kind: 'refused', offered: offeredIn(bytes) };
  const { result } = answer;
  const [version, capabilities, info] = ['protocolVersion', 'capabilities', 'serverInfo'].map((name) =>
    result.get(name),
  );
  if (!isText(version, 1, 64)) return { kind: 'malformed' };
  const revision = OLDER_REVISIONS.find((known) => known === version);
  if (revision === undefined) return { kind: 'unsupported' };
  const isSound =
    isJsonObject(capabilities) &&
    isJsonObject(capabilities.get('tools')) &&
    isJsonObject(info) &&
    isText(info.get('name'), 0, 256) &&
    isText(info.get('version'), 0, 128);
  return isSound ? { kind: 'begun', revision, serverInfoHash: hashOf(info) } : { kind: 'malformed' };
}

/** A refusal may name what the server speaks instead: `error.data.supported`. */
function offeredIn(bytes: Uint8Array): readonly OlderRevision[] {
  const parsed = parseJson(bytes, { bytes: MESSAGE_BYTES_IN, depth: MESSAGE_DEPTH, nodes: Number.MAX_SAFE_INTEGER });
  const supported = memberOf(memberOf(memberOf(parsed.ok ? valueOf(parsed.root) : null, 'error'), 'data'), 'supported');
  return isJsonArray(supported) ? OLDER_REVISIONS.filter((known) => supported.includes(known)) : [];
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value.get(name) : undefined;
}
