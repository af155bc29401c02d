import { basename } from 'node:path';
import type { ApprovalWord } from '../../contract/approval.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { createDocumentReader, type DocumentReader } from '../documents/document-reader.ts';
import type { AlternateInput } from '../documents/input/alternate.ts';
import type { Target } from '../documents/project/load.ts';
import { success, type Outcome } from '../../contract/outcome.ts';
import { guardedObserver, type RunObserver } from '../evidence/live/observer.ts';
import type { ReservationTools } from '../evidence/publication/reservation.ts';
import type { Application } from '../application/preflight/application.ts';
import { findModelWarnings } from '../providers/models/model-warnings.ts';
import type { SharedProviders } from './acquisition.ts';
import type { ArtifactsRequested, ExplicitDestinations } from './destinations.ts';
import type { OpenEnvironments } from './environments.ts';
import { runnableApplication } from './from-application.ts';
import { authoriseProviders } from './authorisation.ts';
import { resolveCredentials, type CredentialSources } from '../providers/credentials.ts';
import type { GrantUse } from '../providers/source/installed-provider.ts';
import { openEnvironments } from './open-environments.ts';
import { performRun, type RunReport } from './perform-run.ts';
import type { RunApprovals } from './run-approvals.ts';
import type { LoadedRun, LocatedRun, RunSource } from './run-request.ts';
import { projectArtifacts } from '../documents/project/artifacts.ts';
import { checkProvidersLocally, loadNamed, type DocumentOptions } from './named-documents.ts';
import { loadNamedTarget } from '../documents/project/named.ts';
import { openLocalEnvironment, type LocalEnvironmentOptions } from './local-environment.ts';

export type { InputStream, StreamRead } from '../documents/input/alternate.ts';
export type { InterruptedRun } from '../evidence/publication/journal/sweep.ts';
export type { MissedRequest } from '../providers/source/installed-provider.ts';
export type { RunReport } from './perform-run.ts';

/** What a run is asked (runtime.md §1). */
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
  /** Called where a person has to go to authorise what the command names; absent: nobody is. */
  readonly notifyAuthorization?: (url: string) => void;
  /** Where people's grants are, if not with this run alone. */
  readonly grants?: GrantUse;
  /** Where credentials come from, if not from where the host document says. */
  readonly secret?: CredentialSources['secret'];
  /** Who is asked about calls that need a person's yes; absent: nobody can be. */
  readonly approvals?: RunApprovals;
  /** Which calls are asked about in addition to those that the documents name. */
  readonly approval?: ApprovalWord;
  /** Called with the run while it goes on (cli.md §4, `--progress`). */
  readonly observer?: RunObserver;
}

/**
 * Runs one application from its documents to its published artifacts and its project's envelope (runtime.md §1). Prints
 * nothing and never throws; an `--envelope` copy is the caller's. Isolates opened on the way are disposed, the sandbox
 * is not.
 */
export async function runApplication(options: RunOptions): Promise<RunReport> {
  const { runRef, signal, destinations, publication, clock, sandbox, onEvaluated, observer } = options;
  return performRun(
    { sandbox, publication, clock },
    {
      runRef,
      trustDomain: options.trustDomain,
      signal,
      source: namedDocuments(options),
      explicit: destinations,
      onEvaluated,
      ...inputNameOf(options.input),
      ...(options.approvals === undefined ? {} : { approvals: options.approvals }),
      ...(observer === undefined ? {} : { observer: guardedObserver(observer) }),
    },
  );
}

/** Letters that say nothing but a name; a trace shows no other. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** The name of the file that is a normal input: what is private has a name that nobody reads. */
function inputNameOf(input: RunOptions['input']): { readonly inputName?: string } {
  if (input === null || !('path' in input) || input.dataClass === 'private') return {};
  const name = basename(input.path);
  return PLAIN_NAME.test(name) ? { inputName: name } : {};
}

/** The documents that a command names, as what is run. */
function namedDocuments(options: RunOptions): RunSource {
  const reader = createDocumentReader(options.documents, options.workingDirectory);
  return {
    async locate(): Promise<Outcome<LocatedRun>> {
      const target = await loadNamedTarget(options, reader);
      if (!target.ok) return target;
      return success({
        project: projectArtifacts(target.value),
        load: (requested) => load(options, reader, target.value, requested),
      });
    },
  };
}

/** Steps 6 to 9. */
async function load(
  options: RunOptions,
  reader: DocumentReader,
  target: Target,
  requested: ArtifactsRequested,
): Promise<Outcome<LoadedRun>> {
  const application = await loadNamed(options, reader, target, {
    input: options.input,
    identityFixed: requested.trace || (target.kind === 'project' && target.project.document.artifacts !== undefined),
    inspectionCapture: requested.inspection,
  });
  if (!application.ok) return application;
  const { workflow } = application.value.providers;
  const warnings = await findModelWarnings(new Map(workflow.map(({ alias, provider }) => [alias, provider])));
  return success({
    application: runnableApplication(application.value, { workingDirectory: options.workingDirectory, warnings }),
    openEnvironments: opening(options, reader, target, application.value),
  });
}

/** What opening the environments of a run takes of its command. */
export type OpeningOptions = Pick<
  RunOptions,
  | 'workingDirectory'
  | 'documents'
  | 'variables'
  | 'clock'
  | 'trustDomain'
  | 'admission'
  | 'environmentFile'
  | 'authorize'
  | 'notifyAuthorization'
  | 'secret'
  | 'grants'
  | 'approval'
> & { readonly shared?: SharedProviders };

/** Steps 11 and 13 to 15. */
export function opening(
  options: OpeningOptions,
  reader: DocumentReader,
  target: Target,
  application: Application,
): OpenEnvironments {
  return async (context) => {
    const { grants, secret, shared } = options;
    const local = await openLocalEnvironment(options, target, application);
    if (!local.ok) return local;
    const unfit = await checkProvidersLocally(
      { ...options, signal: context.signal },
      reader,
      application,
      'run',
      (occurrence) => shared?.has(occurrence) !== true,
    );
    if (unfit !== null) return unfit;
    const sources = {
      variable: local.value,
      files: options.documents,
      ...(secret === undefined ? {} : { secret }),
    };
    const authorised = await authoriseProviders(
      [...application.providers.workflow, ...application.providers.mission],
      context,
      {
        names: options.authorize,
        notify: options.notifyAuthorization ?? (() => undefined),
        grants: grants ?? null,
        credentialsOf: async (occurrence) => {
          const resolved = await resolveCredentials({ occurrences: [occurrence], host: application.host, sources });
          return resolved.ok ? success(resolved.value.of(occurrence.provider)) : resolved;
        },
      },
    );
    if (!authorised.ok) return authorised;
    try {
      return await openEnvironments(application, authorised.value.context, {
        ...sources,
        reader,
        admission: options.admission ?? null,
        ...(grants === undefined ? {} : { grants }),
        authorisedForRun: options.authorize,
        ...(shared === undefined ? {} : { shared }),
        ...(options.approval === undefined ? {} : { approval: options.approval }),
      });
    } finally {
      authorised.value.release();
    }
  };
}
