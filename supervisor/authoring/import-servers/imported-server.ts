import { isAbsolute, resolve } from 'node:path';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { EVERY_TOOL, kebabName } from '../../../contract/tool-mapping.ts';
import { RESERVED_HEADER } from '../../documents/host/sources/http-address.ts';
import { RESERVED_VARIABLES } from '../../documents/host/sources/mcp.ts';
import { variableName, type BoundCredential, type BoundCredentials } from './bound-credentials.ts';
import type { ClientServer } from '../../documents/client-file/client-file.ts';
import { expanded, configuredValue, type ClientFolders } from './expansion.ts';
import { isSecretName, mayHoldSecret, secretArgument } from './secret-texts.ts';

/** Where a server is imported from and to. */
export interface ImportPlaces extends ClientFolders {
  /** Of the host document; absolute. */
  readonly hostDirectory: string;
}

/** A server as the host document will have it. */
export interface ImportedServer {
  readonly ok: true;
  readonly alias: string;
  readonly installation: JsonObject;
  /** Credentials that it takes, each with the member that it was given by. */
  readonly bound: readonly (BoundCredential & { readonly member: string })[];
  /** What is different from what the client does, and what is left to do. */
  readonly notes: readonly string[];
}

/** `reason`: why it cannot be imported, and what to do; no value of the configuration is in it. */
export type ServerImport = ImportedServer | LeftOut;

export interface LeftOut {
  readonly ok: false;
  readonly reason: string;
}

/** Package runners fetch what they start, which a first start has to wait for. */
const STEP_MS = 60_000;
/** Members of every form that say nothing of how a server is reached. */
const KNOWN: ReadonlySet<string> = new Set(
  (
    'type command args env envFile cwd url serverUrl headers disabled enabled ' +
    'name description gallery version autoApprove alwaysAllow disabledTools tools timeout'
  ).split(' '),
);

/**
 * A server of a client as an installation whose tools are all mapped (world.md §2.3). Values are bound, never copied.
 */
export function importServer(
  { name, fields }: ClientServer,
  places: ImportPlaces,
  credentials: BoundCredentials,
): ServerImport {
  const alias = kebabName(name);
  if (alias === null) return leftOut('its name gives none that an installation can have: rename it');
  if (fields.get('disabled') === true || fields.get('enabled') === false) return leftOut('it is switched off');
  const type = fields.get('type');
  const url = fields.get('url') ?? fields.get('serverUrl');
  if (type === 'sse')
    return leftOut(
      'its transport is the old one of events (sse): give the address of its streamable HTTP, type "http"',
    );
  if (type !== undefined && !(typeof type === 'string' && TYPES.has(type)))
    return leftOut('its type is none of stdio, http and streamable-http');
  const isHttp = type === undefined ? url !== undefined : type !== 'stdio';
  const importing: Importing = { alias, fields, places, credentials, bound: [], notes: unknownNotes(fields) };
  const transport = isHttp ? httpTransport(importing, url) : stdioTransport(importing);
  if ('reason' in transport) return { ok: false, reason: transport.reason };
  const installation = new Map<string, JsonValue>([
    ['source', 'mcp'],
    ['installation_revision', 'r1'],
    // Nobody has judged its tools yet, and each counts as writing.
    ['approval', 'writes'],
    ['transport', transport],
    [
      'tools',
      new Map([
        [
          EVERY_TOOL,
          new Map<string, JsonValue>([
            ['effect', 'write'],
            ['model_visible', true],
          ]),
        ],
      ]),
    ],
    ['ceilings', new Map([['timeout_ms', STEP_MS]])],
  ]);
  return { ok: true, alias, installation, bound: importing.bound, notes: importing.notes };
}

const TYPES: ReadonlySet<string> = new Set(['stdio', 'http', 'streamable-http', 'streamable_http', 'streamableHttp']);

interface Importing {
  readonly alias: string;
  readonly fields: JsonObject;
  readonly places: ImportPlaces;
  readonly credentials: BoundCredentials;
  readonly bound: (BoundCredential & { readonly member: string })[];
  readonly notes: string[];
}

type Transport = JsonObject | { readonly reason: string };

function leftOut(reason: string): LeftOut {
  return { ok: false, reason };
}

function unknownNotes(fields: JsonObject): string[] {
  const unknown = [...fields.keys()].filter((key) => !KNOWN.has(key));
  const isAuthorised = unknown.includes('oauth') || unknown.includes('auth');
  return [
    ...(unknown.length === 0 ? [] : [`left out, since nothing here corresponds to it: ${unknown.join(', ')}`]),
    ...(isAuthorised ? ['a person has to authorise it: add oauth to its transport'] : []),
  ];
}

function stdioTransport(importing: Importing): Transport {
  const { fields, places, notes } = importing;
  const [command, args] = [fields.get('command'), fields.get('args') ?? []];
  if (typeof command !== 'string' || command === '') return { reason: 'it has neither a command nor a url' };
  if (!isTextList(args)) return { reason: 'its args are no list of texts' };
  const env = textMap(fields.get('env'));
  if (env === null) return { reason: 'its env is no map of texts' };
  const [commandText, ...argTexts] = [command, ...args].map((text) => expanded(text, places, (name) => env.has(name)));
  const unexpanded = argTexts.findIndex((text) => text === null);
  if (commandText === undefined || commandText === null)
    return { reason: 'its command refers to a value that would have to be copied' };
  if (unexpanded !== -1)
    return { reason: `args[${unexpanded}] refers to a value that would have to be copied: hand it over by env` };
  const written = argTexts.filter((text) => text !== null);
  const repeated = written.findIndex((arg) => [...env.values()].some((value) => isRepeated(arg, value)));
  const secret = repeated === -1 ? secretArgument(written) : repeated;
  if (secret !== -1) return { reason: `args[${secret}] may hold a secret, which is never copied: hand it over by env` };
  if (mayHoldSecret(commandText)) return { reason: 'its command may hold a secret, which is never copied' };
  const directory = directoryOf(importing);
  if (typeof directory === 'object') return directory;
  const variables = bindVariables(importing, env);
  if ('reason' in variables) return variables;
  const envFile = fields.get('envFile');
  if (envFile !== undefined)
    notes.push('its envFile is not read: bind what it needs under env, and name the file with --env-file');
  return new Map<string, JsonValue>([
    ['type', 'stdio'],
    // A relative command means one of the project.
    ['command', commandText.includes('/') && !isAbsolute(commandText) ? resolve(directory, commandText) : commandText],
    ...(written.length === 0 ? [] : [['args', written] as const]),
    ...(directory === places.hostDirectory ? [] : [['cwd', directory] as const]),
    ...(variables.size === 0 ? [] : [['env', variables] as const]),
  ]);
}

/** Of an argument that repeats a variable's value, however short that is an ordinary word. */
function isRepeated(arg: string, value: string): boolean {
  return value.length >= REPEATED_LENGTH_MIN && !value.startsWith('${') && arg.includes(value);
}

const REPEATED_LENGTH_MIN = 8;

function directoryOf({ fields, places }: Importing): string | { readonly reason: string } {
  const cwd = fields.get('cwd');
  if (cwd === undefined) return places.workspace;
  const text = typeof cwd === 'string' ? expanded(cwd, places, () => false) : null;
  return text === null ? { reason: 'its cwd is no path that can be copied' } : resolve(places.workspace, text);
}

function bindVariables({ alias, credentials, bound, notes }: Importing, env: ReadonlyMap<string, string>): Transport {
  const variables = new Map<string, JsonValue>();
  for (const [name, text] of env) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return { reason: 'a name in its env is none of a variable' };
    if (RESERVED_VARIABLES.has(name)) {
      notes.push(`${name} is left out: a server inherits it`);
      continue;
    }
    const credential = credentials.bind(alias, name, configuredValue(text));
    bound.push({ ...credential, member: `env.${name}` });
    variables.set(name, new Map([['binding', credential.credential]]));
  }
  return variables;
}

function httpTransport(importing: Importing, url: JsonValue | undefined): Transport {
  const { fields, places } = importing;
  const text = typeof url === 'string' ? expanded(url, places, () => false) : null;
  if (typeof url !== 'string') return { reason: 'it has no url' };
  if (text === null) return { reason: 'its url refers to a value that would have to be copied' };
  const address = URL.parse(text);
  if (address === null) return { reason: 'its url is none' };
  if (address.username !== '' || address.password !== '' || mayHoldSecret(text))
    return { reason: 'its url may hold a secret, which is never copied: hand it over by a header' };
  const headers = textMap(fields.get('headers'));
  if (headers === null) return { reason: 'its headers are no map of texts' };
  const isPlain = address.protocol === 'http:';
  if (isPlain && !LOOPBACK.has(address.hostname))
    return { reason: 'its url has to begin with https, as it is of another machine' };
  if (address.hostname === 'localhost' && isPlain) address.hostname = '127.0.0.1';
  const auth = bindHeaders(importing, headers);
  if ('reason' in auth) return auth;
  if (isPlain && auth.length > 0) return { reason: 'credentials travel by https alone, and its url begins with http' };
  return new Map<string, JsonValue>([
    ['type', 'streamable_http'],
    ['endpoint', isPlain ? address.href : text],
    ...(isPlain ? [['allow_insecure_loopback', true] as const] : []),
    ...(auth.length === 0 ? [] : [['auth', auth] as const]),
  ]);
}

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function bindHeaders(
  { alias, credentials, bound, notes }: Importing,
  headers: ReadonlyMap<string, string>,
): readonly JsonObject[] | { readonly reason: string } {
  const auth: JsonObject[] = [];
  for (const [header, text] of headers) {
    const member = `headers.${header}`;
    const lower = header.toLowerCase();
    const [, scheme, value = ''] = /^(bearer|basic)\s+(\S.*)$/is.exec(text.trim()) ?? [];
    if (lower === 'authorization') {
      const isReference = configuredValue(text.trim()).kind === 'variable';
      if (scheme === undefined && !isReference)
        return { reason: 'its Authorization header has another scheme than Bearer and Basic' };
      if (scheme === undefined)
        notes.push('the variable of its Authorization header holds the token, without "Bearer"');
      const input = configuredValue(scheme === undefined ? text.trim() : value.trim());
      const credential = credentials.bind(alias, `${variableName(alias)}_TOKEN`, input);
      bound.push({ ...credential, member });
      auth.push(
        new Map([
          ['scheme', scheme?.toLowerCase() ?? 'bearer'],
          ['binding', credential.credential],
        ]),
      );
    } else if (RESERVED_HEADER.test(lower) || lower === 'accept') {
      notes.push(`the header ${header} is left out: it is written for every request`);
    } else {
      const name = variableName(header);
      const own = variableName(alias);
      const credential = credentials.bind(alias, name.startsWith(own) ? name : `${own}_${name}`, configuredValue(text));
      bound.push({ ...credential, member });
      auth.push(
        new Map([
          ['scheme', 'api_key'],
          ['binding', credential.credential],
          ['header', header],
        ]),
      );
      if (!isSecretName(header))
        notes.push(`the header ${header} is sent as a credential, its value from the variable`);
    }
  }
  return auth;
}

function isTextList(value: JsonValue): value is readonly string[] {
  return isJsonArray(value) && value.every((item) => typeof item === 'string');
}

/** Null for what is none. Numbers and booleans are texts to a process. */
function textMap(value: JsonValue | undefined): ReadonlyMap<string, string> | null {
  if (value === undefined || value === null) return new Map();
  if (!isJsonObject(value)) return null;
  const texts = [...value].map(([name, item]) =>
    typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean'
      ? ([name, `${item}`] as const)
      : null,
  );
  const whole = texts.filter((text) => text !== null);
  return whole.length < texts.length ? null : new Map(whole);
}
