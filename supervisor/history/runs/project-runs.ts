import { join } from 'node:path';
import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { sha256Hex } from '../../documents/digest.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import type { FileSystem } from '../../documents/file-system.ts';
import { projectArtifacts } from '../../documents/project/artifacts.ts';
import { loadProject, type RefusedOnProject } from '../../documents/project/load-project.ts';
import type { Variables } from '../../../system/configuration/configuration.ts';
import { nodeEvidenceFiles } from '../analysis/files/evidence-files.ts';
import { runCacheFile } from '../analysis/run-index/storage.ts';
import { nodeRunFolders } from './node-run-folders.ts';
import { listRuns, type RunList, type RunListSource } from './run-list.ts';
import { selectRun, type SelectorFault } from './run-selector.ts';

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
  filter: { readonly limit: number; readonly failedOnly: boolean },
): Promise<{ readonly ok: true; readonly list: RunList } | RefusedOnProject> {
  const source = await openRunList(options);
  return 'ok' in source ? source : { ok: true, list: await listRuns(source, filter) };
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
