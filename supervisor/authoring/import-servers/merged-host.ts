import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { JsonNode, ObjectNode } from '../../../contract/json/node.ts';
import { documentLimits, parseJson } from '../../../contract/json/parse.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';

/** What is added to a host document: nothing of these names is in it. */
export interface HostAdditions {
  readonly install: JsonObject;
  readonly credentials: JsonObject;
}

const INDENT = '  ';

/** The text of a host document with these and nothing else. */
export function newHost({ install, credentials }: HostAdditions): string {
  const host = new Map<string, JsonValue>([
    ['install', install],
    ...(credentials.size === 0 ? [] : [['credentials', credentials] as const]),
  ]);
  return `${layout(host, '')}\n`;
}

/**
 * The same bytes with the additions among them: nothing that is there is written again, so that none of it can be lost.
 * Null where the text is no object with an object `install`.
 */
export function mergedHost(bytes: Uint8Array, { install, credentials }: HostAdditions): string | null {
  const parsed = parseJson(bytes, documentLimits(MAX_BYTES.host));
  if (!parsed.ok || parsed.root.kind !== 'object') return null;
  const { root } = parsed;
  const place = memberOf(root, 'install');
  const declared = memberOf(root, 'credentials');
  if (place?.kind !== 'object' || (declared !== null && declared.kind !== 'object')) return null;
  const edits = [
    insertion(bytes, place, install, INDENT),
    declared === null
      ? insertion(bytes, root, credentials.size === 0 ? new Map() : new Map([['credentials', credentials]]), '')
      : insertion(bytes, declared, credentials, INDENT),
  ].filter((edit) => edit !== null);
  let merged = Buffer.from(bytes);
  // From behind, so that the places before stay where they are.
  for (const { from, to, text } of edits.toSorted((left, right) => right.from - left.from))
    merged = Buffer.concat([merged.subarray(0, from), Buffer.from(text), merged.subarray(to)]);
  return merged.toString('utf8');
}

function memberOf(object: ObjectNode, key: string): JsonNode | null {
  return object.members.find((member) => member.key === key)?.value ?? null;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Members behind the last of an object whose own lines begin with `indent`; null for none. */
function insertion(bytes: Uint8Array, object: ObjectNode, members: JsonObject, indent: string): Edit | null {
  if (members.size === 0) return null;
  const lines = [...members].map(
    ([key, value]) => `${indent}${INDENT}${canonicalJson(key)}: ${layout(value, `${indent}${INDENT}`)}`,
  );
  const last = object.members.at(-1);
  const from = last === undefined ? object.start + 1 : last.value.end;
  const behind = Buffer.from(bytes.subarray(from, object.end - 1)).toString('utf8');
  const isOnLines = behind.includes('\n');
  return {
    from,
    // What was between the last member and the brace is kept where the brace is on a line of its own.
    to: isOnLines ? from : object.end - 1,
    text: `${last === undefined ? '' : ','}\n${lines.join(',\n')}${isOnLines ? '' : `\n${indent}`}`,
  };
}

/** JSON on lines; what has no objects in it on one. */
function layout(value: JsonValue, indent: string): string {
  if (isJsonArray(value)) {
    if (!value.some((item) => isJsonObject(item))) return `[${value.map((item) => canonicalJson(item)).join(', ')}]`;
    return `[${value.map((item) => layout(item, indent)).join(', ')}]`;
  }
  if (!isJsonObject(value)) return canonicalJson(value);
  const members = [...value];
  const isFlat = members.every(([, member]) => !isJsonObject(member) && !isJsonArray(member));
  if (isFlat)
    return `{${members.map(([key, member]) => `${canonicalJson(key)}: ${canonicalJson(member)}`).join(', ')}}`;
  const inner = `${indent}${INDENT}`;
  return `{\n${members.map(([key, member]) => `${inner}${canonicalJson(key)}: ${layout(member, inner)}`).join(',\n')}\n${indent}}`;
}
