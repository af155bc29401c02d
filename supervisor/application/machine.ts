import { join } from 'node:path';
import type { LibraryRegistry } from '../documents/components/libraries.ts';
import { nodeDocumentFiles, type FileSystem } from '../documents/file-system.ts';
import { systemClock, type Clock } from '../../system/clock.ts';
import { shippedLibraries } from '../documents/libraries/shipped.ts';
import { PROGRAM_FILES } from '../../system/program-files.ts';

/** What loading an application takes of this machine. */
export interface Machine {
  readonly documents: FileSystem;
  readonly clock: Clock;
  /** The libraries that are shipped with the program. */
  readonly libraries: LibraryRegistry;
}

/** This machine, with the program in `programDirectory` (absolute). Reads nothing. */
export function thisMachine(programDirectory: string): Machine {
  return {
    documents: nodeDocumentFiles,
    clock: systemClock,
    libraries: shippedLibraries(
      join(programDirectory, PROGRAM_FILES.libraries),
      join(programDirectory, PROGRAM_FILES.compiledLibraries),
    ),
  };
}
