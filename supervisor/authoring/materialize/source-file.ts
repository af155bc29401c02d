import type { DiagnosticCode } from '../../../contract/diagnostics/codes.ts';
import { publishFile } from '../../evidence/publication/publish.ts';
import { releaseReservation, reserve, type ReservationTools } from '../../evidence/publication/reservation.ts';
import { openSafeDirectory, type DirectoryFault } from '../../evidence/publication/safe-directory.ts';
import { splitPath } from '../../evidence/publication/single-file.ts';

const PARENT_CODES: Readonly<Record<DirectoryFault, DiagnosticCode>> = {
  missing: 'source_out_parent_missing',
  not_directory: 'source_out_parent_unusable',
  unsafe: 'source_out_parent_unsafe',
  unusable: 'source_out_parent_unusable',
};

/**
 * Writes a source for its owner alone, in the place of no other file (cli.md §10, "source-out"); null once it is there.
 */
export async function writeSourceFile(
  tools: ReservationTools,
  path: string,
  bytes: Uint8Array,
): Promise<DiagnosticCode | null> {
  const { directory, name } = splitPath(path);
  const opened = await openSafeDirectory(tools.fileSystem, directory);
  if (!opened.ok) return PARENT_CODES[opened.fault];
  const reserved = await reserve(tools, {
    directory: opened.value,
    name,
    mode: 0o600,
    recovery: null,
    nameIsUnique: false,
  });
  if (!reserved.ok) return reserved.fault.kind === 'exists' ? 'source_out_destination_exists' : 'source_out_failed';
  const outcome = await publishFile(tools.fileSystem, reserved.reservation, bytes);
  const isClean = await releaseReservation(reserved.reservation);
  if (outcome === 'done') return isClean ? null : 'source_out_cleanup_failed';
  return outcome === 'collision' ? 'source_out_destination_exists' : 'source_out_failed';
}
