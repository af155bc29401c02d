import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Clock } from '../../system/clock.ts';
import { INSPECTION_BOUNDS, openInspection, type InspectionRecord } from '../evidence/inspection/writer.ts';
import type { InodeIdentity } from '../evidence/publication/file-system.ts';
import type { Reservation } from '../evidence/publication/reservation.ts';
import { openStagedStream } from '../evidence/publication/staging.ts';

/** The inspection of one run, from its staged file to its seal; does nothing where none was requested. */
export interface RunInspection {
  readonly isRequested: boolean;
  /** Whether the record is in the file. */
  record(record: InspectionRecord): Promise<boolean>;
  /** The diagnostic of the bound or the loss that ended the capture; null while it goes on. */
  failure(): Diagnostic | null;
  /** The staged, sealed and synced file; null where there is none to publish. */
  seal(): Promise<InodeIdentity | null>;
  /** Lets go of the file, sealed or not. */
  close(): Promise<void>;
}

/** The same in the trace and in the inspection. */
export interface RunIdentity {
  readonly runId: string;
  readonly traceId: string;
}

const NONE: RunInspection = {
  isRequested: false,
  record: async () => true,
  failure: () => null,
  seal: async () => null,
  close: async () => {},
};

/** Opens the sink of a reserved inspection (runtime.md §1 step 12); null when its file cannot be written. */
export async function openRunInspection(
  reservation: Reservation | null,
  identity: RunIdentity,
  clock: Clock,
): Promise<RunInspection | null> {
  if (reservation === null) return NONE;
  const staged = await openStagedStream(reservation.staging, reservation.request.mode);
  if (!staged.ok) return null;
  const writer = await openInspection({ ...identity, file: staged.value, clock, bounds: INSPECTION_BOUNDS });
  if (writer === null) {
    await staged.value.close();
    return null;
  }
  let lost: Diagnostic | null = null;
  return {
    isRequested: true,
    record: async (record) => {
      const outcome = await writer.record(record);
      if (outcome !== 'recorded') lost ??= captureFailure(outcome);
      return outcome === 'recorded';
    },
    failure: () => lost,
    seal: async () => {
      const outcome = await writer.seal();
      if (outcome === 'sealed') return staged.value.identity;
      lost ??= captureFailure(outcome);
      return null;
    },
    close: () => staged.value.close(),
  };
}

function captureFailure(outcome: 'limit' | 'unavailable'): Diagnostic {
  return diagnostic(outcome === 'limit' ? 'inspection_capture_limit_exceeded' : 'inspection_sink_unavailable');
}
