import { ASKS_PERSON } from '../../../contract/approval.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import { nearestNames } from '../../../contract/names/nearest.ts';
import type { ExportFact } from '../../../contract/sandbox-protocol.ts';
import { visibleLines, visibleText } from '../../../contract/visible-text.ts';
import { rankCapabilities } from '../../calls/broker/search-capabilities.ts';
import { capabilityForm } from '../../calls/capability-form.ts';
import type { RoomServer, RoomTool } from '../room/room-tools.ts';
import { exportForm } from '../../run/mission-texts/call-forms.ts';
import { coreNames, type CoreName } from './core-names.ts';
import { cut, DESCRIBE_SIGNATURE, SEARCH_SIGNATURE, toolSignature, typeOf } from './signature.ts';

/** What there is to call and to read. */
export interface RoomContents {
  readonly tools: readonly RoomTool[];
  readonly exports: readonly ExportFact[];
  /** Names of `data/NAME`. */
  readonly data: readonly string[];
  readonly servers: readonly RoomServer[];
}

export const SEARCHED = ['all', 'tools', 'functions', 'core', 'data'] as const;
export type Searched = (typeof SEARCHED)[number];

export interface Search {
  readonly query: string;
  readonly in: Searched;
  readonly limit: number;
}

/** Bytes of the two answers; characters of what a server says of a tool in each. */
const SEARCH_BYTES = 6144;
const DESCRIBE_BYTES = 12_000;
const SEARCH_DOC = 300;
const DESCRIBE_DOC = 4000;
const NEAREST = 3;

interface Entry {
  readonly kind: 'tool' | 'function' | 'core' | 'data';
  readonly name: string;
  readonly upstreamName?: string;
  readonly description: string;
  readonly effect: string;
  readonly inputSchema: JsonValue;
  readonly call: (characters: number) => string;
  readonly asks: boolean;
  readonly tool: RoomTool | null;
}

/** Hits for some words, best first; without words the servers and how much of everything there is. */
export function searchRoom(contents: RoomContents, { query, in: kind, limit }: Search): JsonObject {
  const entries = entriesOf(contents, kind);
  const unready = unreadyOf(contents);
  if (query.trim() === '') return overview(contents, unready);
  const found = rankCapabilities(entries, query);
  const hits: JsonValue[] = [];
  const answer = (): JsonObject =>
    new Map<string, JsonValue>([
      ['hits', [...hits]],
      ['total', found.length],
      ...(unready.length === 0 ? [] : [['unready', unready] as const]),
    ]);
  for (const entry of found.slice(0, limit)) {
    hits.push(hitOf(entry));
    if (utf8Length(canonicalJson(answer())) <= SEARCH_BYTES) continue;
    hits.pop();
    break;
  }
  return answer();
}

function unreadyOf({ servers }: RoomContents): readonly JsonValue[] {
  return servers.flatMap(({ alias, state }) =>
    state.state === 'ready'
      ? []
      : [
          new Map([
            ['server', alias],
            ['reason', state.state === 'starting' ? 'it is starting' : cut(visibleText(state.reason), SEARCH_DOC)],
          ]),
        ],
  );
}

function overview({ servers, exports, data, tools }: RoomContents, unready: readonly JsonValue[]): JsonObject {
  const namespaces = new Map<string, number>();
  for (const { ref } of exports) {
    const [namespace = ''] = ref.split('/');
    namespaces.set(namespace, (namespaces.get(namespace) ?? 0) + 1);
  }
  const counted = [
    ...servers.map(({ alias, tools: count, leftOut }) => ['server', alias, count, leftOut] as const),
    ...[...namespaces].map(([name, count]) => ['namespace', name, count, 0] as const),
    ...(data.length === 0 ? [] : [['namespace', 'data', data.length, 0] as const]),
  ];
  return new Map<string, JsonValue>([
    [
      'hits',
      counted.map(
        ([kind, name, count, leftOut]) =>
          new Map<string, JsonValue>([
            ['name', name],
            ['kind', kind],
            ['count', count],
            ...(leftOut === 0 ? [] : [['left_out', leftOut] as const]),
          ]),
      ),
    ],
    ['total', tools.length + exports.length + data.length],
    ...(unready.length === 0 ? [] : [['unready', unready] as const]),
  ]);
}

function hitOf({ kind, name, call, description, effect, asks }: Entry): JsonObject {
  return new Map<string, JsonValue>([
    ['name', name],
    ['kind', kind],
    ['call', call(SEARCH_SIGNATURE)],
    ['doc', cut(visibleText(description.replaceAll(/\s+/g, ' ').trim()), SEARCH_DOC)],
    ['effect', effect],
    ['approval', approvalOf(asks)],
  ]);
}

function approvalOf(asks: boolean): string {
  return asks ? ASKS_PERSON : 'none';
}

/** Each name with all that is known of it, or the names that are near. */
export function describeInRoom(contents: RoomContents, names: readonly string[]): JsonObject {
  const entries = [...entriesOf(contents, 'all'), ...entriesOf(contents, 'core')];
  const known = entries.map(({ name }) => name);
  const described: JsonValue[] = [];
  for (const query of names) {
    const name = query.replace(/^tool!?\//, '');
    const entry = entries.find((each) => each.name === name);
    const one = entry === undefined ? unknownName(query, known) : descriptionOf(entry);
    described.push(one);
    if (utf8Length(canonicalJson(described)) <= DESCRIBE_BYTES) continue;
    described.pop();
    break;
  }
  return new Map<string, JsonValue>([
    ['names', described],
    ['total', names.length],
  ]);
}

function unknownName(name: string, known: readonly string[]): JsonObject {
  return new Map<string, JsonValue>([
    ['name', cut(visibleText(name), SEARCH_DOC)],
    ['unknown', true],
    ['nearest', nearestNames(name.replace(/^tool!?\//, ''), known).slice(0, NEAREST)],
  ]);
}

function descriptionOf({ name, call, description, effect, asks, tool, kind }: Entry): JsonObject {
  const doc = cut(visibleLines(description), DESCRIBE_DOC);
  return new Map<string, JsonValue>([
    ['name', name],
    ['call', call(DESCRIBE_SIGNATURE)],
    ...(tool === null
      ? []
      : ([
          ['args', typeOf(tool.inputSchema, DESCRIBE_SIGNATURE)],
          ['result', typeOf(tool.outputSchema, DESCRIBE_SIGNATURE)],
          ['example', capabilityForm(tool)],
        ] as const)),
    ['doc', kind === 'tool' ? `The server says: ${doc}` : doc],
    ['effect', effect],
    ['approval', approvalOf(asks)],
  ]);
}

function entriesOf({ tools, exports, data }: RoomContents, kind: Searched): readonly Entry[] {
  const has = (each: Searched): boolean => kind === 'all' || kind === each;
  return [
    ...(has('tools') ? tools.map(knownEntry(toolEntry)) : []),
    ...(has('functions') ? exports.map(knownEntry(functionEntry)) : []),
    ...(has('data') ? data.map(dataEntry) : []),
    // The language is the same everywhere: a person who looks for a tool does not look for it.
    ...(kind === 'core' ? coreNames().map(coreEntry) : []),
  ];
}

const madeEntries = new WeakMap<object, Entry>();

/** Made once of each: the words of an entry are counted once, too. */
function knownEntry<T extends object>(make: (of: T) => Entry): (of: T) => Entry {
  return (of) => {
    const known = madeEntries.get(of) ?? make(of);
    madeEntries.set(of, known);
    return known;
  };
}

function toolEntry(tool: RoomTool): Entry {
  const { name, upstreamName, description, effect, inputSchema, asks } = tool;
  return {
    kind: 'tool',
    name,
    ...(upstreamName === undefined ? {} : { upstreamName }),
    description,
    effect,
    inputSchema,
    asks,
    tool,
    call: (characters) => toolSignature(tool, characters),
  };
}

function functionEntry(fact: ExportFact): Entry {
  return {
    kind: 'function',
    name: fact.ref,
    description: fact.doc ?? '',
    effect: fact.effect,
    inputSchema: null,
    asks: false,
    tool: null,
    call: (characters) =>
      cut(fact.contract === null ? exportForm(fact) : `${exportForm(fact)} : ${fact.contract}`, characters),
  };
}

function dataEntry(name: string): Entry {
  return {
    kind: 'data',
    name: `data/${name}`,
    description: 'A value of the application.',
    effect: 'read',
    inputSchema: null,
    asks: false,
    tool: null,
    call: () => `data/${name}`,
  };
}

function coreEntry({ name, shapes, doc }: CoreName): Entry {
  return {
    kind: 'core',
    name,
    description: doc,
    effect: 'none',
    inputSchema: null,
    asks: false,
    tool: null,
    call: (characters) => cut(shapes.join(' '), characters),
  };
}
