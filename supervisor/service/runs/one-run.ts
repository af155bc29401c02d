import { success, type Outcome } from '../../../contract/outcome.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import type { RunPlace } from '../../calls/approvals/leased-place.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import type { ApplicationInput } from '../../documents/input/choose.ts';
import { guardedObserver, observeTogether } from '../../evidence/live/observer.ts';
import type { Preparation } from '../../application/prepared/prepared-application.ts';
import type { RunEvents } from '../../evidence/run-events/run-events.ts';
import { findModelWarnings } from '../../providers/models/model-warnings.ts';
import type { ArtifactsRequested } from '../../run/destinations.ts';
import { runnableApplication } from '../../run/from-application.ts';
import { performRun, type RunReport } from '../../run/perform-run.ts';
import type { LoadedRun, LocatedRun, RunSource } from '../../run/run-request.ts';
import { projectArtifacts, type ProjectArtifacts } from '../../documents/project/artifacts.ts';
import { opening } from '../../run/named-run.ts';
import type { ProviderShare } from './provider-pool.ts';
import { openingOptions, type RunSetting } from './run-setting.ts';
import { approvalsOf } from './approval-callback.ts';
import { bothPlaces } from '../tenants/run-slot.ts';
import { reserveUploads, type ArtifactUploads } from './artifact-uploads.ts';
import type { RunRequest } from '../embedding/types.ts';
import type { ProgramRun } from '../../code/session/session.ts';

/** One run that may begin. */
export interface StartedRun {
  readonly runRef: RunReference;
  readonly tenant: string;
  readonly preparation: Preparation;
  readonly input: Pick<ApplicationInput, 'text' | 'dataClass'>;
  readonly request: Pick<
    RunRequest,
    | 'artifacts'
    | 'limits'
    | 'effectGate'
    | 'principal'
    | 'attempt'
    | 'traceparent'
    | 'onApproval'
    | 'asker'
    | 'outerPlace'
    | 'approval'
  >;
  readonly sandbox: Sandbox;
  /** Given up while it waits long for a person. */
  readonly place: RunPlace;
  /** What was opened before it; null: nothing. */
  readonly share: ProviderShare | null;
  /** Null: its artifacts stay where they are published. */
  readonly uploads: ArtifactUploads | null;
  readonly signal: AbortSignal;
  readonly events: RunEvents;
  /** Milliseconds of the monotonic clock. */
  readonly deadlineAt: number | null;
  /** What is evaluated in place of the application's entry; null: that. */
  readonly program: ProgramRun | null;
}

/**
 * Where the artifacts of a run go: to its deposits, else below the folder of its tenant or where its project says;
 * null: nowhere.
 */
export function artifactsOf(
  { artifactRoot }: Pick<RunSetting, 'artifactRoot'>,
  {
    tenant,
    preparation,
    uploads,
    request: { artifacts },
  }: Pick<StartedRun, 'tenant' | 'preparation' | 'request' | 'uploads'>,
  isPrivate: boolean,
): ProjectArtifacts | null {
  const ofProject = projectArtifacts(preparation.target);
  if (uploads !== null)
    return { ...wantedArtifacts(artifacts ?? ofProject, isPrivate), root: uploads.root, envelope: false };
  if (artifacts === undefined && ofProject !== null) return ofProject;
  const root = artifactRoot(tenant);
  if (root === null) return null;
  const wanted = wantedArtifacts(artifacts ?? null, isPrivate);
  return Object.values(wanted).includes(true) ? { ...wanted, root, envelope: false } : null;
}

/** A private result is reported nowhere else (runtime.md §12). */
function wantedArtifacts(wanted: Partial<ArtifactsRequested> | null, isPrivate: boolean): ArtifactsRequested {
  const { trace = false, inspection = false, result = false } = wanted ?? {};
  return { trace, inspection, result: result || isPrivate };
}

/** The places of a run's artifacts in the store; null where it leaves none, or there is no store. */
export async function openUploads(
  { depository }: RunSetting,
  run: Pick<StartedRun, 'runRef' | 'tenant' | 'preparation' | 'input' | 'request'>,
): Promise<ArtifactUploads | 'exists' | 'unavailable' | null> {
  if (depository === null) return null;
  const {
    runRef,
    tenant,
    preparation,
    input: { dataClass },
    request: { artifacts, attempt = 1, limits = {} },
  } = run;
  const plain = await preparation.variant({
    dataClass,
    identityFixed: false,
    inspectionCapture: false,
    narrowed: limits,
  });
  const isPrivate = plain.ok && plain.value.providers.eventPolicy === 'private';
  const wanted = wantedArtifacts(artifacts ?? projectArtifacts(preparation.target), isPrivate);
  if (!Object.values(wanted).includes(true)) return null;
  return reserveUploads(depository.store, depository.spool, {
    tenant,
    runRef,
    attempt,
    wanted,
    artifactClass: isPrivate ? 'private' : 'normal',
  });
}

/** Performs a run of a prepared application (runtime.md §1 from step 9 on). Never throws. */
export async function performPrepared(setting: RunSetting, run: StartedRun): Promise<RunReport> {
  const {
    machine: { clock },
    publication,
  } = setting;
  const {
    runRef,
    tenant,
    sandbox,
    signal,
    events,
    deadlineAt,
    uploads,
    program,
    request: { effectGate = async () => true, traceparent, outerPlace },
  } = run;
  let usableUntil = run.share?.usableUntil ?? Infinity;
  const expires = (at: number): void => {
    usableUntil = Math.min(usableUntil, at);
  };
  const watching = setting.watch?.observer(runRef) ?? null;
  const others = [watching, program?.observer ?? null].filter((observer) => observer !== null);
  const followed = setting.telemetry.follow(
    runRef,
    others.length === 0
      ? guardedObserver(events.observer)
      : observeTogether([events.observer, ...others].map(guardedObserver)),
  );
  return performRun(
    { sandbox: async () => sandbox, publication, clock },
    {
      runRef,
      trustDomain: tenant,
      signal,
      source: preparedSource(setting, run, expires),
      explicit: { traceDirectory: null, inspection: null, output: null, privateOutput: null },
      onEvaluated: () => undefined,
      observer: followed.observer,
      ...(program === null ? {} : { program: program.program, session: program.session }),
      ...(deadlineAt === null ? {} : { deadlineAt }),
      ...(traceparent === undefined ? {} : { traceparent }),
      approvals: {
        ...approvalsOf(setting.approvals, setting.asksLater, run.request),
        ...(run.request.asker === undefined ? {} : { asker: run.request.asker }),
        place: outerPlace === undefined ? run.place : bothPlaces(outerPlace, run.place),
        ...(program?.asker === undefined ? {} : { asker: program.asker }),
        ...(program?.decisions === undefined ? {} : { session: program.decisions }),
      },
      ...(uploads === null ? {} : { upload: async (published) => uploads.upload(published) }),
      // A credential is not used past its time, no matter who still holds it (gateway.md §16).
      effectGate: async (effect, committed) =>
        clock.monotonic() < usableUntil &&
        effectGate(effect, committed).then(
          (mayLeave: unknown) => mayLeave === true,
          () => false,
        ),
    },
  ).finally(followed.ended);
}

function preparedSource(setting: RunSetting, run: StartedRun, onExpiry: (at: number) => void): RunSource {
  const {
    preparation,
    input,
    request: { limits = {} },
  } = run;
  const variant = (requested: Pick<ArtifactsRequested, 'trace' | 'inspection'>, hasProject: boolean) =>
    preparation.variant({
      dataClass: input.dataClass,
      identityFixed: requested.trace || hasProject,
      inspectionCapture: requested.inspection,
      narrowed: limits,
    });
  return {
    async locate(): Promise<Outcome<LocatedRun>> {
      const plain = await variant({ trace: false, inspection: false }, false);
      const isPrivate = plain.ok && plain.value.providers.eventPolicy === 'private';
      const project = artifactsOf(setting, run, isPrivate);
      return success({
        project,
        load: (requested) => load(setting, run, { variant: () => variant(requested, project !== null), onExpiry }),
      });
    },
  };
}

async function load(
  setting: RunSetting,
  run: StartedRun,
  {
    variant,
    onExpiry,
  }: { readonly variant: () => ReturnType<Preparation['variant']>; readonly onExpiry: (at: number) => void },
): Promise<Outcome<LoadedRun>> {
  const application = await variant();
  if (!application.ok) return application;
  const {
    preparation: { workingDirectory, target, host },
    input,
    events,
    tenant,
    share,
    request: { principal = tenant, approval },
  } = run;
  const { providers } = application.value;
  if (providers.eventPolicy === 'private') events.keepPrivate();
  if (run.program !== null) {
    const { room } = run.program;
    return success({ application: room.application, openEnvironments: room.openEnvironments });
  }
  const warnings = await findModelWarnings(new Map(providers.workflow.map(({ alias, provider }) => [alias, provider])));
  for (const { code } of warnings) events.report('warning', { code });
  const { machine } = setting;
  // What a run reads of its host's directory is read when it is opened: fixtures, credentials, snapshots.
  const reader = createDocumentReader(machine.documents, host?.directory ?? '/');
  const openEnvironments = opening(
    {
      ...openingOptions(setting, { tenant, principal, workingDirectory, onExpiry }),
      ...(share === null ? {} : { shared: share }),
      ...(approval === undefined ? {} : { approval }),
    },
    reader,
    target,
    application.value,
  );
  return success({
    application: { ...runnableApplication(application.value, { workingDirectory, warnings }), input: input.text },
    openEnvironments,
  });
}
