import { admitSingleFile, physicalKey, publishSingleFile } from '../../supervisor/publication/single-file.ts';
import type { EnvelopeFiles } from './admission.ts';
import { publicationTools } from './publication-tools.ts';

/** Envelope files on the machine's file system, through the publication protocol (cli.md §3, "How"). */
export function publishedFiles(): EnvelopeFiles {
  const tools = publicationTools();
  return {
    key: async (path) => physicalKey(tools, path),
    admit: async (path) => (await admitSingleFile(tools, path)).status,
    // The caller chose the name: another command may ask for it at the same time.
    publish: async (path, bytes) => await publishSingleFile(tools, path, bytes, false) === 'written',
  };
}
