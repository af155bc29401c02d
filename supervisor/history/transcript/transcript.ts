import { realpath } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { diagnostic, type DiagnosticCode } from '../../../contract/diagnostics/diagnostic.ts';
import { INTERRUPTED } from '../../../contract/diagnostics/messages/execution.ts';
import type { Refused } from '../../../contract/outcome.ts';
import type { AnalysisFault } from '../analysis/answer.ts';
import { droppedCounts, type CapturedRun } from '../analysis/capture/run.ts';
import { captureRun, type SingleRun, type SingleRunFault } from '../analysis/single-run.ts';
import type { EvidenceFiles } from '../analysis/files/evidence-files.ts';
import type { TurnEvidence } from '../analysis/turns/turns.ts';
import { publishFile } from '../../evidence/publication/publish.ts';
import { refusalWords } from '../../evidence/publication/refusal-words.ts';
import {
  releaseReservation,
  reserve,
  type Reservation,
  type ReservationFault,
  type ReservationTools,
} from '../../evidence/publication/reservation.ts';
import { splitPath } from '../../evidence/publication/single-file.ts';
import { transcriptOf } from './conversation.ts';
import { findOverlap } from './separation.ts';

/** What a transcript is made from and where it goes; paths are absolute. */
export interface TranscriptRequest {
  readonly runId: string;
  readonly traces: string;
  readonly inspection: { readonly kind: 'directory' | 'file'; readonly path: string };
  readonly output: string;
  readonly signal: AbortSignal;
}

export interface TranscriptTools {
  readonly files: EvidenceFiles;
  readonly publication: ReservationTools;
}

/**
 * How it ended. The hint of a refusal is its finer reason for people: it has no run id, and no path but that of a
 * directory that others could change.
 */
export type TranscriptEnd = { readonly ok: true; readonly turns: number } | Refused;

const OUTPUT = '--private-output';
const TRACES = '--traces';

/**
 * Rebuilds the conversations of one run and publishes them as a new file of this user alone, or nothing (cli.md §10,
 * evidence.md §9).
 */
export async function writeTranscript(tools: TranscriptTools, request: TranscriptRequest): Promise<TranscriptEnd> {
  const { directory, name } = splitPath(request.output);
  const reserved = await reserve(tools.publication, {
    directory,
    name,
    mode: 0o600,
    recovery: null,
    nameIsUnique: false,
  });
  if (!reserved.ok) return outputRefusal(tools.publication, reserved.fault);
  const { reservation } = reserved;
  try {
    // A link on the way was followed, safely; here none may occur.
    if (reservation.parent.path !== withoutDots(directory))
      return refuse('result_destination_unsafe', 'a link stands on the way to --private-output');
    return await writeFromSources(tools, request, reservation);
  } finally {
    await releaseReservation(reservation);
  }
}

async function writeFromSources(
  tools: TranscriptTools,
  request: TranscriptRequest,
  reservation: Reservation,
): Promise<TranscriptEnd> {
  const { files } = tools;
  const { runId, inspection } = request;
  const traces = await openPlainDirectory(files, request.traces);
  if (traces === null)
    return refuse('reference_missing', `${TRACES} names no directory, or a link stands on the way to it`);
  const inspectionOption = inspection.kind === 'file' ? '--inspection-file' : '--inspection';
  const inspectionDirectory = await openPlainDirectory(
    files,
    inspection.kind === 'file' ? splitPath(inspection.path).directory : inspection.path,
  );
  if (inspectionDirectory === null)
    return refuse('reference_missing', `${inspectionOption} names nothing, or a link stands on the way to it`);
  const overlap = await findOverlap(files, [
    { option: OUTPUT, path: reservation.parent.path },
    { option: TRACES, path: traces },
    { option: inspectionOption, path: inspectionDirectory },
  ]);
  if (overlap !== null) return refuse('invalid_destination', `${overlap}; the three directories must be apart`);
  const inspectionFile = join(
    inspectionDirectory,
    inspection.kind === 'file' ? splitPath(inspection.path).name : `${runId}.svcins`,
  );
  const captured = await captureRun({ files, runId, traces, inspectionFile });
  if (!captured.ok) return captureRefusal(captured.fault, inspectionOption);
  try {
    return await publish(tools, request, reservation, captured.value);
  } finally {
    await captured.value.close();
  }
}

async function publish(
  { publication }: TranscriptTools,
  { signal }: TranscriptRequest,
  reservation: Reservation,
  run: SingleRun,
): Promise<TranscriptEnd> {
  const transcript = await transcriptOf(run);
  if (!transcript.ok) return evidenceRefusal(transcript.fault, 'the evidence');
  if (transcript.value.kind === 'incomplete')
    return incompleteRefusal(transcript.value.evidence, transcript.value.isOpen, run.evidence.run);
  if (!(await run.isUnchanged())) return evidenceRefusal('source_changed', 'the evidence');
  if (signal.aborted)
    return { ok: false, diagnostic: diagnostic('internal_error', { message: INTERRUPTED }), hint: null };
  const outcome = await publishFile(publication.fileSystem, reservation, Buffer.from(transcript.value.text));
  if (outcome === 'collision') return refuse('destination_exists', null);
  return outcome === 'done' ? { ok: true, turns: transcript.value.turns } : refuse('result_publication_failed', null);
}

/** The directory by its own name; null where there is none, or a link leads to it. */
async function openPlainDirectory(files: EvidenceFiles, path: string): Promise<string | null> {
  const plain = withoutDots(path);
  if ((await files.facts(plain))?.kind !== 'directory') return null;
  return (await realpath(plain).catch(() => null)) === plain ? plain : null;
}

function withoutDots(path: string): string {
  const normal = normalize(path);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}

function refuse(code: DiagnosticCode, hint: string | null): Refused {
  return { ok: false, diagnostic: diagnostic(code), hint };
}

function outputRefusal({ fileSystem }: ReservationTools, fault: ReservationFault): Refused {
  const hint = 'refused' in fault && fault.refused !== null ? refusalWords(fileSystem, fault.refused) : null;
  switch (fault.kind) {
    case 'exists':
      return refuse('destination_exists', null);
    case 'missing':
    case 'not_directory':
      return refuse('result_directory_missing', null);
    case 'unsafe':
      return refuse('result_destination_unsafe', hint);
    default:
      return refuse('result_destination_unavailable', hint);
  }
}

function captureRefusal(fault: SingleRunFault, inspectionOption: string): Refused {
  switch (fault.kind) {
    case 'run_not_found':
      return refuse(
        'reference_missing',
        `run_not_found: ${TRACES} has no trace of that run; its name is that of the run, with .jsonl or .private.jsonl`,
      );
    case 'inspection_not_found':
      return refuse(
        'reference_missing',
        `inspection_not_found: ${inspectionOption} has no inspection of that run; svc run --inspect run.svcins, or artifacts.inspection in the project, keeps one`,
      );
    case 'run_ambiguous':
      return refuse(
        'result_invalid',
        `ambiguous: ${TRACES} has a normal and a private trace of that run; move one away`,
      );
    case 'run_mismatch':
      return evidenceRefusal('malformed_source', 'the trace');
    case 'trace':
      return evidenceRefusal(fault.fault, 'the trace');
    case 'inspection':
      return evidenceRefusal(fault.fault, 'the inspection');
  }
}

function evidenceRefusal(fault: AnalysisFault, what: string): Refused {
  switch (fault) {
    case 'source_unavailable':
      return refuse('reference_missing', `${what} is no regular file that can be read`);
    case 'source_limit_exceeded':
    case 'result_limit_exceeded':
      return refuse(
        'result_limit_exceeded',
        fault === 'source_limit_exceeded'
          ? `${what} is too large`
          : 'a transcript holds at most 1,000 turns and 1,000,000 bytes; a workflow with a svc_inspection_snapshot provider reads larger conversations page by page',
      );
    case 'source_changed':
      return refuse('result_invalid', `source_changed: ${what} changed meanwhile; run the command again`);
    case 'inspection_correlation_missing':
      return refuse('result_invalid', 'inspection_correlation_missing: the inspection is not of this run');
    default:
      return refuse('result_invalid', `${fault}: ${what} is damaged or of another version`);
  }
}

function incompleteRefusal({ missing, ambiguous }: TurnEvidence, isOpen: boolean, run: CapturedRun): Refused {
  const dropped = [...(droppedCounts(run)?.values() ?? [])].reduce(
    (sum: number, count) => sum + (typeof count === 'number' ? count : 0),
    0,
  );
  if (dropped > 0) {
    return refuse(
      'result_invalid',
      `incomplete_evidence: the trace has ${run.events.length} events and lacks ${dropped}; raise normal_event_count (or normal_event_bytes, event_payload_bytes) in limits of the manifest and run it again`,
    );
  }
  if (isOpen)
    return refuse('result_invalid', 'incomplete_evidence: the run has not ended, or events of its trace were dropped');
  if (missing > 0)
    return refuse(
      'result_invalid',
      `incomplete_evidence: ${missing} model ${missing === 1 ? 'exchange is' : 'exchanges are'} missing`,
    );
  return refuse(
    'result_invalid',
    `ambiguous_evidence: ${ambiguous} ${ambiguous === 1 ? 'exchange goes' : 'exchanges go'} on from two equal conversations; running again does not help; a workflow with a svc_inspection_snapshot provider reads them as they are`,
  );
}
