import { randomFillSync } from 'node:crypto';
import { newRunReference } from '../../../contract/run-reference.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { Scrubber, secretTexts } from '../../../contract/provider-protocol/scrubber.ts';
import type { Capability, Withheld } from '../../calls/broker/capability.ts';
import type { Application } from '../../application/preflight/application.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { FileSystem } from '../../documents/file-system.ts';
import type { Target } from '../../documents/project/load.ts';
import type { CredentialSources } from '../../providers/credentials.ts';
import type { CallAdmission } from '../../providers/source/call-admission.ts';
import type { GrantUse, Occurrence } from '../../providers/source/installed-provider.ts';
import { openProviders, type SharedProviders } from '../../run/acquisition.ts';
import { runnableApplication } from '../../run/from-application.ts';
import { openLocalEnvironment } from '../../run/local-environment.ts';
import { checkProvidersLocally, ownVariable } from '../../run/named-documents.ts';
import { CALLED_TOOLS_MAX, openEnvironments } from '../../run/open-environments.ts';
import { missionAlone, runnableMission } from '../../session/mission-alone.ts';
import type { SessionRoom } from '../session/session-room.ts';
import { needsApproval, type ApprovalPolicy } from './approval.ts';
import { importedName, importedProvider } from './imported-provider.ts';
import { SessionServerProcess, type ServerState, type ServerTimers } from './servers.ts';

/** An imported server whose documents were checked. */
export interface AddedServer {
  readonly alias: string;
  readonly application: Application;
  readonly reader: DocumentReader;
  readonly secrets: readonly string[];
}

export interface RoomOptions {
  /** What programs see beside imported servers: one mission of an application. */
  readonly base: { readonly application: Application; readonly target: Target; readonly reader: DocumentReader };
  readonly mission: string;
  readonly imported: readonly AddedServer[];
  readonly policy: ApprovalPolicy;
  readonly tenant: string;
  readonly workingDirectory: string;
  readonly environmentFile: string | null;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly documents: FileSystem;
  readonly grants: GrantUse | null;
  readonly timers: ServerTimers;
  /** Gate of calls of models, of a process that has one. */
  readonly admission?: CallAdmission | null;
  /** Where credentials come from, if not from where the host document says. */
  readonly secret?: NonNullable<CredentialSources['secret']>;
}

/** A tool as search and description tell of it. */
export interface RoomTool extends Pick<Capability, 'name' | 'description' | 'effect' | 'inputSchema' | 'outputSchema'> {
  readonly asks: boolean;
}

export interface RoomServer {
  readonly alias: string;
  readonly state: ServerState;
  readonly tools: number;
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

interface Opened {
  readonly process: SessionServerProcess;
  readonly occurrence: Occurrence;
  /** Null: it is the application's own. */
  readonly imported: AddedServer | null;
}

/** Starts all servers, and waits for none. */
export function openRoom(options: RoomOptions): Room {
  const base = missionAlone(options.base.application, options.mission);
  let revision = 0;
  const changed = (): void => {
    revision += 1;
  };
  const own = base.providers.mission.filter(({ provider, selection }) => provider.isLendable(selection));
  const stop = new AbortController();
  const opened: Opened[] = [
    ...own.map((occurrence) => startOwn(options, base, occurrence, changed)),
    ...options.imported.flatMap((server) => startImported(options, server, changed)),
  ];
  const data = Object.fromEntries(
    [...(base.manifest.missions.get(options.mission)?.data ?? new Map<string, JsonValue>())].map(([name, value]) => [
      name,
      canonicalJson(value),
    ]),
  );
  return {
    settled: Promise.all(opened.map(({ process }) => process.settled)).then(() => undefined),
    get revision() {
      return revision;
    },
    servers: () =>
      opened.map(({ process }) => ({
        alias: process.alias,
        state: process.state,
        tools: process.provider?.capabilities.length ?? 0,
      })),
    tools: () => toolsOf(opened, options.policy),
    async current() {
      const reachable = opened.filter(({ process }) => process.provider !== null);
      const application = applicationWith(base, options.mission, own, reachable);
      const runnable = runnableApplication(options.base.application, {
        workingDirectory: options.workingDirectory,
        warnings: [],
      });
      return {
        application: runnableMission(runnable, options.mission),
        mission: options.mission,
        code: base.bundles.missions.get(options.mission)?.code ?? null,
        data,
        openEnvironments: async (context) => {
          const local = await openLocalEnvironment({ ...options, authorize: [] }, options.base.target, base);
          if (!local.ok) return local;
          const lent = lending(reachable, options.policy);
          const unfit = await checkProvidersLocally(
            { trustDomain: options.tenant, variables: options.variables, signal: context.signal },
            options.base.reader,
            base,
            'run',
            (occurrence) => !lent.has(occurrence),
          );
          if (unfit !== null) return unfit;
          return openEnvironments(application, context, {
            variable: local.value,
            files: options.documents,
            reader: options.base.reader,
            admission: options.admission ?? null,
            ...(options.secret === undefined ? {} : { secret: options.secret }),
            ...(options.grants === null ? {} : { grants: options.grants }),
            lent,
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

/** A provider of the application itself, opened once for all programs. */
function startOwn(options: RoomOptions, base: Application, occurrence: Occurrence, changed: () => void): Opened {
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

function startImported(options: RoomOptions, server: AddedServer, changed: () => void): readonly Opened[] {
  return server.application.providers.mission.map((occurrence) => ({
    occurrence,
    imported: server,
    process: new SessionServerProcess(
      {
        alias: server.alias,
        secrets: server.secrets,
        open: (signal) =>
          open(options, server.application, {
            occurrence,
            reader: server.reader,
            signal,
            variable: ownVariable(options.variables),
          }),
      },
      options.timers,
      changed,
    ),
  }));
}

async function open(
  { tenant, documents, grants, secret, admission = null }: RoomOptions,
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
  reachable: readonly Opened[],
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

/** For one run, which counts the distinct tools that it calls. */
function lending(reachable: readonly Opened[], policy: ApprovalPolicy): SharedProviders {
  const called = new Set<string>();
  const refused = (name: string): Withheld | null => {
    if (called.size >= CALLED_TOOLS_MAX && !called.has(name))
      return {
        kind: 'limit_exceeded',
        reason: 'capability_quota',
        details: new Map([['limit_value', CALLED_TOOLS_MAX]]),
      };
    called.add(name);
    return null;
  };
  const found = (occurrence: Occurrence): Opened | undefined =>
    reachable.find((server) => server.occurrence === occurrence);
  return {
    has: (occurrence) => found(occurrence) !== undefined,
    lend(occurrence, run) {
      const server = found(occurrence);
      const known = server?.process.provider ?? null;
      if (server === undefined || known === null) return null;
      const isUp = server.process.state.state === 'ready';
      const provider = isUp ? (known.lend?.(run) ?? null) : null;
      if (server.imported === null) return provider ?? 'lost';
      const { alias, secrets } = server.imported;
      return importedProvider(known, { alias, policy, secrets }, { provider, refused });
    },
  };
}

function toolsOf(opened: readonly Opened[], policy: ApprovalPolicy): readonly RoomTool[] {
  return opened
    .flatMap(({ process, imported }) => {
      const provider = process.provider;
      if (provider === null) return [];
      const secrets = [...(provider.secrets ?? []).map((secret) => secret.reveal()), ...(imported?.secrets ?? [])];
      const scrubber = new Scrubber(secrets.flatMap(secretTexts), 8);
      return provider.capabilities.map((capability) => {
        const name = imported === null ? capability.name : importedName(imported.alias, capability.name);
        const { effect, inputSchema, outputSchema, description } = capability;
        const asks = imported !== null && needsApproval({ name, effect }, policy);
        return { name, description: scrubber.text(description), effect, inputSchema, outputSchema, asks };
      });
    })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
