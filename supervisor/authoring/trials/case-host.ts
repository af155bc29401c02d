import { isAbsolute, relative, resolve } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';

/** A host document as it is written, and the folder from which its paths start; absolute. */
export interface WrittenHost {
  readonly directory: string;
  readonly document: JsonObject;
}

/** Where a host document that is made of another is to lie, and whether its paths are to move with it. */
export interface NewPlace {
  readonly directory: string;
  readonly paths: 'relative' | 'absolute';
}

/** Keys of an installation of recorded answers that a live one has, too. */
const POLICY = ['installation_revision', 'data_class', 'accepts_data'] as const;
const PER_CALL = ['max_cost_per_call', 'max_total_tokens_per_call', 'usage_guarantees'] as const;
const REPLAYED: ReadonlyMap<JsonValue, readonly [source: string, kept: readonly string[]]> = new Map([
  ['llm', ['llm_replay', POLICY]],
  ['llm_replay', ['llm_replay', POLICY]],
  ['decision', ['decision_replay', [...POLICY, ...PER_CALL]]],
  ['decision_replay', ['decision_replay', [...POLICY, ...PER_CALL]]],
]);

/** The same host with every model answered from `fixtures`, absolute, and with no credential but for tools. */
export function replayHost(host: WrittenHost, fixtures: string, place: NewPlace): JsonObject {
  return withInstallations(host, place, (installation) => {
    const source = installation.get('source') ?? null;
    const [replayed, stored] = REPLAYED.get(source) ?? [];
    if (replayed === undefined || stored === undefined) return installation;
    return new Map<string, JsonValue>([
      ['source', replayed],
      ...stored.flatMap((key): readonly (readonly [string, JsonValue])[] => {
        const value = installation.get(key);
        return value === undefined ? [] : [[key, value]];
      }),
      ['fixtures', pathIn(place, fixtures)],
    ]);
  });
}

/**
 * The same host with another model behind each alias of a model: the installation of that alias, or, by a selector,
 * another model of the same account. Null where the document has no such alias.
 */
export function hostWithModel(host: WrittenHost, model: string, place: NewPlace): JsonObject | null {
  const install = host.document.get('install');
  const named = install !== undefined && isJsonObject(install) ? install.get(model) : undefined;
  const isAlias = named !== undefined && isJsonObject(named) && named.get('source') === 'llm';
  if (!isAlias && !model.includes(':')) return null;
  return withInstallations(host, place, (installation) => {
    if (installation.get('source') !== 'llm') return installation;
    return isAlias ? named : new Map([...installation, ['model', model]]);
  });
}

/** The same host with a bound of what a run may cost, where it has none; null where it has one. */
export function hostWithCostLimit(host: WrittenHost, microusd: number, place: NewPlace): JsonObject | null {
  const limits = host.document.get('limits') ?? new Map<string, JsonValue>();
  if (!isJsonObject(limits) || limits.has('llm_cost_microusd')) return null;
  const moved = withInstallations(host, place, (installation) => installation);
  return new Map([...moved, ['limits', new Map([...limits, ['llm_cost_microusd', microusd]])]]);
}

/** Aliases of the models of a host document. */
export function modelAliases({ document }: WrittenHost): readonly string[] {
  const install = document.get('install');
  if (install === undefined || !isJsonObject(install)) return [];
  return [...install].flatMap(([alias, one]) => (isJsonObject(one) && one.get('source') === 'llm' ? [alias] : []));
}

/**
 * Aliases among `selected` that reach over a network: models and decisions asked live, and tools that are no process of
 * this machine.
 */
export function networkAliases({ document }: WrittenHost, selected: ReadonlySet<string>): readonly string[] {
  const install = document.get('install');
  if (install === undefined || !isJsonObject(install)) return [];
  return [...install].flatMap(([alias, installation]) =>
    selected.has(alias) && isJsonObject(installation) && isRemote(installation) ? [alias] : [],
  );
}

function isRemote(installation: JsonObject): boolean {
  const source = installation.get('source');
  if (source === 'llm' || source === 'decision' || source === 'openapi') return true;
  const transport = installation.get('transport');
  return source === 'mcp' && transport !== undefined && isJsonObject(transport) && transport.get('type') !== 'stdio';
}

function withInstallations(
  { directory, document }: WrittenHost,
  place: NewPlace,
  change: (installation: JsonObject) => JsonObject,
): JsonObject {
  const moved = (path: string): string => pathIn(place, resolve(directory, path));
  const folder = (path: string): string => folderIn(place, resolve(directory, path));
  return new Map(
    [...document].map(([key, value]): [string, JsonValue] => {
      if (!isJsonObject(value)) return [key, value];
      if (key === 'install') return [key, mapped(value, (one) => change(movedInstallation(one, { moved, folder })))];
      if (key === 'credentials') return [key, mapped(value, (one) => withPath(one, 'file', moved))];
      return [key, key === 'network' ? withPath(value, 'ca_file', moved) : value];
    }),
  );
}

function mapped(members: JsonObject, change: (member: JsonObject) => JsonObject): JsonObject {
  return new Map([...members].map(([name, member]) => [name, isJsonObject(member) ? change(member) : member]));
}

/** Paths of an installation start at the folder of its document. */
function movedInstallation(
  installation: JsonObject,
  { moved, folder }: { readonly moved: (path: string) => string; readonly folder: (path: string) => string },
): JsonObject {
  const source = installation.get('source');
  if (source === 'mcp') {
    const transport = installation.get('transport');
    if (transport === undefined || !isJsonObject(transport) || transport.get('type') !== 'stdio') return installation;
    const cwd = transport.get('cwd');
    const at = folder(typeof cwd === 'string' ? cwd : '.');
    return new Map([...installation, ['transport', new Map([...transport, ['cwd', at]])]]);
  }
  if (source === 'openapi') {
    const described = installation.get('document');
    if (described === undefined || !isJsonObject(described)) return installation;
    return new Map([...installation, ['document', withPath(described, 'path', moved)]]);
  }
  return withPath(withPath(installation, 'directory', moved), 'fixtures', moved);
}

function withPath(members: JsonObject, key: string, moved: (path: string) => string): JsonObject {
  const path = members.get(key);
  return typeof path === 'string' ? new Map([...members, [key, moved(path)]]) : members;
}

/** The folder of a process may lie anywhere. */
function folderIn({ directory, paths }: NewPlace, absolute: string): string {
  return paths === 'absolute' ? absolute : relative(directory, absolute) || '.';
}

/** Relative only below the folder: most paths of a host document may not lead out of it. */
function pathIn({ directory, paths }: NewPlace, absolute: string): string {
  if (paths === 'absolute') return absolute;
  const from = relative(directory, absolute);
  if (from === '') return '.';
  return from.startsWith('..') || isAbsolute(from) ? absolute : from;
}
