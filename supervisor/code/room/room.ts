import { randomFillSync } from 'node:crypto';
import { diagnostic, providerSubject } from '../../../contract/diagnostics/diagnostic.ts';
import type { Failed } from '../../../contract/outcome.ts';
import { newRunReference } from '../../../contract/run-reference.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import type { Application } from '../../application/preflight/application.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { FileSystem } from '../../documents/file-system.ts';
import type { Target } from '../../documents/project/load.ts';
import type { CredentialSources } from '../../providers/credentials.ts';
import type { CallAdmission } from '../../providers/source/call-admission.ts';
import type { GrantUse, Occurrence } from '../../providers/source/installed-provider.ts';
import { waitUntilAborted } from '../../../system/until-aborted.ts';
import { openProviders } from '../../run/acquisition.ts';
import { runnableApplication } from '../../run/from-application.ts';
import { openLocalEnvironment } from '../../run/local-environment.ts';
import { checkProvidersLocally, ownVariable } from '../../run/named-documents.ts';
import { openEnvironments } from '../../run/open-environments.ts';
import { missionAlone, runnableMission } from '../../run/forms/mission-alone.ts';
import type { SessionRoom } from '../session/session-room.ts';
import type { ApprovalPolicy } from './approval.ts';
import type { ImportBounds } from '../imports/bounds.ts';
import { BorrowedServer, type BorrowedServers } from './borrowed-server.ts';
import { shareServers } from './share-servers.ts';
import {
  chooseTools,
  type AddedServer,
  roomTools,
  type OfferedTools,
  type OpenedServer,
  type RoomServer,
  type RoomTool,
} from './room-tools.ts';
import { SessionServerProcess, type ServerTimers } from './servers.ts';

export interface RoomOptions {
  /** What programs see beside imported servers: one mission of an application. */
  readonly base: { readonly application: Application; readonly target: Target; readonly reader: DocumentReader };
  readonly mission: string;
  readonly imported: readonly AddedServer[];
  /** Servers of the application that are open already; absent: the room starts its own. */
  readonly borrowed?: BorrowedServers;
  readonly policy: ApprovalPolicy;
  readonly tenant: string;
  readonly workingDirectory: string;
  readonly environmentFile: string | null;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly documents: FileSystem;
  readonly grants: GrantUse | null;
  /** Its servers wait for it to start; absent: they do not. */
  readonly begin?: Promise<void>;
  readonly timers: ServerTimers;
  readonly bounds: Pick<ImportBounds, 'serverTools' | 'tools'>;
  /** One line for people. */
  readonly report: (line: string) => void;
  /** Gate of calls of models, of a process that has one. */
  readonly admission?: CallAdmission | null;
  /** Where credentials come from, if not from where the host document says. */
  readonly secret?: NonNullable<CredentialSources['secret']>;
}

/** What the programs of a session may reach (code-mode.md §3, §4). */
export interface Room {
  /** For a program that begins now. */
  current(): Promise<SessionRoom>;
  /** In byte order of their names. */
  tools(): readonly RoomTool[];
  servers(): readonly RoomServer[];
  /** When every server has started, or will not. */
  readonly settled: Promise<void>;
  /** Changes whenever tools or servers do. */
  readonly revision: number;
  close(): Promise<void>;
}

/** Starts all servers at the same time, and waits for none. */
export function openRoom(options: RoomOptions): Room {
  const base = missionAlone(options.base.application, options.mission);
  let changes = 0;
  const revisionNow = (): number => changes + (options.borrowed?.generation() ?? 0);
  let known: { readonly revision: number; readonly offered: OfferedTools } | null = null;
  const offered = (): OfferedTools => {
    const revision = revisionNow();
    if (known?.revision !== revision) known = { revision, offered: chooseTools(opened, options.bounds.tools) };
    return known.offered;
  };
  let listed: { readonly revision: number; readonly tools: readonly RoomTool[] } | null = null;
  const tools = (): readonly RoomTool[] => {
    const revision = revisionNow();
    if (listed?.revision !== revision) listed = { revision, tools: roomTools(opened, offered(), options.policy) };
    return listed.tools;
  };
  const reported = new Map<string, number>();
  const changed = (): void => {
    changes += 1;
    for (const [alias, count] of offered().leftOut) {
      if (reported.get(alias) === count) continue;
      reported.set(alias, count);
      options.report(leftOutText(alias, count, options.bounds));
    }
  };
  const own = base.providers.mission.filter(({ provider, selection }) => provider.isShareable(selection));
  const stop = new AbortController();
  const opened: OpenedServer[] = [];
  const { borrowed } = options;
  opened.push(
    ...own.map((occurrence) =>
      borrowed === undefined
        ? startOwn(options, base, occurrence, changed)
        : { process: new BorrowedServer(occurrence, borrowed), occurrence, imported: null },
    ),
  );
  opened.push(...options.imported.flatMap((server) => startImported(options, server, changed)));
  const data = Object.fromEntries(
    [...(base.manifest.missions.get(options.mission)?.data ?? new Map<string, JsonValue>())].map(([name, value]) => [
      name,
      canonicalJson(value),
    ]),
  );
  return {
    settled: Promise.all(opened.map(({ process }) => process.settled)).then(() => undefined),
    get revision() {
      return revisionNow();
    },
    servers: () =>
      opened.map((server) => ({
        alias: server.process.alias,
        state: server.process.state,
        tools: tools().filter(({ server: alias }) => alias === server.process.alias).length,
        leftOut: offered().leftOut.get(server.process.alias) ?? 0,
      })),
    tools,
    async current() {
      const reachable = opened.filter(({ process }) => process.provider !== null);
      const application = applicationWith(base, options.mission, own, reachable);
      const runnable = runnableApplication(options.base.application, {
        workingDirectory: options.workingDirectory,
        warnings: [],
      });
      return {
        // Its result contract is of its entry, and not of programs.
        application: { ...runnableMission(runnable, options.mission), resultContract: null },
        mission: options.mission,
        code: base.bundles.missions.get(options.mission)?.code ?? null,
        data,
        openEnvironments: async (context) => {
          const local = await openLocalEnvironment({ ...options, authorize: [] }, options.base.target, base);
          if (!local.ok) return local;
          const sharedProviders = shareServers(reachable, {
            policy: options.policy,
            offered: offered().offered,
            eventBytes: application.limits.values.event_payload_bytes,
          });
          const unfit = await checkProvidersLocally(
            { trustDomain: options.tenant, variables: options.variables, signal: context.signal },
            options.base.reader,
            base,
            'run',
            (occurrence) => !sharedProviders.has(occurrence),
          );
          if (unfit !== null) return unfit;
          return openEnvironments(application, context, {
            variable: local.value,
            files: options.documents,
            reader: options.base.reader,
            admission: options.admission ?? null,
            ...(options.secret === undefined ? {} : { secret: options.secret }),
            ...(options.grants === null ? {} : { grants: options.grants }),
            shared: sharedProviders,
            isFoundBySearch: true,
          });
        },
      };
    },
    async close() {
      stop.abort();
      await Promise.all(opened.map(({ process }) => process.close()));
    },
  };
}

function leftOutText(alias: string, count: number, { serverTools, tools }: RoomOptions['bounds']): string {
  return (
    `${alias}: ${count} of its tools are left out, as a server may have ${serverTools} and all servers together ` +
    `${tools}, the first by name; what has no usable name or schema is left out too`
  );
}

/** A provider of the application itself, opened once for all programs. */
function startOwn(options: RoomOptions, base: Application, occurrence: Occurrence, changed: () => void): OpenedServer {
  const { target, reader } = options.base;
  const process = new SessionServerProcess(
    {
      alias: occurrence.alias,
      secrets: [],
      open: async (signal) => {
        const local = await openLocalEnvironment({ ...options, authorize: [] }, target, base);
        return local.ok ? open(options, base, { occurrence, reader, signal, variable: local.value }) : local;
      },
    },
    options.timers,
    changed,
  );
  return { process, occurrence, imported: null };
}

function startImported(options: RoomOptions, server: AddedServer, changed: () => void): readonly OpenedServer[] {
  return server.application.providers.mission.map((occurrence) => ({
    occurrence,
    imported: server,
    process: new SessionServerProcess(
      {
        alias: server.alias,
        secrets: server.secrets,
        open: async (signal) => {
          const opened = await open(options, server.application, {
            occurrence,
            reader: server.reader,
            signal,
            variable: ownVariable(options.variables),
          });
          return opened.ok || server.secrets.length > 0 ? opened : withoutCredential(server.alias, opened);
        },
      },
      options.timers,
      changed,
    ),
  }));
}

/** A server that was given no credential, and wants one, rejected none (code-mode.md §3). */
function withoutCredential(alias: string, refused: Failed): Failed {
  if (refused.diagnostic.code !== 'authentication_rejected') return refused;
  const subject = providerSubject(alias, 'authorization', null);
  return { ...refused, diagnostic: diagnostic('authorization_required', { subject, providerActivity: true }) };
}

async function open(
  { tenant, variables, documents, grants, secret, admission = null, begin }: RoomOptions,
  application: Application,
  {
    occurrence,
    reader,
    signal,
    variable,
  }: {
    readonly occurrence: Occurrence;
    readonly reader: DocumentReader;
    readonly signal: AbortSignal;
    readonly variable: (name: string) => string | undefined;
  },
): ReturnType<typeof openProviders> {
  if (begin !== undefined) await waitUntilAborted(begin, signal, 'aborted');
  // What a child inherits, and where its program is, is found by the check (providers.md §3).
  const unfit = await checkProvidersLocally(
    { trustDomain: tenant, variables, signal },
    reader,
    application,
    'run',
    (other) => other === occurrence,
  );
  if (unfit !== null) return unfit;
  const runRef = newRunReference(randomFillSync);
  return openProviders(
    application,
    [occurrence],
    { signal, trustDomain: tenant, runRef, traceId: runRef, missed: () => undefined },
    {
      variable,
      files: documents,
      reader,
      admission,
      ...(secret === undefined ? {} : { secret }),
      ...(grants === null ? {} : { grants }),
    },
  );
}

/** The application with the servers that can be named now; what is not lent it opens itself, as ever. */
function applicationWith(
  base: Application,
  mission: string,
  own: readonly Occurrence[],
  reachable: readonly OpenedServer[],
): Application {
  const present = new Set(reachable.map(({ occurrence }) => occurrence));
  const imported = reachable.filter((server) => server.imported !== null);
  const declared = base.manifest.missions.get(mission);
  if (declared === undefined) throw new Error('a room is of a mission that is declared');
  const missing = new Set(own.filter((occurrence) => !present.has(occurrence)).map(({ alias }) => alias));
  const providers = [
    ...declared.providers.filter((alias) => !missing.has(alias)),
    ...imported.map(({ process }) => process.alias),
  ];
  return {
    ...base,
    manifest: {
      ...base.manifest,
      missions: new Map([...base.manifest.missions, [mission, { ...declared, providers }]]),
    },
    providers: {
      ...base.providers,
      mission: [
        ...base.providers.mission.filter(({ alias }) => !missing.has(alias)),
        ...imported.map(({ occurrence }) => occurrence),
      ],
      configDigests: new Map([
        ...base.providers.configDigests,
        ...imported.flatMap((server) => [...(server.imported?.application.providers.configDigests ?? [])]),
      ]),
    },
  };
}
