import { nodeFileSystem } from './node-file-system.ts';
import { refusalWords } from './refusal-words.ts';
import { processOwnerProbe } from './owner.ts';
import type { ReservationTools } from './reservation.ts';
import { admitSingleFile, resolvePhysicalKey, publishSingleFile } from './single-file.ts';

/** This machine, for files that are published without replacing any (runtime.md §12). */
export function publicationTools(): ReservationTools {
  return { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now };
}

/**
 * Single files whose names callers choose, published through the protocol of artifacts (cli.md §3, "How"). Paths are
 * absolute.
 */
export interface PublishedFiles {
  /** Physical identity of a destination that need not exist; null when no ancestor can be read. */
  key(path: string): Promise<string | null>;
  admit(path: string): Promise<AdmittedFile | 'exists' | { readonly unavailable: string | null }>;
}

/** The place of a file that is still to be written; its directory is held, whatever becomes of the path. */
export interface AdmittedFile {
  /** Writes all bytes under the final name or leaves nothing under it. Once at most. */
  publish(bytes: Uint8Array): Promise<boolean>;
}

/** The single files of this machine, through the publication protocol (runtime.md §12). */
export function publishedFiles(): PublishedFiles {
  const tools = publicationTools();
  return {
    key: async (path) => resolvePhysicalKey(tools, path),
    admit: async (path) => {
      const admission = await admitSingleFile(tools, path);
      if (admission.status === 'exists') return 'exists';
      if (admission.status === 'unavailable')
        return { unavailable: admission.refused === null ? null : refusalWords(tools.fileSystem, admission.refused) };
      // The caller chose the name: another command may ask for it at the same time.
      return {
        publish: async (bytes) => (await publishSingleFile(tools, admission.place, bytes, false)) === 'written',
      };
    },
  };
}
