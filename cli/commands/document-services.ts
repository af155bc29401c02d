import { join } from 'node:path';
import type { DocumentOptions } from '../../supervisor/api/documents.ts';
import { nodeFileSystem } from '../../supervisor/documents/file-system.ts';
import { systemClock } from '../../supervisor/evidence/clock.ts';
import { shippedLibraries } from '../../supervisor/libraries/shipped.ts';
import type { CommandContext } from './command.ts';

/** Folder that the build puts beside the program. */
const LIBRARIES = 'libraries';

type DocumentServices = Pick<DocumentOptions, 'workingDirectory' | 'libraries' | 'sandbox' | 'bundles' | 'documents' | 'clock' | 'signal'>;

/**
 * What the supervisor needs of the machine to load an application. A setting that keeps the sandbox from starting is
 * found here, before any document is read; the start itself is not waited for.
 */
export async function documentServices({ workingDirectory, programDirectory, sandbox, bundles, signal }: CommandContext): Promise<DocumentServices> {
  await sandbox();
  return { workingDirectory, sandbox, bundles, signal, documents: nodeFileSystem, clock: systemClock, libraries: shippedLibraries(join(programDirectory, LIBRARIES)) };
}
