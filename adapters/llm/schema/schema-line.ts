import { canonicalJson } from '../../../contract/json/canonical.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { NeutralRequest } from '../request.ts';

/** Bytes of a schema that may be written into the system text (providers.md §5.3). */
const SCHEMA_BYTES_MAX = 16_384;

/** Whether a schema is short enough to be written into the system text. */
export function fitsSchemaLine(schema: JsonObject): boolean {
  return utf8Length(canonicalJson(schema)) <= SCHEMA_BYTES_MAX;
}

/**
 * A request whose system text says what JSON to answer with, for vendors that promise some JSON object and no more;
 * several of them refuse a request in that mode whose messages do not name JSON.
 */
export function withSchemaLine(request: NeutralRequest): NeutralRequest {
  if (request.schema === null) return request;
  const line = `Answer with one JSON object and nothing else. It must match this JSON Schema: ${canonicalJson(request.schema)}`;
  return { ...request, system: request.system === null ? line : `${request.system}\n\n${line}` };
}
