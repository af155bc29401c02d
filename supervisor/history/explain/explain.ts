import { join } from 'node:path';
import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import type { ExplainedPlace } from '../../../contract/diagnostics/explanation.ts';
import { linePosition } from '../../../contract/json/line-position.ts';
import { isRunReference } from '../../../contract/run-reference.ts';
import { captureTraceFile } from '../analysis/single-run.ts';
import type { EvidenceFiles } from '../analysis/files/evidence-files.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import { findFailureDetails, type FailureDetails } from './failure-details.ts';
import { courseOf, type Course } from './course.ts';
import { ENVELOPE_LIMITS, readRunEnvelope, type ReportedRun } from './read-envelope.ts';

/** A project, as far as it says where evidence and sources lie. Paths are absolute. */
export interface ExplainedProject {
  /** Null of a project without artifacts. */
  readonly artifactRoot: string | null;
  /** Directory of the manifest. */
  readonly application: string;
}

export interface ExplainTools {
  readonly reader: DocumentReader;
  readonly files: EvidenceFiles;
  /** Whether private evidence may be read and reported. */
  readonly showsPrivate: boolean;
}

/**
 * How a run came to its end, from its envelope and its normal trace; from its inspection only where that was asked for.
 */
export interface Explanation {
  readonly run: ReportedRun;
  /** Where the failure is, with the line as the file is now; null where nothing says it or it may not be shown. */
  readonly place: ExplainedPlace | null;
  /** What the trace reports; null where there is none, or a private one. */
  readonly course: Course | null;
  readonly trace: 'read' | 'private' | 'missing' | 'unreadable';
  /** What is private of it; null: nobody asked, or there is nothing. */
  readonly details: FailureDetails | null;
}

export type ExplainFault =
  | 'run_not_found'
  | 'envelope_unreadable'
  | 'envelope_too_large'
  | 'no_json'
  | 'no_run_envelope';
export type ExplainEnd =
  | { readonly ok: true; readonly explanation: Explanation }
  | { readonly ok: false; readonly fault: ExplainFault };

/** `subject`: a run of the project, or a path of an envelope. */
export async function explain(
  { reader, files, showsPrivate }: ExplainTools,
  subject: string,
  project: ExplainedProject | null,
): Promise<ExplainEnd> {
  const root = project?.artifactRoot ?? null;
  const isReference = isRunReference(subject);
  if (isReference && root === null) return { ok: false, fault: 'run_not_found' };
  const read = isReference
    ? await reader.readReference(root ?? '', `envelopes/${subject}.json`, ENVELOPE_LIMITS.bytes)
    : await reader.readNamed(subject, ENVELOPE_LIMITS.bytes);
  if (!read.ok)
    return { ok: false, fault: isReference && read.fault === 'missing' ? 'run_not_found' : 'envelope_unreadable' };
  if (read.file.bytes.length > ENVELOPE_LIMITS.bytes) return { ok: false, fault: 'envelope_too_large' };
  const envelope = readRunEnvelope(read.file.bytes);
  if (!envelope.ok) return { ok: false, fault: envelope.fault };
  const { run } = envelope;
  const traced =
    root === null
      ? { course: null, trace: 'missing' as const }
      : await traceOf({ files, showsPrivate }, root, run.runRef);
  const failureDetails = root === null || !showsPrivate ? null : await findFailureDetails(files, root, run.runRef);
  return {
    ok: true,
    explanation: { run, ...traced, place: await placeOf(reader, project, run), details: failureDetails },
  };
}

async function traceOf(
  { files, showsPrivate }: Pick<ExplainTools, 'files' | 'showsPrivate'>,
  root: string,
  runRef: string,
): Promise<Pick<Explanation, 'course' | 'trace'>> {
  const traces = join(root, 'traces');
  const normal = await captureTraceFile(files, join(traces, `${runRef}.jsonl`), runRef);
  const captured =
    normal === null && showsPrivate
      ? await captureTraceFile(files, join(traces, `${runRef}.private.jsonl`), runRef)
      : normal;
  if (captured === null)
    return {
      course: null,
      trace: (await files.facts(join(traces, `${runRef}.private.jsonl`))) === null ? 'missing' : 'private',
    };
  return captured.ok ? { course: courseOf(captured.value), trace: 'read' } : { course: null, trace: 'unreadable' };
}

/** Only of a run whose class lets its failure be shown, and of a source that lies with the application. */
async function placeOf(
  reader: DocumentReader,
  project: ExplainedProject | null,
  { error, artifactClass }: ReportedRun,
): Promise<ExplainedPlace | null> {
  const named = spanned(error);
  if (named === null || project === null || artifactClass === 'private') return null;
  const read = await reader.readReference(project.application, named.name, MAX_BYTES.component);
  if (!read.ok || named.span.start_byte > read.file.bytes.length) return null;
  const { bytes } = read.file;
  const { line, column, lineStart, lineEnd } = linePosition(bytes, named.span.start_byte);
  const text = Buffer.from(bytes.subarray(lineStart, lineEnd)).toString();
  const target = Buffer.from(
    bytes.subarray(Math.min(named.span.start_byte, lineEnd), Math.min(named.span.end_byte, lineEnd)),
  ).toString();
  return { file: named.name, line, column, within: null, excerpt: { text, length: Array.from(target).length } };
}

function spanned(
  error: Diagnostic | null,
): { readonly name: string; readonly span: NonNullable<Diagnostic['span']> } | null {
  if (error?.span === null || error?.span === undefined || error.source === null || error.source.kind === 'runtime')
    return null;
  return { name: error.source.name, span: error.span };
}
