import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { envelopeText } from '../../contract/envelope/text.ts';
import type { RunFailure, RunSuccess } from '../../contract/envelope/types.ts';
import { failure } from '../../contract/outcome.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { loadTarget } from '../documents/project/load.ts';
import { prepareArtifactRoot } from '../run/reservations.ts';
import { TRUST_DOMAIN, checkFixtures, explainFault, loadNamed, projectArtifacts } from './documents.ts';
import type { DocumentOptions } from './documents.ts';
import { localEnvironment } from './local-environment.ts';
import type { LocalEnvironmentOptions } from './local-environment.ts';
import type { Explanation } from '../documents/explain/explanation.ts';
import type { AlternateInput } from '../documents/input/choose.ts';
import type { InterruptedRun } from '../journal/sweep.ts';
import { guardedObserver } from '../live/observer.ts';
import type { RunObserver } from '../live/observer.ts';
import type { ReservationTools } from '../publication/reservation.ts';
import { publishSingleFile } from '../publication/single-file.ts';
import { concludeEarly, concludeInternal } from '../run/conclusion.ts';
import type { RunProgress } from '../run/conclusion.ts';
import { requestedArtifacts } from '../run/destinations.ts';
import type { ExplicitDestinations, ProjectArtifacts } from '../run/destinations.ts';
import { runExitStatus } from '../run/exit.ts';
import { runnableApplication } from '../run/from-application.ts';
import { ROOTLESS, performRun } from '../run/perform-run.ts';
import type { PerformedRun } from '../run/perform-run.ts';
import type { RunnableApplication } from '../run/application.ts';
import { openEnvironments } from '../run/open-environments.ts';
import type { RunContext } from '../run/run-context.ts';
import type { RootFault } from '../run/reservations.ts';
export interface RunOptions extends DocumentOptions, LocalEnvironmentOptions {
  /** Generated before the arguments were read; name of the run and of everything derived from it. */
  readonly runRef: RunReference;
  /** Null: the declared input. */
  readonly input: AlternateInput | null;
  /** Absolute paths. */
  readonly destinations: ExplicitDestinations;
  readonly publication: ReservationTools;
  /** Called once the run evaluates nothing further, before its artifacts are published. */
  readonly onEvaluated: () => void;
  /** Told of the run while it goes on (cli.md §4, `--progress`). */
  readonly observer?: RunObserver;
}

export interface RunReport {
  readonly envelope: RunSuccess | RunFailure;
  readonly exitStatus: number;
  /** Canonical JSON of a normal run's value; null for every other end. */
  readonly valueText: string | null;
  /** `envelopes/<ref>.json` of the project's artifact root. */
  readonly ledger: 'not_requested' | 'written' | 'failed';
  /** A remedy for people, without paths; null without one. */
  readonly hint: string | null;
  /** The place of a document fault, for a person at a terminal; null for every other end. */
  readonly explanation?: Explanation | null;
  /** Earlier runs of the project that died with a sealed value (runtime.md §15.1). */
  readonly interrupted: readonly InterruptedRun[];
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
}

/**
 * Runs one application from its documents to its published artifacts and ledger (runtime.md §1). Prints nothing and
 * never throws; an `--envelope` copy is the caller's. Isolates opened on the way are disposed, the sandbox is not.
 */
export async function runApplication(options: RunOptions): Promise<RunReport> {
  const progress: RunProgress = {
    runRef: options.runRef,
    requested: requestedArtifacts(options.destinations, null),
    artifactClass: null,
    hasBegun: false,
  };
  let ended: EndedRun;
  try {
    ended = await loadAndPerform(options, progress);
  } catch (error) {
    ended = { ...concludeInternal(progress, error), ...ROOTLESS, project: null };
  }
  const ledger = await publishLedger(options, ended);
  return {
    envelope: ended.envelope,
    exitStatus: runExitStatus(ended.envelope, options.signal, ledger === 'failed'),
    valueText: ended.valueText,
    ledger,
    hint: hintOf(ended),
    explanation: ended.explanation ?? null,
    interrupted: ended.interrupted,
    unexpected: ended.unexpected,
  };
}

interface EndedRun extends PerformedRun {
  readonly project: ProjectArtifacts | null;
  readonly explanation?: Explanation | null;
  /** Which rule a local check found broken, for people. */
  readonly localHint?: string | null;
}

/** Steps 2 and 6 to 18. A fault of the project or the application is told after what the project asks for is known. */
async function loadAndPerform(options: RunOptions, progress: RunProgress): Promise<EndedRun> {
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  const target = await loadTarget(reader, options.document);
  const explain = (error: Diagnostic) => explainFault(options, reader, target, error, options.input);
  if (!target.ok) {
    const { diagnostic: error } = target;
    return { ...concludeEarly(progress, error), ...ROOTLESS, project: null, explanation: await explain(error) };
  }
  const project = projectArtifacts(target.value);
  progress.requested = requestedArtifacts(options.destinations, project);

  const { requested } = progress;
  const application = await loadNamed(options, reader, target.value, {
    input: options.input,
    identityFixed: requested.trace || (target.value.kind === 'project' && target.value.project.document.artifacts !== undefined),
    inspectionCapture: requested.inspection,
  });
  if (!application.ok) {
    const { diagnostic: error } = application;
    return { ...concludeEarly(progress, error), ...ROOTLESS, project, explanation: await explain(error) };
  }
  let localHint: string | null = null;
  const tools = {
    sandbox: await options.sandbox(),
    publication: options.publication,
    clock: options.clock,
    signal: options.signal,
    openEnvironments: async (_: RunnableApplication, context: RunContext) => {
      const local = await localEnvironment(options, target.value, application.value);
      if (!local.ok) return local;
      const unfit = await checkFixtures(options, reader, application.value);
      if (unfit === null) return openEnvironments(application.value, context);
      localHint = unfit.hint;
      return failure(unfit.diagnostic);
    },
    onEvaluated: options.onEvaluated,
    ...(options.observer === undefined ? {} : { observer: guardedObserver(options.observer) }),
  };
  const request = { runRef: options.runRef, explicit: options.destinations, project, trustDomain: TRUST_DOMAIN };
  const performed = await performRun(tools, request, runnableApplication(application.value));
  return { ...performed, project, localHint };
}

/** The project's own copy of the envelope; a refused artifact root leaves it out (cli.md §3). */
async function publishLedger(options: RunOptions, { envelope, project, rootFault }: EndedRun): Promise<RunReport['ledger']> {
  if (project === null || !project.envelope || rootFault !== null) return 'not_requested';
  // A run that failed before its destinations has not made the root yet.
  if ((await prepareArtifactRoot(options.publication, project)) !== null) return 'not_requested';
  const path = `${project.root}/envelopes/${options.runRef}.json`;
  const bytes = new TextEncoder().encode(envelopeText(envelope));
  return (await publishSingleFile(options.publication, path, bytes, true)) === 'written' ? 'written' : 'failed';
}

/** Directories of a group are common where the umask is 002, and the rule that refuses them is not. */
const UNSAFE_HINT = 'each directory above must belong to you or root and be writable by nobody else; run chmod go-w on it';
const UNSAFE_CODES: ReadonlySet<string> = new Set(['trace_destination_unsafe', 'inspection_destination_unsafe', 'result_destination_unsafe']);

function hintOf({ rootFault, envelope, localHint }: EndedRun): string | null {
  if (rootFault !== null) return rootHint(rootFault);
  if (localHint !== undefined && localHint !== null) return localHint;
  return envelope.status === 'error' && UNSAFE_CODES.has(envelope.error.code) ? UNSAFE_HINT : null;
}

const ROOT_HINTS: Readonly<Record<RootFault['fault'], string>> = {
  parent_unusable: 'its parent directory cannot be used safely',
  not_a_directory: 'it is not a directory',
  foreign_owner: 'it belongs to another user',
  mode: 'others may use it; run chmod 700 on it',
  unavailable: 'it cannot be read or created',
};

function rootHint({ fault, child }: RootFault): string {
  return `the artifact root of the project${child === null ? '' : `, directory ${child},`} is refused: ${ROOT_HINTS[fault]}`;
}
