import type { OpenDirectory, PublicationFileSystem } from '../file-system.ts';

/** Journals of unfinished runs, below a project's artifact root (documents.md §6, "Layout"). */
export const JOURNAL_DIRECTORY = 'runs';

const OTHERS = 0o077;

/**
 * Opens the directory, which is made when it is absent; null for one that cannot be made or is not this user's alone.
 */
export async function openJournalDirectory(
  fileSystem: PublicationFileSystem,
  root: OpenDirectory,
): Promise<OpenDirectory | null> {
  const made = await root.makeDirectory(JOURNAL_DIRECTORY, 0o700);
  if (!made.ok && made.errno !== 'EEXIST') return null;
  return openExistingJournals(fileSystem, root);
}

/** As `openJournalDirectory`, and null for one that is absent. */
export async function openExistingJournals(
  fileSystem: PublicationFileSystem,
  root: OpenDirectory,
): Promise<OpenDirectory | null> {
  const opened = await root.openDirectory(JOURNAL_DIRECTORY);
  if (!opened.ok) return null;
  const status = await opened.value.status();
  if (status.ok && status.value.owner === fileSystem.userId && (status.value.mode & OTHERS) === 0) return opened.value;
  await opened.value.close();
  return null;
}
