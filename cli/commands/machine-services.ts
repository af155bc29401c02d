import { nodeFileSystem as documentFiles } from '../../supervisor/documents/file-system.ts';
import { systemClock } from '../../supervisor/evidence/clock.ts';
import { nodeFileSystem as publicationFiles } from '../../supervisor/publication/node-file-system.ts';
import { processOwnerProbe } from '../../supervisor/publication/owner.ts';
import type { RunOptions } from '../../supervisor/api/run.ts';
import type { CommandContext } from './command.ts';

type MachineServices = Pick<RunOptions, 'workingDirectory' | 'libraries' | 'sandbox' | 'documents' | 'publication' | 'clock' | 'signal'>;

/** What the supervisor needs of the machine that a command runs on. */
export function machineServices({ workingDirectory, sandbox, signal }: CommandContext): MachineServices {
  return {
    workingDirectory,
    sandbox,
    signal,
    documents: documentFiles,
    publication: { fileSystem: publicationFiles(), owners: processOwnerProbe(), wallClock: Date.now },
    clock: systemClock,
    libraries: new Map(),
  };
}
