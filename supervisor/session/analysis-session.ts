import type { Success } from '../../contract/outcome.ts';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { recoveryName } from '../../contract/recovery-name.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { members } from '../history/analysis/members.ts';
import { nodeEvidenceFiles } from '../history/analysis/files/evidence-files.ts';
import type { Digest } from '../documents/digest.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { loadTarget } from '../documents/project/load.ts';
import { publishArtifacts, type ArtifactReservations } from '../evidence/publication/publish-artifacts.ts';
import { splitPath } from '../evidence/publication/single-file.ts';
import type { DestinationPlan } from '../run/destinations.ts';
import { releaseAll, releaseUnused, reserveAll } from '../run/reservations.ts';
import { captureProfile, type ProfileCapture, type ResourceCount } from './profiles/capture.ts';
import { compileProfile } from './profiles/compile.ts';
import { PROFILE_LIMITS, profileDigest, profileNamed, type Profile } from './profiles/contract.ts';
import { openProfileSession } from './profiles/open-session.ts';
import { findDirectories } from './profiles/places.ts';
import { queryCapabilities } from './profiles/queries.ts';
import { setupRefusal, type SetupRefusal } from './profiles/refusal.ts';
import type { Session } from './session.ts';
import { projectArtifacts } from '../documents/project/artifacts.ts';
import { type DocumentOptions } from '../run/named-documents.ts';
import { makeOwnTraceDirectory, type OwnTraceDirectory } from './own-trace-directory.ts';
import { publicationTools } from '../evidence/publication/published-files.ts';

export type { SessionCode, SetupRefusal } from './profiles/refusal.ts';

/** Bytes of one form or script of an analysis session. */
export const PROFILE_SOURCE_BYTES = PROFILE_LIMITS.subordinate_source_bytes;

/** What an analysis session is opened with (cli.md §11); paths are absolute. */
export interface AnalysisSessionOptions extends Pick<
  DocumentOptions,
  | 'workingDirectory'
  | 'libraries'
  | 'sandbox'
  | 'bundles'
  | 'documents'
  | 'trustDomain'
  | 'clock'
  | 'signal'
  | 'variables'
> {
  readonly runRef: RunReference;
  readonly profile: string;
  /** Whose artifact root has the resources that are not named; null without. */
  readonly project: string | null;
  /** Directories by name of the resource. */
  readonly resources: ReadonlyMap<string, string>;
  /** Exactly these runs; empty: all. */
  readonly runs: readonly string[];
  /** Null: a directory of the session's own. */
  readonly traceDirectory: string | null;
  /** Where the value of the one expression goes; null: nowhere. */
  readonly output: string | null;
  readonly projection: 'preview' | 'json';
  readonly previewCharacters: number;
  readonly showCode: boolean;
}

/** What became of a session once it was closed. */
export interface ClosedAnalysis {
  readonly tracePath: string;
  readonly isTraceWritten: boolean;
  readonly output: 'not_requested' | 'not_written' | 'written' | 'failed';
  readonly calls: Readonly<Record<string, number>>;
}

/** A session over captured runs, which is open. */
export interface AnalysisSession {
  readonly session: Session;
  readonly sessionId: string;
  readonly profile: Pick<Profile, 'id' | 'namespaces' | 'isPrivate'>;
  readonly profileDigest: Digest;
  readonly counts: ReadonlyMap<string, ResourceCount>;
  /** Calls that were granted so far, by name. */
  calls(): Readonly<Record<string, number>>;
  /** Whether a run is among those that were captured. */
  hasRun(runId: string): Promise<boolean>;
  /** Ends it and publishes its trace, then the value (JSON text, null without one) where it was asked for. Once. */
  close(value: string | null): Promise<ClosedAnalysis>;
}

/** A session that is open, or why there is none. */
export type AnalysisOpening = Success<AnalysisSession> | SetupRefusal;

/**
 * Opens a session over captured runs; a refusal has let go of everything, and of the directory that was made for its
 * trace.
 */
export async function openAnalysisSession(options: AnalysisSessionOptions): Promise<AnalysisOpening> {
  const { traceDirectory } = options;
  if (traceDirectory !== null) return openWithTrace(options, traceDirectory);
  const own = await makeOwnTraceDirectory(publicationTools(), options.variables);
  let isOpen = false;
  try {
    const opened = await openWithTrace(options, own.path);
    isOpen = opened.ok;
    return opened.ok ? { ok: true, value: leavingNothingEmpty(opened.value, own) } : opened;
  } finally {
    if (!isOpen) await own.removeEmpty();
  }
}

/** A session that published no trace leaves no directory either. */
function leavingNothingEmpty(session: AnalysisSession, own: OwnTraceDirectory): AnalysisSession {
  return {
    ...session,
    close: async (value) => {
      try {
        return await session.close(value);
      } finally {
        await own.removeEmpty();
      }
    },
  };
}

async function openWithTrace(options: AnalysisSessionOptions, traceDirectory: string): Promise<AnalysisOpening> {
  const profile = profileNamed(options.profile);
  const files = nodeEvidenceFiles;
  const root = options.project === null ? null : await resolveArtifactRoot(options, options.project);
  if (root !== null && typeof root !== 'string') return root;
  const places = await findDirectories(files, {
    profile,
    named: options.resources,
    root,
    output: options.output === null ? null : splitPath(options.output).directory,
    trace: { directory: traceDirectory, isAutomatic: options.traceDirectory === null },
  });
  if (!places.ok) return places;
  const captured = await captureProfile({ files, profile, directories: places.value, runs: options.runs });
  if (!captured.ok) return captured;
  let isOpen = false;
  try {
    const opened = await openOver(options, profile, captured.value, traceDirectory);
    isOpen = opened.ok;
    return opened;
  } finally {
    if (!isOpen) await captured.value.close();
  }
}

/** Null where the project keeps no artifacts. */
async function resolveArtifactRoot(
  { documents, workingDirectory }: AnalysisSessionOptions,
  project: string,
): Promise<string | null | SetupRefusal> {
  const target = await loadTarget(createDocumentReader(documents, workingDirectory), project);
  if (!target.ok) return setupRefusal('profile_setup_failed', target.diagnostic.message, null);
  if (target.value.kind !== 'project')
    return setupRefusal('profile_setup_failed', 'the document that --project names is no project', null);
  return projectArtifacts(target.value)?.root ?? null;
}

async function openOver(
  options: AnalysisSessionOptions,
  profile: Profile,
  capture: ProfileCapture,
  traceDirectory: string,
): Promise<AnalysisOpening> {
  const bundle = await compileProfile({ ...options, sandbox: await options.sandbox(), components: profile.components });
  if (bundle === null)
    return setupRefusal('profile_setup_failed', 'the libraries of the profile could not be compiled', null);
  const sessionId = `${profile.isPrivate ? 'private-run-analysis' : 'run-analysis'}-${randomBytes(8).toString('hex')}`;
  const reserved = await reserveAll(publicationTools(), planOf(options, profile, { sessionId, traceDirectory }), null);
  if (!reserved.ok)
    return setupRefusal('profile_setup_failed', reserved.diagnostic.message, reserved.advice?.hint ?? null);
  const { value: reservations } = reserved;
  let isOpen = false;
  try {
    const opened = await openProfileSession({
      tools: options,
      runRef: options.runRef,
      sessionId,
      signal: options.signal,
      profile,
      bundle,
      capabilities: queryCapabilities(profile.queries, 1_048_576, async (query, input) => capture.answer(query, input)),
      trace: reservations.trace,
      projection: options.projection,
      previewCharacters: options.previewCharacters,
      showCode: options.showCode,
      release: async () => capture.close(),
    });
    if (!opened.ok) return setupRefusal('profile_setup_failed', opened.diagnostic.message, null);
    isOpen = true;
    const { session, calls } = opened.value;
    const close = async (value: string | null): Promise<ClosedAnalysis> =>
      closeSession(session, reservations, { value, tracePath: join(traceDirectory, `${sessionId}.jsonl`), calls });
    const hasRun = async (runId: string): Promise<boolean> =>
      (await capture.answer('open', members({ run_id: runId }))).ok;
    return {
      ok: true,
      value: {
        session,
        calls,
        hasRun,
        sessionId,
        profile,
        profileDigest: profileDigest(profile),
        counts: capture.counts,
        close,
      },
    };
  } finally {
    if (!isOpen) await releaseUnused(reservations);
  }
}

function planOf(
  { output, runRef }: AnalysisSessionOptions,
  { isPrivate }: Profile,
  { sessionId, traceDirectory }: { readonly sessionId: string; readonly traceDirectory: string },
): DestinationPlan {
  const result =
    output === null
      ? null
      : {
          ...splitPath(output),
          nameIsUnique: false,
          ...(isPrivate
            ? ({ mode: 0o600, recovery: recoveryName(runRef) } as const)
            : ({ mode: 0o644, recovery: null } as const)),
        };
  return {
    trace: { directory: traceDirectory, name: `${sessionId}.jsonl`, mode: 0o600, recovery: null, nameIsUnique: true },
    inspection: null,
    result,
  };
}

interface Closing {
  readonly value: string | null;
  readonly tracePath: string;
  readonly calls: () => Readonly<Record<string, number>>;
}

async function closeSession(
  session: Session,
  reservations: ArtifactReservations,
  { value, tracePath, calls }: Closing,
): Promise<ClosedAnalysis> {
  try {
    const sealed = await session.close();
    const result = value === null || reservations.result === null ? null : new TextEncoder().encode(value);
    const { states } = await publishArtifacts(publicationTools().fileSystem, reservations, {
      trace: sealed?.trace ?? null,
      inspection: null,
      result,
    });
    const output =
      states.result === 'written' || states.result === 'not_requested' || states.result === 'not_written'
        ? states.result
        : 'failed';
    return { tracePath, isTraceWritten: states.trace === 'written', output, calls: calls() };
  } finally {
    await releaseAll(reservations);
  }
}
