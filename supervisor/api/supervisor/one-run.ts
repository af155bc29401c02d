import { success } from '../../../contract/outcome.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import type { ApplicationInput } from '../../documents/input/choose.ts';
import { guardedObserver } from '../../live/observer.ts';
import type { Preparation } from '../../prepared/prepared-application.ts';
import type { CallAdmission } from '../../provider-source/call-admission.ts';
import type { ReservationTools } from '../../publication/reservation.ts';
import type { RunEvents } from '../../run-events/run-events.ts';
import { modelWarnings } from '../../providers/models/model-warnings.ts';
import type { ArtifactsRequested, ProjectArtifacts } from '../../run/destinations.ts';
import { runnableApplication } from '../../run/from-application.ts';
import { performRun } from '../../run/perform-run.ts';
import type { RunReport } from '../../run/perform-run.ts';
import type { LoadedRun, LocatedRun, RunSource } from '../../run/run-request.ts';
import type { Step } from '../../run/step.ts';
import type { SecretProvider } from '../../stores/interface.ts';
import { resolveSecret } from '../../stores/secrets.ts';
import { projectArtifacts } from '../documents.ts';
import type { Machine } from '../machine.ts';
import { opening } from '../run.ts';
import type { RunRequest } from '../../embedding/types.ts';

/** What every run of a supervisor is performed with. */
export interface RunSetting {
  readonly machine: Machine;
  readonly publication: ReservationTools;
  readonly calls: CallAdmission;
  /** Directory of artifacts of all tenants, absolute; null without one. */
  readonly artifactRoot: string | null;
  readonly variables: (tenant: string) => Readonly<Record<string, string | undefined>>;
  /** Null: credentials come from where the host document says. */
  readonly secrets: SecretProvider | null;
}

/** One run that may begin. */
export interface BegunRun {
  readonly runRef: RunReference;
  readonly tenant: string;
  readonly preparation: Preparation;
  readonly input: Pick<ApplicationInput, 'text' | 'dataClass'>;
  readonly request: Pick<RunRequest, 'artifacts' | 'limits' | 'effectGate'>;
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  readonly events: RunEvents;
  /** Milliseconds of the monotonic clock. */
  readonly deadlineAt: number | null;
}

/** Where the artifacts of a run go: below the folder of its tenant, else where its project says; null: nowhere. */
export function artifactsOf({ artifactRoot }: Pick<RunSetting, 'artifactRoot'>, { tenant, preparation, request: { artifacts } }: Pick<BegunRun, 'tenant' | 'preparation' | 'request'>, isPrivate: boolean): ProjectArtifacts | null {
  const ofProject = projectArtifacts(preparation.target);
  if (artifacts === undefined && ofProject !== null) return ofProject;
  if (artifactRoot === null) return null;
  const { trace = false, inspection = false, result = false } = artifacts ?? {};
  // A private result is told nowhere else (runtime.md §12).
  return trace || inspection || result || isPrivate ? { root: `${artifactRoot}/${tenant}`, trace, inspection, result: result || isPrivate, envelope: false } : null;
}

/** Performs a run of a prepared application (runtime.md §1 from step 9 on). Never throws. */
export async function performPrepared(setting: RunSetting, run: BegunRun): Promise<RunReport> {
  const { machine: { clock }, publication } = setting;
  const { runRef, tenant, sandbox, signal, events, deadlineAt, request: { effectGate } } = run;
  return performRun({ sandbox: async () => sandbox, publication, clock }, {
    runRef,
    trustDomain: tenant,
    signal,
    source: preparedSource(setting, run),
    explicit: { traceDirectory: null, inspection: null, output: null, privateOutput: null },
    onEvaluated: () => undefined,
    observer: guardedObserver(events.observer),
    ...(deadlineAt === null ? {} : { deadlineAt }),
    ...(effectGate === undefined ? {} : { effectGate: async (effect) => effectGate(effect).then((mayLeave: unknown) => mayLeave === true, () => false) }),
  });
}

function preparedSource(setting: RunSetting, run: BegunRun): RunSource {
  const { preparation, input, request: { limits = {} } } = run;
  const variant = (requested: Pick<ArtifactsRequested, 'trace' | 'inspection'>, hasProject: boolean) => preparation.variant({
    dataClass: input.dataClass, identityFixed: requested.trace || hasProject, inspectionCapture: requested.inspection, narrowed: limits,
  });
  return {
    async locate(): Promise<Step<LocatedRun>> {
      const plain = await variant({ trace: false, inspection: false }, false);
      const isPrivate = plain.ok && plain.value.providers.eventPolicy === 'private';
      const project = artifactsOf(setting, run, isPrivate);
      return success({ project, load: (requested) => load(setting, run, () => variant(requested, project !== null)) });
    },
  };
}

async function load(setting: RunSetting, run: BegunRun, variant: () => ReturnType<Preparation['variant']>): Promise<Step<LoadedRun>> {
  const application = await variant();
  if (!application.ok) return application;
  const { preparation: { workingDirectory, target, host }, input, events, tenant } = run;
  const { providers } = application.value;
  if (providers.eventPolicy === 'private') events.keepPrivate();
  const warnings = await modelWarnings(new Map(providers.workflow.map(({ alias, provider }) => [alias, provider])));
  for (const { code } of warnings) events.tell('warning', { code });
  const { machine, calls, variables, secrets } = setting;
  // What a run reads of its host's directory is read when it is opened: fixtures, credentials, snapshots.
  const reader = createDocumentReader(machine.documents, host?.directory ?? '/');
  const openEnvironments = opening({
    ...machine, workingDirectory, variables: variables(tenant), trustDomain: tenant, environmentFile: null, authorize: [],
    admission: calls,
    ...(secrets === null ? {} : { secret: async (binding: string, installation: string) => (await resolveSecret(secrets, { tenant, binding, installation, purpose: 'acquisition' }))?.value ?? null }),
  }, reader, target, application.value);
  return success({ application: { ...runnableApplication(application.value, { workingDirectory, warnings }), input: input.text }, openEnvironments });
}
