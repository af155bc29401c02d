import { PLAIN, text, type CatalogueEntry } from '../entry.ts';
import type { DiagnosticCode } from '../codes.ts';

function row(generic: string): CatalogueEntry {
  return { ...PLAIN, phases: ['destination'], exit: 7, message: text(generic) };
}

/** runtime.md §13 "destination". */
export const DESTINATION = {
  invalid_destination: row('a destination is not usable'),
  envelope_destination_unavailable: row('the --envelope destination is not available'),
  invalid_trace_destination: row('the trace destination is not a usable directory'),
  trace_directory_missing: row('the trace directory does not exist'),
  trace_destination_unavailable: row('the trace destination is not available'),
  trace_destination_unsafe: row('the trace destination is below a directory that other users can change'),
  invalid_inspection_destination: row('the inspection destination is not a usable file name ending in .svcins'),
  inspection_destination_unavailable: row('the inspection destination is not available'),
  inspection_directory_missing: row('the directory of the inspection destination does not exist'),
  inspection_destination_unsafe: row('the inspection destination is below a directory that other users can change'),
  invalid_result_destination: row('the result destination is not a usable file name'),
  result_destination_unavailable: row('the result destination is not available'),
  result_directory_missing: row('the directory of the result destination does not exist'),
  result_destination_unsafe: row('the result destination is below a directory that other users can change'),
  destination_exists: row('a destination already exists; nothing is replaced'),
  private_destination_required: row('a private run requires an owner-only result destination; give --private-output'),
  recovery_reservation_failed: row('the recovery file of a private result could not be reserved'),
  prune_unsafe_directory: row('an artifact directory or entry is not safe to prune'),
  prune_unavailable: row('the artifact directories cannot be pruned'),
  prune_delete_failed: row('deleting a run failed; what could be restored was restored'),
} as const satisfies Partial<Record<DiagnosticCode, CatalogueEntry>>;
