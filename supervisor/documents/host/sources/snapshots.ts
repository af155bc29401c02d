import { defaulted, EMPTY_OBJECT, object, oneOfValues, required } from '../../fields/shape.ts';
import { ceiling, hostPath, revision } from './common.ts';

/** Below 450 bytes no result of a snapshot query fits (documents.md §3). */
const snapshotResultBytes = ceiling(1048576, 450, 1048576);

/** Traces of earlier runs, public or private. */
export const traceSnapshotFields = object({
  source: required(oneOfValues('svc_trace_snapshot', 'svc_private_trace_snapshot')),
  installation_revision: revision,
  directory: required(hostPath),
  ceilings: defaulted(
    object({ max_source_bytes: ceiling(8000000, 1, 8000000), max_result_bytes: snapshotResultBytes }),
    EMPTY_OBJECT,
  ),
});

/** Private evidence of earlier runs. */
export const inspectionSnapshotFields = object({
  source: required(oneOfValues('svc_inspection_snapshot')),
  installation_revision: revision,
  directory: required(hostPath),
  ceilings: defaulted(
    object({
      max_files: ceiling(1024, 1, 1024),
      max_source_bytes: ceiling(536871120, 1, 536871120),
      max_result_bytes: snapshotResultBytes,
    }),
    EMPTY_OBJECT,
  ),
});
