import { diagnostic, type Diagnostic, type Source, type Span } from '../../../contract/diagnostics/diagnostic.ts';
import { DIAGNOSTIC_CODES } from '../../../contract/diagnostics/codes.ts';
import { OPERATION_OCCURRENCES, PHASES, type Operation } from '../../../contract/diagnostics/vocabulary.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { parseJson } from '../../../contract/json/parse.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { isRunReference, type RunReference } from '../../../contract/run-reference.ts';
import { findNumber, objectOf, findText } from '../analysis/members.ts';

/** Far above any envelope of this program: a value of 1 MB (runtime.md §11), and what is reported about it. */
export const ENVELOPE_LIMITS = { bytes: 8_000_000, depth: 128, nodes: 1_000_000 } as const;
const ENVELOPE_VERSION = 5;

/** What is believed of an envelope that lay in a file: all of it was checked, and its texts are of the catalogue. */
export interface ReportedRun {
  readonly runRef: RunReference;
  readonly status: 'ok' | 'error';
  readonly artifactClass: string;
  /** Null of a run that succeeded. */
  readonly error: Diagnostic | null;
  readonly secondary: readonly Diagnostic[];
  readonly lastEvaluationError: { readonly kind: string; readonly message: string } | null;
  /** States of its artifacts by kind. */
  readonly artifacts: JsonObject;
  /** Null where nothing was executed. */
  readonly usage: JsonObject | null;
}

export type EnvelopeReading =
  | { readonly ok: true; readonly run: ReportedRun }
  | { readonly ok: false; readonly fault: 'no_json' | 'no_run_envelope' };

/**
 * Reads the envelope of a run from bytes of unknown origin. Whatever does not fit the catalogue makes it no envelope.
 */
export function readRunEnvelope(bytes: Uint8Array): EnvelopeReading {
  const parsed = parseJson(bytes, ENVELOPE_LIMITS);
  if (!parsed.ok) return { ok: false, fault: 'no_json' };
  const value = valueOf(parsed.root);
  const run = isJsonObject(value) ? reportedRun(value) : null;
  return run === null ? { ok: false, fault: 'no_run_envelope' } : { ok: true, run };
}

function reportedRun(envelope: JsonObject): ReportedRun | null {
  const runRef = findText(envelope, 'run_ref') ?? '';
  const status = findText(envelope, 'status');
  const execution = objectOf(envelope, 'execution');
  const artifacts = objectOf(envelope, 'artifact_state');
  if (
    envelope.get('schema_version') !== ENVELOPE_VERSION ||
    envelope.get('command') !== 'run' ||
    !isRunReference(runRef)
  )
    return null;
  if ((status !== 'ok' && status !== 'error') || execution === undefined || artifacts === undefined) return null;
  const error = status === 'error' ? diagnosticOf(envelope.get('error')) : null;
  const others = envelope.get('secondary_errors');
  const secondary = isJsonArray(others) ? others.map(diagnosticOf) : [];
  if ((status === 'error' && error === null) || secondary.includes(null)) return null;
  const last = objectOf(execution, 'last_evaluation_error');
  const [kind, message] = [findText(last, 'kind'), findText(last, 'message')];
  return {
    runRef,
    status,
    artifactClass: findText(envelope, 'artifact_class') ?? '',
    error,
    secondary: secondary.filter((one) => one !== null),
    lastEvaluationError: kind === undefined || message === undefined ? null : { kind, message },
    artifacts,
    usage: objectOf(execution, 'usage') ?? null,
  };
}

/** The diagnostic again, through the catalogue: null for one that this program could not have written. */
function diagnosticOf(value: JsonValue | undefined): Diagnostic | null {
  if (!isJsonObject(value)) return null;
  const code = DIAGNOSTIC_CODES.find((known) => known === value.get('code'));
  const phase = PHASES.find((known) => known === value.get('phase'));
  const message = findText(value, 'message');
  if (code === undefined || phase === undefined || message === undefined) return null;
  try {
    return diagnostic(code, {
      phase,
      message,
      source: sourceOf(value),
      path: findText(value, 'path') ?? null,
      span: spanOf(value),
      subject: subjectOf(value),
      providerActivity: value.get('provider_activity') === true,
    });
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function sourceOf(value: JsonObject): Source | null {
  const source = objectOf(value, 'source');
  const [kind, name] = [findText(source, 'kind'), findText(source, 'name')];
  // What does not fit is refused where the diagnostic is made.
  return kind === undefined || name === undefined ? null : Object({ kind, name });
}

function spanOf(value: JsonObject): Span | null {
  const span = objectOf(value, 'span');
  const [start, end] = [findNumber(span, 'start_byte'), findNumber(span, 'end_byte')];
  return start === undefined || end === undefined ? null : { start_byte: start, end_byte: end };
}

function subjectOf(value: JsonObject): Diagnostic['subject'] {
  const subject = objectOf(value, 'subject');
  const operation = findText(subject, 'operation');
  const name = findText(subject, 'name');
  if (operation === undefined || !isOperation(operation) || name === undefined) return null;
  const occurrence = objectOf(subject, 'occurrence');
  const destination = findText(occurrence, 'destination');
  const index = findNumber(occurrence, 'index');
  const isPlaced = index !== undefined && (destination === 'workflow' || destination === 'mission');
  return { kind: 'provider', name, operation, occurrence: isPlaced ? { destination, index } : null };
}

function isOperation(word: string): word is Operation {
  return Object.hasOwn(OPERATION_OCCURRENCES, word);
}
