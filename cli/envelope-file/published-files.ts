import { nodeFileSystem } from '../../supervisor/publication/node-file-system.ts';
import { processOwnerProbe } from '../../supervisor/publication/owner.ts';
import { admitSingleFile, physicalKey, publishSingleFile } from '../../supervisor/publication/single-file.ts';
import type { EnvelopeFiles } from './admission.ts';

/** Envelope files on the machine's file system, through the publication protocol (cli.md §3, "How"). */
export function publishedFiles(): EnvelopeFiles {
  const tools = { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now };
  return {
    key: async (path) => physicalKey(tools, path),
    admit: async (path) => (await admitSingleFile(tools, path)).status,
    // The caller chose the name: another command may ask for it at the same time.
    publish: async (path, bytes) => await publishSingleFile(tools, path, bytes, false) === 'written',
  };
}
