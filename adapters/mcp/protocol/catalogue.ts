import { canonicalJson, type JsonText } from '../../../contract/json/canonical.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { Answer } from './answer.ts';
import { hasCacheTerms, refusal, type Refused } from './discovery.ts';
import { isText } from './members.ts';
import { isOlder, type Revision } from './revision.ts';
import { parameterHeaders, type ParameterHeader } from './parameter-headers.ts';
import { isSchema } from './schema-form.ts';

/** A tool as its server describes it, checked. */
export interface ListedTool {
  readonly upstream: string;
  readonly description: string | null;
  readonly inputSchema: JsonText;
  readonly outputSchema: JsonText | null;
  /** The server says that it changes nothing: `readOnlyHint`. */
  readonly isReadOnly: boolean;
  /** Only over HTTP are they used; a snapshot tells their digest everywhere. */
  readonly headers: readonly ParameterHeader[];
}

/** One page of a catalogue: every name, and the wanted tools. */
export interface CataloguePage {
  readonly ok: true;
  readonly names: readonly string[];
  readonly tools: readonly ListedTool[];
  /** Canonical bytes of its tools. */
  readonly bytes: number;
  readonly scope: 'public' | 'private';
  readonly cursor: string | null;
}

const NAME = /^[^\s\u0000-\u001f\u007f]{1,128}$/u;
const DESCRIPTION_BYTES = 4096;
const SCHEMA_BYTES = 65_536;
const CURSOR_BYTES = 1024;

/**
 * Reads an answer to `tools/list`; tools that nobody wants are not interpreted (providers.md §7.3). Earlier revisions
 * say nothing of how long it may be kept, and no argument of theirs travels as a header.
 */
export function readPage(
  answer: Answer,
  isWanted: (upstream: string) => boolean,
  revision: Revision,
): CataloguePage | Refused {
  if (answer === null) return refusal('provider_protocol_error');
  if (answer.kind === 'error') return refusal('provider_unavailable');
  const { result } = answer;
  const tools = result.get('tools');
  const cursor = cursorOf(result, revision);
  const hasTerms = isOlder(revision) || hasCacheTerms(result);
  if (!hasTerms || !isJsonArray(tools) || !(cursor === undefined || isText(cursor, 1, CURSOR_BYTES)))
    return refusal('provider_protocol_error');
  const names: string[] = [];
  const wanted: ListedTool[] = [];
  for (const tool of tools) {
    const name = isJsonObject(tool) ? tool.get('name') : undefined;
    if (!isJsonObject(tool) || typeof name !== 'string' || !NAME.test(name)) return refusal('provider_protocol_error');
    names.push(name);
    if (!isWanted(name)) continue;
    const listed = readTool(name, tool, revision);
    if (listed === null) return refusal('provider_protocol_error');
    wanted.push(listed);
  }
  const scope = result.get('cacheScope') === 'public' ? 'public' : 'private';
  return { ok: true, names, tools: wanted, bytes: utf8Length(canonicalJson(tools)), scope, cursor: cursor ?? null };
}

/** Some servers of earlier revisions write that there is no further page. */
function cursorOf(result: JsonObject, revision: Revision): JsonValue | undefined {
  const cursor = result.get('nextCursor');
  return isOlder(revision) && (cursor === null || cursor === '') ? undefined : cursor;
}

/** Null where the description or a schema of the tool cannot be used. */
function readTool(upstream: string, tool: JsonObject, revision: Revision): ListedTool | null {
  const description = tool.get('description');
  const [input, output] = [tool.get('inputSchema'), tool.get('outputSchema')];
  if (
    !(description === undefined || isText(description, 0, DESCRIPTION_BYTES)) ||
    !isObjectSchema(input) ||
    !(output === undefined || isBoundedSchema(output))
  )
    return null;
  const headers = isOlder(revision) ? [] : parameterHeaders(input);
  if (headers === null) return null;
  return {
    upstream,
    description: description ?? null,
    inputSchema: canonicalJson(input),
    outputSchema: output === undefined ? null : canonicalJson(output),
    isReadOnly: saysReadOnly(tool.get('annotations')),
    headers,
  };
}

/** What is no annotation says nothing. */
function saysReadOnly(annotations: JsonValue | undefined): boolean {
  return isJsonObject(annotations) && annotations.get('readOnlyHint') === true;
}

/** Arguments are an object, and their schema says so. */
function isObjectSchema(schema: JsonValue | undefined): schema is JsonObject {
  return isBoundedSchema(schema) && schema.get('type') === 'object';
}

function isBoundedSchema(schema: JsonValue | undefined): schema is JsonObject {
  return isJsonObject(schema) && isSchema(schema) && utf8Length(canonicalJson(schema)) <= SCHEMA_BYTES;
}
