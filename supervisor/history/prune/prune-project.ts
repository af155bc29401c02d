import { diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { createDocumentReader } from '../../documents/document-reader.ts';
import type { FileSystem } from '../../documents/file-system.ts';
import { projectArtifacts } from '../../documents/project/artifacts.ts';
import { loadProject, type RefusedOnProject } from '../../documents/project/load-project.ts';
import { publicationTools } from '../../evidence/publication/published-files.ts';
import { prune, type PruneReport } from './prune.ts';

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
