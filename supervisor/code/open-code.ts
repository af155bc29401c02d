import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { failure, success, type Outcome } from '../../contract/outcome.ts';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { optionMessage } from '../../contract/diagnostics/messages/arguments.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { Application } from '../application/preflight/application.ts';
import { memoryBundleStore } from '../application/preflight/memory-bundle-store.ts';
import { readClientFile, CLIENT_FILE_BYTES } from '../documents/client-file/client-file.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { loadEnvironmentFile } from '../documents/environment-file/load.ts';
import { syncLater } from '../evidence/publication/later-syncs.ts';
import { closeInPool, nodeFileSystem } from '../evidence/publication/node-file-system.ts';
import { sweptPlaces } from '../evidence/publication/swept-places.ts';
import type { GrantUse } from '../providers/source/installed-provider.ts';
import { projectArtifacts, type ProjectArtifacts } from '../documents/project/artifacts.ts';
import { loadNamed, type DocumentOptions } from '../run/named-documents.ts';
import { loadNamedTarget } from '../documents/project/named.ts';
import type { RunTools } from '../run/run-request.ts';
import { importBounds, type ImportBounds } from './imports/bounds.ts';
import type { OwnProgram } from './imports/own-entry.ts';
import { DEPTH_VARIABLE, sessionServer, type SessionServer } from './imports/session-server.ts';
import type { RoomContents } from './index/room-index.ts';
import { openRoom, type Room, type RoomOptions } from './room/room.ts';
import type { AddedServer } from './room/room-tools.ts';
import type { ApprovalPolicy } from './room/approval.ts';
import { serverTimers } from './room/servers.ts';
import { loadSessionApplication, SESSION_MISSION } from './room/session-application.ts';
import { openProgramSession, performIn, type ProgramSession } from './session/session.ts';
import { workspaceOf } from '../documents/client-file/workspace.ts';

/** What code mode is opened with (code-mode.md §1). Paths are absolute. */
export interface CodeOptions extends Omit<DocumentOptions, 'document' | 'override' | 'custom' | 'sandbox'> {
  /** Null: language, libraries and imported servers alone. */
  readonly document: string | null;
  readonly mission: string | null;
  readonly imports: readonly string[];
  readonly environmentFile: string | null;
  readonly trustsAnnotations: boolean;
  /** Absent: the usual ones. */
  readonly bounds?: Partial<ImportBounds>;
  readonly policy: ApprovalPolicy;
  /** Where evidence goes; null: where the project says, else `ownArtifacts`. */
  readonly artifacts: string | null;
  readonly ownArtifacts: string | null;
  readonly sandbox: () => Promise<Sandbox>;
  readonly publication: RunTools['publication'];
  readonly grants: GrantUse | null;
  readonly home: string;
  readonly own: OwnProgram;
  /** One line for people. */
  readonly report: (line: string) => void;
}

/** Code mode that is open. */
export interface OpenCode {
  readonly session: ProgramSession;
  readonly room: Room;
  readonly contents: () => RoomContents;
  readonly longestMs: number;
  /** Where evidence goes that no project has a place for, and nobody else looks after; null: elsewhere. */
  readonly ownEvidence: string | null;
  readonly servers: readonly string[];
  /**
   * Has the servers start, once: their processes take what there is of the machine, and the first answer to a client is
   * not to wait for that (code-mode.md §2, "handshake").
   */
  readonly start: () => void;
  /** Where questions wait for another command; null: there is no place. `project`: it is that of a project. */
  readonly questions: { readonly root: string; readonly project: string | null } | null;
  readonly policy: ApprovalPolicy;
  /** Waits for servers that are starting, a short time, once. */
  readonly settle: () => Promise<void>;
  close(): Promise<void>;
}

/** A first question may come before package runners are done; it waits no longer than that. */
const SETTLE_MS = 5000;
const IDLE_MS = 60_000;
const SESSION_BYTES = 16;

/** Reads the documents of a session of code mode and makes it ready; no server is started yet. */
export async function openCode(options: CodeOptions): Promise<Outcome<OpenCode>> {
  const bounds = importBounds(options.bounds);
  const found = await importedServers(options, bounds);
  if (!found.ok) return found;
  const base = await baseOf(options);
  if (!base.ok) return base;
  const { mission, artifacts } = base.value;
  const aliases = new Set(base.value.application.manifest.missions.get(mission)?.providers);
  const imported = await addServers(options, bounds, { servers: found.value, aliases });
  const started = Promise.withResolvers<void>();
  const roomOptions: RoomOptions = {
    begin: started.promise,
    base: base.value,
    mission,
    imported,
    policy: options.policy,
    tenant: options.trustDomain,
    workingDirectory: options.workingDirectory,
    environmentFile: options.environmentFile,
    variables: options.variables,
    documents: options.documents,
    grants: options.grants,
    timers: serverTimers(bounds.startMs),
    bounds,
    report: options.report,
  };
  const room = openRoom(roomOptions);
  const evidence = evidenceTools(options);
  const session = openProgramSession({
    id: randomBytes(SESSION_BYTES).toString('hex'),
    perform: performIn(
      { sandbox: options.sandbox, publication: evidence.publication, clock: options.clock },
      { tenant: options.trustDomain, artifacts },
    ),
    room: async () => room.current(),
    requiresEvidence: options.artifacts !== null,
    ...(options.policy.approvals === 'off' ? { approvals: 'off' } : {}),
    idleMs: IDLE_MS,
  });
  const { bundles, manifest, limits } = base.value.application;
  const data = [...(manifest.missions.get(mission)?.data.keys() ?? [])];
  let settling: Promise<unknown> | null = null;
  return success({
    session,
    room,
    ownEvidence: artifacts?.root === options.ownArtifacts ? options.ownArtifacts : null,
    longestMs: limits.values.evaluation_timeout_ms,
    questions: base.value.questions,
    policy: options.policy,
    servers: [...aliases, ...imported.map(({ alias }) => alias)],
    contents: () => ({
      tools: room.tools(),
      exports: bundles.missions.get(mission)?.exports ?? [],
      data,
      servers: room.servers(),
    }),
    start: started.resolve,
    settle: async () => {
      started.resolve();
      settling ??= Promise.race([room.settled, wait(SETTLE_MS, undefined, { ref: false })]);
      await settling;
    },
    close: async () => {
      await session.close();
      await room.close();
      await evidence.settle();
    },
  });
}

/**
 * Evidence that somebody requires is permanent before its run is answered; any other is whole under its names by then,
 * and permanent soon after (bench/code-mode.ts: that is most of what a small program would wait for).
 */
function evidenceTools({ artifacts, publication, report }: CodeOptions): Pick<RunTools, 'publication'> & {
  readonly settle: () => Promise<void>;
} {
  const swept = sweptPlaces();
  if (artifacts !== null) return { publication: { ...publication, swept }, settle: async () => undefined };
  const timers = serverTimers(0);
  const later = syncLater(nodeFileSystem(undefined, closeInPool), {
    after: (milliseconds, act) => timers.after(milliseconds, act),
    onLost: (errno) => {
      report(`evidence was written, and may not outlast a power cut: ${errno}`);
    },
  });
  return { publication: { ...publication, swept, fileSystem: later.fileSystem }, settle: () => later.settle() };
}

/**
 * The servers that can be added to those of the project; the others are left out and reported. All are checked at once,
 * since each check is time that the handshake takes; where that fails, it is one at a time, to find those to leave out.
 */
async function addServers(
  options: CodeOptions,
  bounds: ImportBounds,
  { servers, aliases }: { readonly servers: readonly SessionServer[]; readonly aliases: ReadonlySet<string> },
): Promise<readonly AddedServer[]> {
  const added: AddedServer[] = [];
  const most = bounds.servers - aliases.size;
  const first = servers.filter(({ alias }) => !aliases.has(alias)).slice(0, Math.max(most, 0));
  const together = first.length > 1 ? await loadOne(options, first, bounds.serverTools) : null;
  for (const server of servers) {
    const leaveOut = (reason: string): void => {
      options.report(`${server.alias} is left out: ${reason}`);
    };
    if (aliases.has(server.alias)) {
      leaveOut('the project has a provider of this name');
      continue;
    }
    if (added.length >= most) {
      leaveOut(`a session has ${bounds.servers} servers at most`);
      continue;
    }
    const loaded = together?.ok === true ? together : await loadOne(options, [server], bounds.serverTools);
    if (!loaded.ok) {
      leaveOut(loaded.diagnostic.message);
      continue;
    }
    added.push({
      alias: server.alias,
      application: withOneServer(loaded.value.application, server.alias),
      reader: loaded.value.reader,
      secrets: [...server.credentials.values(), ...server.secrets],
    });
  }
  return added;
}

function withOneServer(application: Application, alias: string): Application {
  const { mission, configDigests } = application.providers;
  return {
    ...application,
    providers: {
      ...application.providers,
      mission: mission.filter((occurrence) => occurrence.alias === alias),
      configDigests: new Map([...configDigests].filter(([name]) => name === alias)),
    },
  };
}

/** Servers of all files; a second one of a name is left out and reported. */
async function importedServers(
  options: CodeOptions,
  { startMs }: ImportBounds,
): Promise<Outcome<readonly SessionServer[]>> {
  const { imports, variables, home, report, documents, own, trustsAnnotations } = options;
  if (imports.length > 0 && variables[DEPTH_VARIABLE] !== undefined) {
    report(`${DEPTH_VARIABLE} is set: svc code was started by svc code, and imports nothing`);
    return success([]);
  }
  const servers = new Map<string, SessionServer>();
  const ignored = new Set<string>();
  for (const file of imports) {
    const read = await createDocumentReader(documents, '/').readNamed(file, CLIENT_FILE_BYTES);
    if (!read.ok) return refusedImport(`${file} is no file that can be read safely`);
    const client = readClientFile(read.file.bytes);
    if (!client.ok) return refusedImport(`${file}: ${client.fault}`);
    for (const server of client.servers) {
      const imported = await sessionServer(server, {
        places: { workspace: workspaceOf(file), home, variable: (name) => variables[name] },
        own,
        trustsAnnotations,
        startMs,
        readEnvironmentFile: async (path) => {
          const values = await loadEnvironmentFile(documents, options.workingDirectory, { kind: 'named', path });
          return values.ok ? values.value : null;
        },
      });
      if (!imported.ok) report(`${JSON.stringify(server.name)} of ${file} is left out: ${imported.reason}`);
      else if (servers.has(imported.alias))
        report(`${JSON.stringify(server.name)} of ${file} is left out: there is a server ${imported.alias} already`);
      else {
        servers.set(imported.alias, imported);
        for (const member of imported.ignored) ignored.add(member);
      }
    }
  }
  if (ignored.size > 0) report(`ignored, since nothing here corresponds to it: ${[...ignored].join(', ')}`);
  return success([...servers.values()]);
}

function refusedImport(hint: string): Outcome<never> {
  return failure(diagnostic('invalid_arguments', { message: optionMessage('--import', 'value_invalid') }), { hint });
}

type Base = RoomOptions['base'] & {
  readonly mission: string;
  readonly artifacts: ProjectArtifacts | null;
  readonly questions: OpenCode['questions'];
};

async function baseOf(options: CodeOptions): Promise<Outcome<Base>> {
  const artifacts = rootOf(options.artifacts);
  if (options.document === null) {
    const loaded = await loadOne(options, [], 0);
    return loaded.ok
      ? success({
          ...loaded.value,
          mission: SESSION_MISSION,
          artifacts: artifacts ?? rootOf(options.ownArtifacts),
          questions: ownQuestions(options),
        })
      : loaded;
  }
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  const named = { ...options, document: options.document, override: null };
  const target = await loadNamedTarget(named, reader);
  if (!target.ok) return target;
  const application = await loadNamed(named, reader, target.value, {
    input: { later: true, dataClass: 'normal' },
    identityFixed: true,
    inspectionCapture: true,
  });
  if (!application.ok) return application;
  const missions = [...application.value.manifest.missions.keys()];
  const [only] = missions;
  const mission = options.mission ?? (missions.length === 1 ? only : undefined) ?? SESSION_MISSION;
  if (!missions.includes(mission)) {
    const hint =
      missions.length === 0 ? 'this application declares no mission' : `declared missions: ${missions.join(', ')}`;
    return failure(diagnostic('invalid_arguments', { message: optionMessage('--mission', 'value_invalid') }), { hint });
  }
  return success({
    application: application.value,
    target: target.value,
    reader,
    mission,
    artifacts: artifacts ?? projectArtifacts(target.value) ?? rootOf(options.ownArtifacts),
    questions: questionsOf(options, options.document, projectArtifacts(target.value)),
  });
}

/** Where `svc approvals` finds them: in the project, or in the folder that this user has for the working directory. */
function questionsOf(
  options: CodeOptions,
  document: string,
  projectArtifacts: ProjectArtifacts | null,
): OpenCode['questions'] {
  return projectArtifacts === null ? ownQuestions(options) : { root: projectArtifacts.root, project: document };
}

function ownQuestions({ ownArtifacts }: CodeOptions): OpenCode['questions'] {
  return ownArtifacts === null ? null : { root: ownArtifacts, project: null };
}

function rootOf(root: string | null): ProjectArtifacts | null {
  return root === null ? null : { root, trace: true, inspection: true, result: false, envelope: true };
}

const store = memoryBundleStore();

async function loadOne(options: CodeOptions, servers: readonly SessionServer[], serverTools: number) {
  return loadSessionApplication({
    servers,
    serverTools,
    sandbox: await options.sandbox(),
    libraries: options.libraries,
    store,
    tenant: options.trustDomain,
    now: () => options.clock.monotonic(),
  });
}
