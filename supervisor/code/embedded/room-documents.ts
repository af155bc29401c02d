import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { CustomInstallation } from '../../providers/custom/installation.ts';
import { SESSION_LIMITS, SESSION_MISSION } from '../room/session-application.ts';
import { installTools } from './installed-tools.ts';
import type { CodeRoom, RoomComponent } from './types.ts';

/** A room as an application in memory: one mission, and a workflow that nobody runs. */
export interface RoomDocuments {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly custom: readonly CustomInstallation[];
  /** Tools that a person is asked about, as programs name them. */
  readonly asking: ReadonlySet<string>;
}

const encoder = new TextEncoder();

/** Rejects with TypeError for a room that cannot be one, naming the member. */
export async function roomDocuments(room: CodeRoom): Promise<RoomDocuments> {
  const { tools = {}, data = {}, components = [], limits = {} } = room;
  const { installations, asking } = await installTools(tools);
  const sources = components.flatMap((component) => ('id' in component ? [component] : []));
  const aliases = installations.map(({ alias }) => alias);
  const manifest = new Map<string, JsonValue>(
    Object.entries({
      version: 1,
      workflow: { components: [{ id: 'main', path: 'main.clj' }], entry: 'main/run' },
      input: { value: {} },
      providers: { mission: aliases.map((name) => ({ name })) },
      limits: { ...SESSION_LIMITS, ...limits },
    }).map(([name, value]) => [name, jsonFromPlain(value) ?? null]),
  );
  manifest.set(
    'missions',
    new Map([
      [
        SESSION_MISSION,
        new Map<string, JsonValue>([
          ['components', jsonFromPlain(componentRows(components)) ?? null],
          ['data', dataOf(data)],
          ['providers', aliases],
        ]),
      ],
    ]),
  );
  return {
    asking,
    custom: installations,
    files: new Map([
      ['svc.json', encoder.encode(canonicalJson(manifest))],
      ['main.clj', encoder.encode('(ns main)\n(defn run [input] input)\n')],
      ...sources.map(({ id, source }): [string, Uint8Array] => [pathOf(id), encoder.encode(source)]),
    ]),
  };
}

const CAP = 'cap';
const pathOf = (id: string): string => `room/${id}.clj`;

/** With the library by which programs find their tools. */
function componentRows(components: readonly RoomComponent[]): readonly object[] {
  const rows = components.map((component) =>
    'library' in component
      ? { library: component.library }
      : { id: component.id, path: pathOf(component.id), dependencies: component.dependencies ?? [] },
  );
  return components.some((component) => 'library' in component && component.library === CAP)
    ? rows
    : [{ library: CAP }, ...rows];
}

function dataOf(data: Readonly<Record<string, unknown>>): JsonValue {
  return new Map(
    Object.entries(data).map(([name, value]): [string, JsonValue] => {
      const json = jsonFromPlain(value);
      if (json === undefined) throw new TypeError(`room.data.${name} is no plain JSON data`);
      return [name, json];
    }),
  );
}
