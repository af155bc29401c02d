import type { RunReference } from '../../contract/run-reference.ts';
import { NO_JOURNAL, openJournal, type WriteAheadJournal } from '../evidence/publication/journal/journal.ts';
import { sweepJournals, type InterruptedRun } from '../evidence/publication/journal/sweep.ts';
import type { ArtifactRoot } from '../evidence/publication/artifact-root.ts';
import type { RunTools } from './run-request.ts';

export interface RunsOfProject {
  readonly journal: WriteAheadJournal;
  /** Dead runs whose value was sealed, found while sweeping. */
  readonly interrupted: readonly InterruptedRun[];
}

/**
 * The journal of a run beside those of the runs before it; none without a project's artifact root (documents.md §6).
 */
export async function openRunJournal(
  { publication, clock }: RunTools,
  artifactRoot: ArtifactRoot | null,
  runRef: RunReference,
): Promise<RunsOfProject> {
  const root = artifactRoot?.directory() ?? null;
  if (root === null) return { journal: NO_JOURNAL, interrupted: [] };
  const interrupted = await sweepJournals(publication, root);
  const owner = await publication.owners.self();
  return { journal: await openJournal(publication.fileSystem, { root, runRef, owner, clock }), interrupted };
}
