import { join, dirname } from 'node:path';
import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Refused } from '../../contract/outcome.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { sha256Hex } from '../documents/digest.ts';
import type { FileSystem } from '../documents/file-system.ts';
import { loadProject, type RefusedOnProject } from '../documents/project/load-project.ts';
import { nodeEvidenceFiles } from '../history/analysis/files/evidence-files.ts';
import { runCacheFile } from '../history/analysis/run-index/storage.ts';
import { nodeRunFolders } from '../history/runs/node-run-folders.ts';
import { listRuns, type RunList, type RunListSource } from '../history/runs/run-list.ts';
import { selectRun, type SelectorFault } from '../history/runs/run-selector.ts';
import type { Variables } from '../platform/configuration/configuration.ts';
import { projectArtifacts } from '../run/named-documents.ts';
import { loadTarget } from '../documents/project/load.ts';
import { explain, type ExplainedProject, type Explanation, type ExplainFault } from '../history/explain/explain.ts';
import { prune, type PruneReport } from '../history/prune/prune.ts';
import { publicationTools } from '../evidence/publication/published-files.ts';

export { keptCodeRuns } from '../platform/configuration/code-root.ts';
export type { RefusedOnProject } from '../documents/project/load-project.ts';
export type { RunList } from '../history/runs/run-list.ts';
export type { RunRow } from '../history/runs/run-row.ts';

/** Whose runs. */
export interface ProjectRunsOptions {
  /** A project document; relative to the working directory. */
  readonly project: string;
  /** A folder of runs that are of no project, which are meant where there is no such project; null: there is none. */
  readonly own: string | null;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly documents: FileSystem;
  readonly variables: Variables;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  /** Called while runs are looked through: how many of how many; at the end all. */
  readonly onLooked?: (looked: number, runs: number) => void;
}

/** The newest runs of a project, or the newest that failed (first-day.md §1). */
export async function listProjectRuns(
  options: ProjectRunsOptions,
  asked: { readonly limit: number; readonly failedOnly: boolean },
): Promise<{ readonly ok: true; readonly list: RunList } | RefusedOnProject> {
  const source = await openRunList(options);
  return 'ok' in source ? source : { ok: true, list: await listRuns(source, asked) };
}

/** A run of a project, and where the project keeps what runs leave. */
export interface FoundRun {
  readonly runRef: string;
  /** Absolute, as all that follow. */
  readonly traces: string;
  readonly inspections: string;
  readonly inspection: string;
}

/** The run of a project that a word means: its reference, `latest`, `latest-failed` or the beginning of one. */
export async function findProjectRun(
  options: ProjectRunsOptions,
  word: string,
): Promise<{ readonly ok: true; readonly run: FoundRun } | RefusedOnProject> {
  const source = await openRunList(options);
  if ('ok' in source) return source;
  const selected = await selectRun(source, word);
  if (!selected.ok)
    return { ok: false, diagnostic: diagnostic('reference_missing'), hint: SELECTOR_HINTS[selected.fault] };
  const { runRef } = selected;
  const inspections = join(source.root, 'inspection');
  return {
    ok: true,
    run: {
      runRef,
      traces: join(source.root, 'traces'),
      inspections,
      inspection: join(inspections, `${runRef}.svcins`),
    },
  };
}

const SELECTOR_HINTS: Readonly<Record<SelectorFault, string>> = {
  no_runs: 'the project has no runs yet',
  no_failed_run: 'no run of the project failed',
  no_such_run: 'no run of the project has a reference that begins like this; svc runs lists them',
  ambiguous: 'several runs of the project begin like this; write more of the reference',
};

async function openRunList({
  project,
  own,
  workingDirectory,
  documents,
  variables,
  now,
  signal,
  onLooked,
}: ProjectRunsOptions): Promise<RunListSource | RefusedOnProject> {
  const target = await loadProject(createDocumentReader(documents, workingDirectory), project);
  const isOwn = !target.ok && own !== null && (target.reason === 'missing' || target.reason === 'application');
  if (!target.ok && !isOwn) return { ...target, hint: null };
  const root = target.ok ? projectArtifacts(target.value)?.root : own;
  if (root === undefined || root === null)
    return {
      ok: false,
      diagnostic: diagnostic('reference_missing'),
      hint: 'the project keeps nothing of its runs: add artifacts.root to it',
    };
  return {
    files: nodeEvidenceFiles,
    folders: nodeRunFolders,
    storage: await runCacheFile(variables, `${sha256Hex(root)}.times`),
    root,
    now,
    signal,
    ...(onLooked === undefined ? {} : { onLooked }),
  };
}

export type { Explanation } from '../history/explain/explain.ts';

/** What a face may show a person of a fault beside its envelope (documents.md §14). */
export type { TargetDocument } from '../../contract/outcome.ts';
export { performTranscript } from '../history/transcript/transcript-command.ts';

/** What `svc explain` is asked. */
export interface ExplainOptions {
  /** A run of the project, or the path of an envelope, relative to the working directory. */
  readonly subject: string;
  /** A project document; null: the one of the usual name in the working directory, if it is one. */
  readonly project: string | null;
  /** A folder of runs that are of no project, where there is none; null: there is none either. */
  readonly own: string | null;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly documents: FileSystem;
  /** Whether private evidence may be read and reported. */
  readonly showsPrivate: boolean;
}

/** What is known of a run, or why nothing is. */
export type ExplainOutcome = { readonly ok: true; readonly explanation: Explanation } | Refused;

const USUAL_PROJECT = 'svc-project.json';

/**
 * Says how a run came to its end, from what it left; from what is private of that only where it was asked for. Contacts
 * nothing and runs nothing.
 */
export async function explainRun({
  subject,
  project,
  own,
  workingDirectory,
  documents,
  showsPrivate,
}: ExplainOptions): Promise<ExplainOutcome> {
  const reader = createDocumentReader(documents, workingDirectory);
  const target = await loadTarget(reader, project ?? USUAL_PROJECT);
  if (!target.ok && project !== null) return { ok: false, diagnostic: target.diagnostic, hint: null };
  const isProject = target.ok && target.value.kind === 'project';
  if (!isProject && project !== null)
    return { ok: false, diagnostic: diagnostic('project_schema_invalid'), hint: '--project takes a project document' };
  const end = await explain(
    { reader, files: nodeEvidenceFiles, showsPrivate },
    subject,
    (target.ok ? projectOf(target.value) : null) ??
      (own === null ? null : { artifactRoot: own, application: workingDirectory }),
  );
  return end.ok ? end : { ok: false, diagnostic: diagnostic(EXPLAIN_CODES[end.fault]), hint: EXPLAIN_HINTS[end.fault] };
}

function projectOf(target: Parameters<typeof projectArtifacts>[0]): ExplainedProject | null {
  if (target.kind === 'application') return null;
  const { directory, document } = target.project;
  return {
    artifactRoot: projectArtifacts(target)?.root ?? null,
    application: dirname(`${directory === '/' ? '' : directory}/${document.application.path}`),
  };
}

const EXPLAIN_CODES = {
  run_not_found: 'reference_missing',
  envelope_unreadable: 'reference_missing',
  envelope_too_large: 'invalid_arguments',
  no_json: 'invalid_arguments',
  no_run_envelope: 'invalid_arguments',
} as const satisfies Readonly<Record<ExplainFault, string>>;

const EXPLAIN_HINTS: Readonly<Record<ExplainFault, string>> = {
  run_not_found:
    'the project has no envelope of that run: artifacts.envelope keeps them, and --project names another project than svc-project.json here',
  envelope_unreadable:
    'there is no such file, or you may not read it; name a run as svc runs lists it, or the path of an envelope',
  envelope_too_large: 'an envelope has at most 8000000 bytes',
  no_json: 'the file is not JSON; svc run --envelope envelope.json writes one',
  no_run_envelope: 'the file is not an envelope written by svc run',
};

export type { PruneReport } from '../history/prune/prune.ts';

/** What `svc prune` is asked (cli.md §10). At least one of the two limits is not null. */
export interface PruneOptions {
  /** A project document; relative to the working directory. */
  readonly document: string;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly maxAgeDays: number | null;
  readonly maxBytes: number | null;
  readonly isDryRun: boolean;
  readonly documents: FileSystem;
  /** Stops it between two runs; what was deleted until then is in the report. */
  readonly signal: AbortSignal;
}

/** What was done, or why nothing more could be. */
export type PruneOutcome = { readonly ok: true; readonly report: PruneReport } | RefusedOnProject;

/** Deletes old runs of a project, each whole or not at all. */
export async function pruneProject({
  document,
  workingDirectory,
  documents,
  ...limits
}: PruneOptions): Promise<PruneOutcome> {
  const target = await loadProject(createDocumentReader(documents, workingDirectory), document);
  if (!target.ok) return { ...target, hint: null };
  const artifacts = projectArtifacts(target.value);
  if (artifacts === null)
    return { ok: false, diagnostic: diagnostic('prune_unavailable'), hint: 'the project has no artifacts.root' };
  const end = await prune(publicationTools(), { root: artifacts.root, ...limits });
  return end.ok ? end : { ok: false, diagnostic: diagnostic(end.fault.code), hint: end.fault.hint };
}
