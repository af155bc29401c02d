import { openTrace, type TraceOptions, type TraceRecorder } from '../evidence/recorder.ts';
import { openTraceSpool } from '../evidence/trace-spool.ts';
import type { TraceContent } from '../evidence/publication/publish-artifacts.ts';
import type { Reservation } from '../evidence/publication/reservation.ts';
import { openStagedStream, type StagedStream } from '../evidence/publication/staging.ts';

/** The trace of one run, which grows into its staged file; in memory alone where none was requested. */
export interface RunTrace {
  readonly recorder: TraceRecorder;
  /** After its end: what there is to publish. */
  content(isReadable: boolean): Promise<TraceContent>;
  /** Lets go of the file: nothing is read back any more. */
  close(): Promise<void>;
}

/**
 * Opens the event sink (runtime.md §1 step 12). A file that cannot be made is reported at publication, as one that
 * cannot be written.
 */
export async function openRunTrace(
  reservation: Reservation | null,
  options: Omit<TraceOptions, 'spool'>,
): Promise<RunTrace> {
  const staged = reservation === null ? null : await stageIn(reservation);
  const spool = openTraceSpool(staged);
  let recorder: TraceRecorder | null = null;
  try {
    recorder = openTrace({ ...options, spool });
  } finally {
    if (recorder === null) await staged?.close();
  }
  return {
    recorder,
    content: async (isReadable) => {
      const spooled = isReadable ? await spool.settle() : null;
      return { staged: staged === null || spooled === null ? null : { ...spooled, identity: staged.identity } };
    },
    close: async () => staged?.close(),
  };
}

async function stageIn({ staging, request }: Reservation): Promise<StagedStream | null> {
  const staged = await openStagedStream(staging, request.mode);
  return staged.ok ? staged.value : null;
}
