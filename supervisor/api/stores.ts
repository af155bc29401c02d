import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileArtifacts } from '../stores/file-artifacts.ts';
import { fileJournal } from '../stores/file-journal.ts';
import type { ArtifactStore, RunJournal } from '../stores/interface.ts';
import { publicationTools } from './publication.ts';

/**
 * Artifacts as files below a directory of this user alone, which is made when it is absent (gateway.md §16): several processes,
 * and machines that share a file system, may use it beside each other. Throws what the file system says of one that cannot be made.
 */
export function directoryArtifacts(directory: string): ArtifactStore {
  return fileArtifacts(publicationTools(), made(directory));
}

/** The record of runs below such a directory. Throws what the file system says of one that cannot be made. */
export function directoryJournal(directory: string): RunJournal {
  return fileJournal(publicationTools(), made(directory));
}

function made(directory: string): string {
  const path = resolve(directory);
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
