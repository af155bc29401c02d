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
  /** Only over HTTP are they used; a snapshot reports their digest everywhere. */
  readonly headers: readonly ParameterHeader[];
}

/** One page of a catalogue: every name, and the wanted tools. */
export interface CataloguePage {
  readonly ok: true;
  readonly names: readonly string[];
  readonly tools: readonly ListedTool[];
  /** Tools that cannot be used, where their server need not be refused for them; their names are left out too. */
  readonly leftOut: number;
  /** Canonical bytes of its tools. */
  readonly bytes: number;
  readonly scope: 'public' | 'private';
  readonly cursor: string | null;
}

const NAME = /^[^\s\u0000-\u001f\u007f]{1,128}$/u;
const DESCRIPTION_BYTES = 4096;
const SCHEMA_BYTES = 65_536;
const CURSOR_BYTES = 1024;

/** What of a page is looked at. */
export interface PageTerms {
  readonly isWanted: (upstream: string) => boolean;
  /** Wanted tools that cannot be used are left out, and descriptions that are too long are cut. */
  readonly leavesOut: boolean;
}

/**
 * Reads an answer to `tools/list`; tools that nobody wants are not interpreted (providers.md §7.3). Earlier revisions
 * say nothing of how long it may be kept, and no argument of theirs travels as a header.
 */
export function readPage(
  answer: Answer,
  { isWanted, leavesOut }: PageTerms,
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
    if (!isJsonObject(tool) || typeof name !== 'string' || !NAME.test(name)) {
      if (leavesOut) continue;
      return refusal('provider_protocol_error');
    }
    if (!isWanted(name)) {
      names.push(name);
      continue;
    }
    const listed = readTool(name, tool, { revision, cutsDescription: leavesOut });
    if (listed !== null) {
      names.push(name);
      wanted.push(listed);
    } else if (!leavesOut) return refusal('provider_protocol_error');
  }
  const scope = result.get('cacheScope') === 'public' ? 'public' : 'private';
  return {
    ok: true,
    names,
    tools: wanted,
    leftOut: tools.length - names.length,
    bytes: utf8Length(canonicalJson(tools)),
    scope,
    cursor: cursor ?? null,
  };
}

/** Some servers of earlier revisions write that there is no further page. */
function cursorOf(result: JsonObject, revision: Revision): JsonValue | undefined {
  const cursor = result.get('nextCursor');
  return isOlder(revision) && (cursor === null || cursor === '') ? undefined : cursor;
}

/** Null where the description or a schema of the tool cannot be used. */
function readTool(
  upstream: string,
  tool: JsonObject,
  { revision, cutsDescription }: { readonly revision: Revision; readonly cutsDescription: boolean },
): ListedTool | null {
  const said = tool.get('description');
  const description = cutsDescription && typeof said === 'string' ? cutText(said, DESCRIPTION_BYTES) : said;
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

/** The first characters of a text that have so many bytes at most. */
function cutText(text: string, bytes: number): string {
  if (utf8Length(text) <= bytes) return text;
  let [retained, rest] = ['', bytes];
  for (const character of text) {
    rest -= utf8Length(character);
    if (rest < 0) break;
    retained += character;
  }
  return retained;
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
