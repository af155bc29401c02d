import { nodeFileSystem } from '../../supervisor/publication/node-file-system.ts';
import { processOwnerProbe } from '../../supervisor/publication/owner.ts';
import type { ReservationTools } from '../../supervisor/publication/reservation.ts';

/** This machine, for files that are published without replacing any (runtime.md §12). */
export function publicationTools(): ReservationTools {
  return { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now };
}
