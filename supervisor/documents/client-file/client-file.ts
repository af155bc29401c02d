import { documentLimits, parseJsonText } from '../../../contract/json/parse.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { strictJson } from './strict-json.ts';

/** Bytes of one configuration of a client: those of a large user file with its history beside the servers. */
export const CLIENT_FILE_BYTES = 4_194_304;

/** A server as a client's configuration has it. */
export interface ClientServer {
  readonly name: string;
  readonly fields: JsonObject;
}

export type ClientFile =
  | { readonly ok: true; readonly servers: readonly ClientServer[] }
  /** `fault`: what a person has to mend; nothing of the file is in it. */
  | { readonly ok: false; readonly fault: string };

/** Where clients keep their servers: by the path of members that leads to them. */
const PLACES: readonly (readonly string[])[] = [
  // `.mcp.json`, Claude Desktop, Cursor.
  ['mcpServers'],
  // `mcp.json` of VS Code.
  ['servers'],
  // Its settings.
  ['mcp', 'servers'],
];

/** The servers of a client's configuration (world.md §2.3). Comments and trailing commas are allowed, as editors do. */
export function readClientFile(bytes: Uint8Array): ClientFile {
  if (bytes.length > CLIENT_FILE_BYTES) return { ok: false, fault: `it is larger than ${CLIENT_FILE_BYTES} bytes` };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, fault: 'it is not UTF-8' };
  }
  const parsed = parseJsonText(strictJson(text), documentLimits(CLIENT_FILE_BYTES));
  if (!parsed.ok) {
    const { kind } = parsed.fault;
    return { ok: false, fault: kind === 'duplicate_key' ? 'it has a member twice' : 'its JSON is broken' };
  }
  const root = valueOf(parsed.root);
  const found = PLACES.map((place) => memberAt(root, place)).find((servers) => servers !== null) ?? null;
  if (found === null)
    return { ok: false, fault: 'it has neither "mcpServers" nor "servers", where clients keep their servers' };
  const servers = [...found].map(([name, fields]) => (isJsonObject(fields) ? { name, fields } : null));
  const whole = servers.filter((server) => server !== null);
  return whole.length < servers.length
    ? { ok: false, fault: 'one of its servers is no object' }
    : { ok: true, servers: whole };
}

function memberAt(root: JsonValue, place: readonly string[]): JsonObject | null {
  let value: JsonValue | undefined = root;
  for (const name of place) value = isJsonObject(value) ? value.get(name) : undefined;
  return isJsonObject(value) ? value : null;
}
