import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { optionMessage } from '../../contract/diagnostics/messages/arguments.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { failure, success, type Failed, type Outcome } from '../../contract/outcome.ts';
import type { ApplicationDocuments } from '../documents/application.ts';
import { createDocumentReader, type DocumentReader } from '../documents/document-reader.ts';
import type { Target } from '../documents/project/load.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import type { JsonValue } from '../../contract/json/value.ts';
import { NO_JOURNAL } from '../evidence/publication/journal/journal.ts';
import type { Application } from '../application/preflight/application.ts';
import type { Bundle } from '../application/preflight/bundles.ts';
import { bareEnvironments } from '../run/bare-environments.ts';
import { runnableApplication } from '../run/from-application.ts';
import { openRun } from '../run/open-run.ts';
import type { Run } from '../run/run.ts';
import { closingAtDeadline } from './closing-at-deadline.ts';
import { interactiveLimits, sessionLimits } from './application-limits.ts';
import {
  CATALOGUE,
  CATALOGUE_PRELUDE,
  INSPECT_ONLY,
  renderBundleCatalogue,
  inspectableTools,
  silentBroker,
} from './inspection.ts';
import { missionAlone, runnableMission } from '../run/forms/mission-alone.ts';
import { bareApplication, openBareRun } from './scratch.ts';
import { openSession, type Session } from './session.ts';
import { loadNamed, loadNamedPrograms, type DocumentOptions } from '../run/named-documents.ts';
import { loadNamedTarget } from '../documents/project/named.ts';
import type { LocalEnvironmentOptions } from '../run/local-environment.ts';
import { opening } from '../run/named-run.ts';
import type { RunApprovals } from '../run/run-approvals.ts';
import type { GrantUse } from '../providers/source/installed-provider.ts';
import { TRACE_HINTS, openSessionTrace, type SessionTrace } from './session-trace.ts';

/** What a session of `svc repl` in an application is opened with (cli.md §11). */
export interface ApplicationSessionOptions
  extends Omit<DocumentOptions, 'override' | 'custom'>, Omit<LocalEnvironmentOptions, 'authorize'> {
  readonly runRef: RunReference;
  /** Null: the workflow. */
  readonly mission: string | null;
  /** Whether nothing but the compiled bundle is there. */
  readonly inspectsOnly: boolean;
  /** Whether people type the forms, or they were all given with the command. */
  readonly input: 'given' | 'line-loop';
  /** Whether what is private may be shown where the session is. */
  readonly showsPrivate: boolean;
  /** UTF-16 units of a preview, 64 or more. */
  readonly previewCharacters: number;
  /** Whether ends of forms carry the generated code. */
  readonly showCode: boolean;
  /** Path of the file that the session's events are appended to; null for none. */
  readonly trace: string | null;
  /** What this user granted; absent: nothing. */
  readonly grants?: GrantUse;
  /** Who is asked about calls that need a person's yes; absent: nobody can be. */
  readonly approvals?: RunApprovals;
}

/** The mission that a session is in, for its banner and `:context`. */
export interface SessionMissionFacts {
  readonly name: string;
  readonly components: readonly string[];
  /** Aliases of its direct providers. */
  readonly providers: readonly string[];
  /** SHA-256 of its inventory, 64 hex digits; null in a session that inspects only. */
  readonly inventoryHash: string | null;
  /** What a model reads of it, word for word; null in a session that inspects only. */
  readonly modelContext: { readonly hash: string; readonly text: string } | null;
}

/** A session in an application, which is open. */
export interface ApplicationSession {
  readonly session: Session;
  readonly inspectsOnly: boolean;
  /** Null: it is in the workflow. */
  readonly mission: SessionMissionFacts | null;
  /** Names of all missions that are declared. */
  readonly missions: readonly string[];
  /** Null: it leaves none. */
  readonly trace: SessionTrace | null;
}

/**
 * Opens a session in the workflow of an application or in one of its missions; a refusal has released what was
 * acquired.
 */
export async function openApplicationSession(options: ApplicationSessionOptions): Promise<Outcome<ApplicationSession>> {
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  const target = await loadNamedTarget(options, reader);
  if (!target.ok) return target;
  return options.inspectsOnly
    ? openInspection(options, reader, target.value)
    : openRunning(options, reader, target.value);
}

function documentOptions(options: ApplicationSessionOptions): DocumentOptions {
  return { ...options, override: null };
}

async function openRunning(
  options: ApplicationSessionOptions,
  reader: DocumentReader,
  target: Target,
): Promise<Outcome<ApplicationSession>> {
  const loaded = await loadNamed(documentOptions(options), reader, target, {
    input: null,
    identityFixed: false,
    inspectionCapture: false,
  });
  if (!loaded.ok) return loaded;
  const application =
    options.input === 'line-loop' ? { ...loaded.value, limits: interactiveLimits(loaded.value.limits) } : loaded.value;
  const refused = missionRefusal(options, application) ?? privateRefusal(options, application);
  if (refused !== null) return refused;
  const trace =
    options.trace === null
      ? null
      : await openSessionTrace(
          options.trace,
          options.workingDirectory,
          application.providers.eventPolicy === 'private',
        );
  if (typeof trace === 'string') return failure(diagnostic(trace), { hint: TRACE_HINTS[trace] });
  const { mission } = options;
  const shown = mission === null ? application : missionAlone(application, mission);
  const whole = runnableApplication(application, { workingDirectory: options.workingDirectory, warnings: [] });
  const opened = await openRun(options, {
    runRef: options.runRef,
    trustDomain: options.trustDomain,
    signal: options.signal,
    ...(options.approvals === undefined ? {} : { approvals: options.approvals }),
    loaded: {
      application: mission === null ? whole : runnableMission(whole, mission),
      openEnvironments: opening(
        {
          ...documentOptions(options),
          environmentFile: options.environmentFile,
          authorize: [],
          ...(options.grants === undefined ? {} : { grants: options.grants }),
        },
        reader,
        target,
        shown,
      ),
    },
    reservations: { trace: null, inspection: null },
    journal: NO_JOURNAL,
  });
  if (!opened.ok) return opened;
  return success(sessionIn(options, application, { run: opened.value, trace }));
}

function sessionIn(
  options: ApplicationSessionOptions,
  application: Application,
  { run, trace }: { readonly run: Run; readonly trace: SessionTrace | null },
): ApplicationSession {
  const { mission, previewCharacters, showCode } = options;
  const limits = sessionLimits(application.limits.values, mission === null ? 'workflow' : 'mission');
  const place =
    mission === null
      ? {}
      : { mission: { name: mission, code: application.bundles.missions.get(mission)?.code ?? null } };
  const data = mission === null ? { input: application.input.text } : dataOf(application, mission);
  const session = openSession({
    run,
    ...place,
    // While a person is asked, neither the form nor the session takes time.
    clock: run.clock,
    limits,
    data,
    previewCharacters,
    showCode,
    ...(trace === null ? {} : { onSealed: trace.onSealed }),
  });
  return {
    session: closingAtDeadline(session, run),
    inspectsOnly: false,
    mission: mission === null ? null : missionFacts(application, mission, run),
    missions: [...application.manifest.missions.keys()],
    trace,
  };
}

function missionFacts(
  { manifest, bundles }: Pick<Application, 'manifest' | 'bundles'>,
  name: string,
  run: Run | null,
): SessionMissionFacts {
  const frozen = run?.environments.missions.get(name) ?? null;
  return {
    name,
    components: (bundles.missions.get(name)?.components ?? []).map(({ id }) => id),
    providers: manifest.missions.get(name)?.providers ?? [],
    inventoryHash: frozen?.inventory.hash ?? null,
    modelContext: frozen?.modelContext ?? null,
  };
}

function dataOf(
  { manifest }: Pick<ApplicationDocuments, 'manifest'>,
  mission: string,
): Readonly<Record<string, string>> {
  const values = manifest.missions.get(mission)?.data ?? new Map<string, JsonValue>();
  return Object.fromEntries([...values].map(([name, value]) => [name, canonicalJson(value)]));
}

/** The name of a mission that is not there, with those that are. */
function missionRefusal(
  { mission }: ApplicationSessionOptions,
  { manifest }: Pick<ApplicationDocuments, 'manifest'>,
): Failed | null {
  if (mission === null || manifest.missions.has(mission)) return null;
  const names = [...manifest.missions.keys()];
  const hint = names.length === 0 ? 'this application declares no mission' : `declared missions: ${names.join(', ')}`;
  const message = optionMessage('--mission', 'value_invalid');
  return failure(diagnostic('invalid_arguments', { message }), { hint });
}

/** What is private is shown at a terminal that was named for it, and nowhere else. */
function privateRefusal({ showsPrivate }: ApplicationSessionOptions, { providers }: Application): Failed | null {
  if (showsPrivate || providers.eventPolicy === 'normal') return null;
  const message = optionMessage('--private-terminal', 'required');
  return failure(diagnostic('invalid_arguments', { message }), {
    hint: 'this application is private: open it at a terminal, with --private-terminal and without other input',
  });
}

/** Only what compiling needs is read: no host, no input, no provider. */
async function openInspection(
  options: ApplicationSessionOptions,
  reader: DocumentReader,
  target: Target,
): Promise<Outcome<ApplicationSession>> {
  const { mission } = options;
  const read = await loadNamedPrograms(documentOptions(options), reader, target, {
    input: { later: true, dataClass: 'normal' },
    identityFixed: false,
    inspectionCapture: false,
    readsHost: false,
  });
  if (!read.ok) return read;
  const { bundles } = read.value;
  const documents =
    options.input === 'line-loop'
      ? { ...read.value.documents, limits: interactiveLimits(read.value.documents.limits) }
      : read.value.documents;
  const refused = missionRefusal(options, documents);
  if (refused !== null) return refused;
  const bundle = mission === null ? bundles.workflow : (bundles.missions.get(mission) ?? null);
  return success({
    session: inspectingSession(options, documents, bundle),
    inspectsOnly: true,
    mission: mission === null ? null : missionFacts({ manifest: documents.manifest, bundles }, mission, null),
    missions: [...documents.manifest.missions.keys()],
    trace: null,
  });
}

function inspectingSession(
  options: ApplicationSessionOptions,
  documents: ApplicationDocuments,
  bundle: Bundle | null,
): Session {
  const { mission, clock, sandbox, runRef, previewCharacters, showCode } = options;
  const environment = mission === null ? 'workflow' : 'mission';
  const application = bareApplication(documents.limits);
  const workflow = {
    ...application.workflow,
    bundleHash: null,
    code: mission === null ? (bundle?.code ?? null) : null,
  };
  let hasCalled = false;
  const session = openSession({
    run: async () =>
      openBareRun({ sandbox, clock }, runRef, {
        application: { ...application, workflow },
        openEnvironments: async (context) => {
          const environments = bareEnvironments(context);
          return success({
            ...environments,
            broker: silentBroker(environments.broker, () => {
              hasCalled = true;
            }),
          });
        },
      }),
    ...(mission === null ? {} : { mission: { name: mission, code: bundle?.code ?? null } }),
    clock,
    limits: sessionLimits(documents.limits.values, environment),
    tools: inspectableTools(bundle, environment),
    data: { ...(mission === null ? {} : dataOf(documents, mission)), [CATALOGUE]: renderBundleCatalogue(bundle) },
    prelude: CATALOGUE_PRELUDE,
    previewCharacters,
    showCode,
  });
  return {
    ...session,
    evaluate: async (source, signal) => {
      hasCalled = false;
      const end = await session.evaluate(source, signal);
      if (end.kind !== 'failed' || !(hasCalled || end.error.kind === 'unknown_tool')) return end;
      return {
        ...end,
        error: {
          ...end.error,
          kind: INSPECT_ONLY,
          message: 'this session inspects only: no tool, model or route answers',
        },
      };
    },
  };
}
