import { documentLimits, parseJsonText, type JsonFault } from '../../../contract/json/parse.ts';
import { linePosition } from '../../../contract/json/line-position.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { syntaxProblem } from '../syntax-problem.ts';
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
  /** `fault`: what a person has to mend; nothing of the file but names of servers is in it. */
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
  const strict = strictJson(text);
  const parsed = parseJsonText(strict, documentLimits(CLIENT_FILE_BYTES));
  if (!parsed.ok) {
    return { ok: false, fault: jsonFault(strict, parsed.fault) };
  }
  const root = valueOf(parsed.root);
  const found = PLACES.map((place) => memberAt(root, place)).find((servers) => servers !== null) ?? null;
  if (found === null)
    return { ok: false, fault: 'it has neither "mcpServers" nor "servers", where clients keep their servers' };
  const servers: ClientServer[] = [];
  for (const [name, fields] of found) {
    if (!isJsonObject(fields)) return { ok: false, fault: `its server ${JSON.stringify(name)} is no object` };
    servers.push({ name, fields });
  }
  return { ok: true, servers };
}

/** With the place, since spaces stand for what was no strict JSON. */
function jsonFault(strict: string, { kind, offset }: JsonFault): string {
  const bytes = new TextEncoder().encode(strict);
  const { problem, offset: at } = kind === 'syntax' ? syntaxProblem(bytes, offset) : { problem: FAULTS[kind], offset };
  const { line, column } = linePosition(bytes, at);
  return `its JSON is broken at line ${line}, column ${column}${problem === null ? '' : `: ${problem}`}`;
}

const FAULTS: Readonly<Record<Exclude<JsonFault['kind'], 'syntax'>, string>> = {
  duplicate_key: 'a member is there twice',
  encoding: 'the text is no well-formed Unicode',
  too_large: 'the document is too large',
  too_deep: 'values are nested too deep',
  too_many_nodes: 'it has too many values',
  too_many_digits: 'a number has too many digits',
};

function memberAt(root: JsonValue, place: readonly string[]): JsonObject | null {
  let value: JsonValue | undefined = root;
  for (const name of place) value = isJsonObject(value) ? value.get(name) : undefined;
  return isJsonObject(value) ? value : null;
}
