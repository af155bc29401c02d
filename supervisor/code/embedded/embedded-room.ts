import { setTimeout as wait } from 'node:timers/promises';
import type { Application } from '../../application/preflight/application.ts';
import type { Preparation } from '../../application/prepared/prepared-application.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import type { OpeningOptions } from '../../run/named-run.ts';
import type { RoomContents } from '../index/room-index.ts';
import type { BorrowedServers } from '../room/borrowed-server.ts';
import { openRoom } from '../room/room.ts';
import type { RoomTool } from '../room/room-tools.ts';
import { importBounds } from '../imports/bounds.ts';
import { serverTimers } from '../room/servers.ts';
import type { SessionRoom } from '../session/session-room.ts';

/** A mission of an application that was prepared, as the room of a session. */
export interface EmbeddedRoom {
  readonly current: () => Promise<SessionRoom>;
  readonly contents: () => RoomContents;
  /** Waits for servers that are starting, a short time, once. */
  readonly settle: () => Promise<void>;
  readonly longestMs: number;
  /** What its programs are read with. */
  readonly checking: () => {
    readonly code: string | null;
    readonly heapWords: number;
    readonly tools: readonly string[];
    readonly data: readonly string[];
  };
  close(): Promise<void>;
}

export interface EmbeddedRoomSetting {
  readonly preparation: Preparation;
  /** Of it, as the runs of the session need it. */
  readonly application: Application;
  readonly mission: string;
  readonly tenant: string;
  /** Tools of the embedding program that a person is asked about. */
  readonly asking: ReadonlySet<string>;
  readonly options: OpeningOptions;
  /** Servers of the mission that are open already; absent: the room starts its own. */
  readonly borrowed?: BorrowedServers;
}

/** A first question may come before servers have started; it waits no longer than that. */
const SETTLE_MS = 5000;

/** Starts the servers of the mission, and waits for none. */
export function embeddedRoom(setting: EmbeddedRoomSetting): EmbeddedRoom {
  const { preparation, application, mission, tenant, options } = setting;
  const { target, workingDirectory, host } = preparation;
  const bounds = importBounds();
  const room = openRoom({
    base: { application, target, reader: createDocumentReader(options.documents, host?.directory ?? '/') },
    mission,
    imported: [],
    ...(setting.borrowed === undefined ? {} : { borrowed: setting.borrowed }),
    policy: { approvals: 'ask', allow: [] },
    tenant,
    workingDirectory,
    environmentFile: null,
    variables: options.variables,
    documents: options.documents,
    grants: options.grants ?? null,
    timers: serverTimers(bounds.startMs),
    bounds,
    // Where no person can be informed, `search` says it.
    report: () => undefined,
    admission: options.admission ?? null,
    ...(options.secret === undefined ? {} : { secret: options.secret }),
  });
  const own = ownTools(setting);
  const bundle = application.bundles.missions.get(mission) ?? null;
  const data = [...(application.manifest.missions.get(mission)?.data.keys() ?? [])];
  const limits = application.limits.values;
  let settling: Promise<unknown> | null = null;
  const tools = (): readonly RoomTool[] =>
    [...room.tools(), ...own].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return {
    current: async () => room.current(),
    contents: () => ({ tools: tools(), exports: bundle?.exports ?? [], data, servers: room.servers() }),
    settle: async () => {
      settling ??= Promise.race([room.settled, wait(SETTLE_MS, undefined, { ref: false })]);
      await settling;
    },
    longestMs: limits.evaluation_timeout_ms,
    checking: () => ({
      code: bundle?.code ?? null,
      heapWords: limits.evaluation_heap_words,
      tools: tools().map(({ name }) => name),
      data,
    }),
    close: () => room.close(),
  };
}

/** Functions of the embedding program: no server names them. */
function ownTools({ preparation, application, mission, asking }: EmbeddedRoomSetting): readonly RoomTool[] {
  const selected = new Set(application.manifest.missions.get(mission)?.providers);
  return preparation.custom
    .filter(({ alias }) => selected.has(alias))
    .flatMap(({ alias, capabilities }) =>
      [...capabilities.values()].map(({ name, description, effect, inputSchema, outputSchema }) => ({
        name,
        description,
        effect,
        inputSchema: inputSchema.json,
        outputSchema: outputSchema.isAnything ? null : outputSchema.json,
        asks: asking.has(name),
        server: alias,
      })),
    );
}
