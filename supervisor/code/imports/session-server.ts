import { isAbsolute, resolve } from 'node:path';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { EVERY_TOOL, kebabName } from '../../../contract/tool-mapping.ts';
import type { ClientServer } from '../../documents/client-file/client-file.ts';
import { RESERVED_HEADER } from '../../documents/host/sources/http-address.ts';
import { RESERVED_VARIABLES } from '../../documents/host/sources/mcp.ts';
import { expandReferences, type ExpansionPlaces } from './expand.ts';
import { startsSvcCode, type OwnProgram } from './own-entry.ts';

/** What servers are imported for a session with. */
export interface SessionImport {
  readonly places: ExpansionPlaces;
  readonly own: OwnProgram;
  /** `readOnlyHint` is believed. */
  readonly trustsAnnotations: boolean;
  /** Milliseconds from the start of a server to its first answer. */
  readonly startMs: number;
  /** Variables of an environment file; null where it cannot be read. */
  readonly readEnvironmentFile: (path: string) => Promise<ReadonlyMap<string, string> | null>;
}

/** A server as an installation of a host document that is written nowhere. */
export interface SessionServer {
  readonly ok: true;
  readonly alias: string;
  readonly installation: JsonObject;
  /** Literal, by name. */
  readonly credentials: ReadonlyMap<string, string>;
  /** Values of variables that are elsewhere in it: no answer may repeat them. */
  readonly secrets: readonly string[];
  /** Members that nothing here corresponds to. */
  readonly ignored: readonly string[];
}

export interface SkippedServer {
  readonly ok: false;
  /** No value of the configuration is in it. */
  readonly reason: string;
}

/** One call of a tool, at most; the start of its server has a bound of its own. */
const CALL_MS = 300_000;

/** Set for servers that a session starts: svc among them imports nothing. */
export const DEPTH_VARIABLE = 'SVC_CODE_DEPTH';

const TYPES: ReadonlySet<string> = new Set(['stdio', 'http', 'streamable-http', 'streamable_http', 'streamableHttp']);
const KNOWN: ReadonlySet<string> = new Set(
  (
    'type command args env envFile cwd url serverUrl headers disabled enabled ' +
    'name description gallery version autoApprove alwaysAllow disabledTools tools timeout'
  ).split(' '),
);

/**
 * A server of a client's configuration as a session starts it (code-mode.md §3). Values stay in memory, as literal
 * credentials; every tool is mapped.
 */
export async function sessionServer(
  { name, fields }: ClientServer,
  sessionImport: SessionImport,
): Promise<SessionServer | SkippedServer> {
  const alias = kebabName(name)?.replaceAll('.', '-') ?? null;
  if (alias === null) return leftOut('its name gives none that programs can use: rename it');
  if (fields.get('disabled') === true || fields.get('enabled') === false) return leftOut('it is switched off');
  const type = fields.get('type');
  if (type === 'sse')
    return leftOut('its transport is the old one of events (sse): give the address of its streamable HTTP');
  if (type !== undefined && !(typeof type === 'string' && TYPES.has(type)))
    return leftOut('its type is none of stdio, http and streamable-http');
  const url = fields.get('url') ?? fields.get('serverUrl');
  const isHttp = type === undefined ? url !== undefined : type !== 'stdio';
  const bound = new BoundValues(alias, sessionImport.places);
  const transport = isHttp ? httpTransport(fields, url, bound) : await stdioTransport(fields, bound, sessionImport);
  if ('reason' in transport) return leftOut(transport.reason);
  const row = new Map<string, JsonValue>([
    ['effect', sessionImport.trustsAnnotations ? 'annotations' : 'write'],
    ['error_feedback', 'bounded'],
    ['model_visible', true],
  ]);
  const installation = new Map<string, JsonValue>([
    ['source', 'mcp'],
    ['installation_revision', 'r1'],
    ['transport', transport],
    ['tools', new Map([[EVERY_TOOL, row]])],
    ['ceilings', new Map([['timeout_ms', CALL_MS]])],
  ]);
  const ignored = [...fields.keys()].filter((key) => !KNOWN.has(key));
  return { ok: true, alias, installation, credentials: bound.credentials, secrets: bound.secrets, ignored };
}

type Transport = JsonObject | { readonly reason: string };

function leftOut(reason: string): SkippedServer {
  return { ok: false, reason };
}

/** Texts of one server with their references in place, and the credentials that they become. */
class BoundValues {
  readonly credentials = new Map<string, string>();
  readonly secrets: string[] = [];
  readonly #alias: string;
  readonly #places: ExpansionPlaces;

  constructor(alias: string, places: ExpansionPlaces) {
    this.#alias = alias;
    this.#places = places;
  }

  get workspace(): string {
    return this.#places.workspace;
  }

  /** A text that is not bound, and is a part of what is started or asked. */
  expand(text: string): string | { readonly reason: string } {
    const expanded = expandReferences(text, this.#places);
    if (!expanded.ok) return { reason: expanded.reason };
    this.secrets.push(...expanded.values);
    return expanded.text;
  }

  bindValue(value: string): string | null {
    if (value === '') return null;
    const name = `${this.#alias}-${this.credentials.size + 1}`;
    this.credentials.set(name, value);
    return name;
  }
}

async function stdioTransport(
  fields: JsonObject,
  bound: BoundValues,
  sessionImport: SessionImport,
): Promise<Transport> {
  const [command, args] = [fields.get('command'), fields.get('args') ?? []];
  if (typeof command !== 'string' || command === '') return { reason: 'it has neither a command nor a url' };
  if (!isJsonArray(args) || !args.every((item) => typeof item === 'string'))
    return { reason: 'its args are no list of texts' };
  const words: string[] = [];
  for (const text of [command, ...args]) {
    const word = bound.expand(text);
    if (typeof word === 'object') return word;
    words.push(word);
  }
  if (startsSvcCode(words, sessionImport.own))
    return { reason: 'it starts svc code, which would start itself without end' };
  const cwd = fields.get('cwd');
  const directory = cwd === undefined ? bound.workspace : typeof cwd === 'string' ? bound.expand(cwd) : null;
  if (directory === null) return { reason: 'its cwd is no path' };
  if (typeof directory === 'object') return directory;
  const absolute = resolve(bound.workspace, directory);
  const variables = await variablesOf(fields, bound, sessionImport);
  if ('reason' in variables) return variables;
  const [program = '', ...rest] = words;
  return new Map<string, JsonValue>([
    ['type', 'stdio'],
    // A relative command means one of the project.
    ['command', program.includes('/') && !isAbsolute(program) ? resolve(absolute, program) : program],
    ...(rest.length === 0 ? [] : [['args', rest] as const]),
    ['cwd', absolute],
    ['env', variables],
    ['start_timeout_ms', sessionImport.startMs],
  ]);
}

async function variablesOf(fields: JsonObject, bound: BoundValues, sessionImport: SessionImport): Promise<Transport> {
  const values = new Map<string, string>();
  const file = fields.get('envFile');
  if (file !== undefined) {
    const path = typeof file === 'string' ? bound.expand(file) : { reason: 'its envFile is no path' };
    if (typeof path === 'object') return path;
    const read = await sessionImport.readEnvironmentFile(resolve(bound.workspace, path));
    if (read === null) return { reason: 'its envFile cannot be read' };
    for (const [name, value] of read) values.set(name, value);
  }
  const env = textMap(fields.get('env'));
  if (env === null) return { reason: 'its env is no map of texts' };
  for (const [name, text] of env) {
    const expanded = bound.expand(text);
    if (typeof expanded === 'object') return expanded;
    values.set(name, expanded);
  }
  values.set(DEPTH_VARIABLE, '1');
  const variables = new Map<string, JsonValue>();
  for (const [name, value] of values) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { reason: 'a name in its env is none of a variable' };
    const credential = RESERVED_VARIABLES.has(name) ? null : bound.bindValue(value);
    if (credential !== null) variables.set(name, new Map([['binding', credential]]));
  }
  return variables;
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function httpTransport(fields: JsonObject, url: JsonValue | undefined, bound: BoundValues): Transport {
  if (typeof url !== 'string') return { reason: 'it has no url' };
  const text = bound.expand(url);
  if (typeof text === 'object') return text;
  const address = URL.parse(text);
  if (address === null) return { reason: 'its url is none' };
  const isPlain = address.protocol === 'http:';
  if (isPlain && !LOOPBACK.has(address.hostname))
    return { reason: 'its url has to begin with https, as it is of another machine' };
  if (address.hostname === 'localhost' && isPlain) address.hostname = '127.0.0.1';
  const headers = textMap(fields.get('headers'));
  if (headers === null) return { reason: 'its headers are no map of texts' };
  const auth = authOf(headers, bound);
  if ('reason' in auth) return auth;
  if (isPlain && auth.length > 0) return { reason: 'credentials travel by https alone, and its url begins with http' };
  return new Map<string, JsonValue>([
    ['type', 'streamable_http'],
    ['endpoint', isPlain ? address.href : text],
    ...(isPlain ? [['allow_insecure_loopback', true] as const] : []),
    ...(auth.length === 0 ? [] : [['auth', auth] as const]),
  ]);
}

function authOf(
  headers: ReadonlyMap<string, string>,
  bound: BoundValues,
): readonly JsonObject[] | { readonly reason: string } {
  const auth: JsonObject[] = [];
  for (const [header, text] of headers) {
    const lower = header.toLowerCase();
    if (lower !== 'authorization' && (RESERVED_HEADER.test(lower) || lower === 'accept')) continue;
    const expanded = bound.expand(text);
    if (typeof expanded === 'object') return expanded;
    if (lower === 'authorization') {
      const [, scheme, value = ''] = /^(bearer|basic)\s+(\S.*)$/is.exec(expanded.trim()) ?? [];
      if (scheme === undefined) return { reason: 'its Authorization header has another scheme than Bearer and Basic' };
      const binding = bound.bindValue(value.trim());
      if (binding !== null)
        auth.push(
          new Map([
            ['scheme', scheme.toLowerCase()],
            ['binding', binding],
          ]),
        );
    } else {
      const binding = bound.bindValue(expanded);
      if (binding !== null)
        auth.push(
          new Map([
            ['scheme', 'api_key'],
            ['binding', binding],
            ['header', header],
          ]),
        );
    }
  }
  return auth;
}

/** Null for what is none. Numbers and booleans are texts to a process. */
function textMap(value: JsonValue | undefined): ReadonlyMap<string, string> | null {
  if (value === undefined || value === null) return new Map();
  if (!isJsonObject(value)) return null;
  const texts = new Map<string, string>();
  for (const [name, item] of value) {
    if (typeof item !== 'string' && typeof item !== 'number' && typeof item !== 'boolean') return null;
    texts.set(name, `${item}`);
  }
  return texts;
}
