import type { DiagnosticCode } from '../../../contract/diagnostics/codes.ts';
import type { OpenDirectory, PublicationFileSystem } from '../../evidence/publication/file-system.ts';
import {
  openSafeDirectory,
  type DirectoryFault,
  type SafeDirectory,
} from '../../evidence/publication/safe-directory.ts';
import { splitPath } from '../../evidence/publication/single-file.ts';
import { isStill, writeNewFile } from '../../evidence/publication/staging.ts';

/** Names in a candidate directory (documents.md §11). */
export const CANDIDATE_NAME = 'candidate.clj';
export const DESCRIPTOR_NAME = 'descriptor.json';

const PARENT_CODES: Readonly<Record<DirectoryFault, DiagnosticCode>> = {
  missing: 'candidate_destination_parent_missing',
  not_directory: 'invalid_candidate_destination',
  unsafe: 'candidate_destination_parent_unsafe',
  unusable: 'candidate_publication_failed',
};

/** A directory that was written and not judged yet. */
export interface WrittenCandidate {
  readonly ok: true;
  /** Absolute, as it was asked for. */
  readonly path: string;
  /** Leaves it; false where that cannot be made permanent. */
  keep(): Promise<boolean>;
  /** Removes it; false where something is left. */
  remove(): Promise<boolean>;
}

type Written = WrittenCandidate | { readonly ok: false; readonly code: DiagnosticCode };

/** Makes the directory of an absolute path, where nothing may be, with the two files, for its owner alone. */
export async function writeCandidate(
  fileSystem: PublicationFileSystem,
  path: string,
  files: { readonly candidate: Uint8Array; readonly descriptor: Uint8Array },
): Promise<Written> {
  const { directory, name } = splitPath(path);
  if (name === '' || name === '.' || name === '..') return { ok: false, code: 'invalid_candidate_destination' };
  const opened = await openSafeDirectory(fileSystem, directory);
  if (!opened.ok) return { ok: false, code: PARENT_CODES[opened.fault] };
  const parent = opened.value;
  const made = await parent.directory.makeDirectory(name, 0o700);
  const own = made.ok ? await parent.directory.openDirectory(name) : made;
  if (!own.ok) {
    await parent.directory.close();
    return {
      ok: false,
      code: !made.ok && made.errno === 'EEXIST' ? 'candidate_destination_exists' : 'candidate_publication_failed',
    };
  }
  const written = admitDirectory(path, parent, { name, directory: own.value });
  const isWritten =
    (await writeNewFile(own.value, CANDIDATE_NAME, files.candidate, 0o600)).ok &&
    (await writeNewFile(own.value, DESCRIPTOR_NAME, files.descriptor, 0o600)).ok;
  if (isWritten) return written;
  return { ok: false, code: (await written.remove()) ? 'candidate_publication_failed' : 'candidate_cleanup_failed' };
}

function admitDirectory(
  path: string,
  parent: SafeDirectory,
  { name, directory }: { readonly name: string; readonly directory: OpenDirectory },
): WrittenCandidate {
  const close = async (): Promise<void> => {
    await directory.close();
    await parent.directory.close();
  };
  return {
    ok: true,
    path,
    keep: async () => {
      const isStored = (await directory.sync()).ok && (await parent.directory.sync()).ok;
      await close();
      return isStored;
    },
    remove: async () => {
      const status = await directory.status();
      for (const file of [CANDIDATE_NAME, DESCRIPTOR_NAME]) await directory.removeFile(file);
      const isOurs = status.ok && (await isStill(parent.directory, name, status.value.identity));
      const isClosed = isOurs && (await parent.directory.removeDirectory(name)).ok;
      await close();
      return isClosed;
    },
  };
}
