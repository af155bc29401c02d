import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { compareUtf8, utf8Length } from '../../../contract/json/utf8.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { GATEWAY_ANSWER_BYTES } from '../http/answers.ts';
import { parameterHeaders, type ParameterHeader } from '../protocol/parameter-headers.ts';
import { LIST_CACHE } from '../../../contract/mcp/discovery.ts';
import { resultText } from '../../../contract/mcp/rpc.ts';

/** What a tool is known by beside its contracts. */
export interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly readsOnly: boolean;
  /** Whether a call may ask a person. */
  readonly asks: boolean;
  readonly contentDigest: string;
  readonly effectiveDigest: string;
}

/** One entry of the list. */
export interface ToolEntry {
  readonly name: string;
  /** Canonical JSON. */
  readonly text: string;
  readonly headers: readonly ParameterHeader[];
}

/** What a client reads of a tool whose calls may ask a person (approvals.md §6). */
export const ASKS = ['svc/approval', true] as const;

/** Bytes of one schema (documents.md §8). */
const SCHEMA_BYTES = 65_536;
const SHA256_PATTERN = '^sha256:[0-9a-f]{64}$';

/**
 * The entry of a tool from its contracts as plain JSON Schema; null where one is too large, or an annotation of a
 * header breaks its rule.
 */
export function toolEntry(
  { name, title, description, readsOnly, asks, contentDigest, effectiveDigest }: ToolFacts,
  contracts: { readonly input: unknown; readonly result: unknown },
): ToolEntry | null {
  const [input, output] = [projected(contracts.input), projected(contracts.result)];
  if (input === null || output === null) return null;
  const headers = parameterHeaders(input);
  if (headers === null) return null;
  const text = canonicalJson(
    new Map<string, JsonValue>([
      ['name', name],
      ['title', title],
      ['description', description],
      ['inputSchema', input],
      ['outputSchema', output],
      ['annotations', new Map([['readOnlyHint', readsOnly]])],
      [
        '_meta',
        new Map<string, JsonValue>([
          ...(asks ? [ASKS] : []),
          [
            'svc/identity',
            new Map([
              ['application_content_digest', contentDigest],
              ['effective_application_digest', effectiveDigest],
            ]),
          ],
        ]),
      ],
    ]),
  );
  return { name, text, headers };
}

/** As the protocol wants it: an object at the root, and no format of ours. */
function projected(contract: unknown): JsonObject | null {
  const schema = jsonFromPlain(contract);
  if (!isJsonObject(schema) || utf8Length(canonicalJson(schema)) > SCHEMA_BYTES) return null;
  const shown = withoutFormats(schema);
  return shown.has('type') ? shown : new Map<string, JsonValue>([...shown, ['type', 'object']]);
}

function withoutFormats(schema: JsonObject): JsonObject {
  const members = [...schema].map(([keyword, value]): [string, JsonValue] =>
    keyword === 'format' && value === 'sha256' ? ['pattern', SHA256_PATTERN] : [keyword, shownKeyword(keyword, value)],
  );
  return new Map(members);
}

function shownKeyword(keyword: string, value: JsonValue): JsonValue {
  const shown = (child: JsonValue): JsonValue => (isJsonObject(child) ? withoutFormats(child) : child);
  if (keyword === 'properties' && isJsonObject(value))
    return new Map([...value].map(([name, child]) => [name, shown(child)]));
  if (keyword === 'oneOf' && isJsonArray(value)) return value.map(shown);
  return keyword === 'items' || keyword === 'additionalProperties' ? shown(value) : value;
}

/** The list, encoded once: what every answer is but for its id. */
export interface RenderedToolCatalogue {
  readonly modern: string;
  readonly legacy: string;
}

/** The longest id there may be: every byte of it escaped. */
const WORST_ID = '\u0001'.repeat(256);

/**
 * The list in byte order of the names; null where it is too large for an answer. `server`: `_meta` of every result,
 * canonical JSON.
 */
export function renderToolCatalogue(entries: readonly ToolEntry[], server: string): RenderedToolCatalogue | null {
  const tools = `[${entries
    .toSorted((left, right) => compareUtf8(left.name, right.name))
    .map(({ text }) => text)
    .join(',')}]`;
  const modern = `{"_meta":${server},"cacheScope":"${LIST_CACHE.cacheScope}","resultType":"complete","tools":${tools},"ttlMs":${LIST_CACHE.ttlMs}}`;
  if (utf8Length(resultText(WORST_ID, modern)) > GATEWAY_ANSWER_BYTES) return null;
  return { modern, legacy: `{"tools":${tools}}` };
}
