import { NO_JOURNAL, openJournal } from '../journal/journal.ts';
import type { RunJournal } from '../journal/journal.ts';
import { sweepJournals } from '../journal/sweep.ts';
import type { InterruptedRun } from '../journal/sweep.ts';
import { usesArtifactRoot } from './reservations.ts';
import type { RunRequest, RunTools } from './run-tools.ts';

export interface RunsOfProject {
  readonly journal: RunJournal;
  /** Dead runs whose value was sealed, found while sweeping. */
  readonly interrupted: readonly InterruptedRun[];
}

/** The journal of a run beside those of the runs before it; none without a project's artifact root (documents.md §6). */
export async function journalOf({ publication, clock }: RunTools, { project, runRef }: RunRequest): Promise<RunsOfProject> {
  if (!usesArtifactRoot(project)) return { journal: NO_JOURNAL, interrupted: [] };
  const interrupted = await sweepJournals(publication, project.root);
  const owner = await publication.owners.self();
  return { journal: await openJournal(publication.fileSystem, { root: project.root, runRef, owner, clock }), interrupted };
}
