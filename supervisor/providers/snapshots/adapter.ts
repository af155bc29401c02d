import { randomBytes } from 'node:crypto';
import { canonicalJson, type JsonText } from '../../../contract/json/canonical.ts';
import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { CallRequest, CallSide, ServedCall } from '../../../contract/provider-protocol/call.ts';
import type {
  AcquisitionAnswer,
  AcquisitionContext,
  AcquisitionRequest,
  ProviderSession,
} from '../../../contract/provider-protocol/session.ts';
import { analysisOver, type Analysis, type AnalysisCapture } from '../../history/analysis/analysis.ts';
import type { Answer } from '../../history/analysis/answer.ts';
import { captureInspections } from '../../history/analysis/capture/inspections.ts';
import { captureTraces, type TraceCapture } from '../../history/analysis/capture/traces.ts';
import type { EvidenceFiles } from '../../history/analysis/files/evidence-files.ts';
import { parsedText } from '../adapter-json.ts';
import { queryOf, snapshotCapabilities } from './capabilities.ts';
import type { SnapshotDeclaration } from './declaration.ts';
import { failure, queryOutcome } from './outcome.ts';

/** Traces of the sessions that are open, for the inspections that are held to them. */
const tracesOf = new WeakMap<ProviderSession, TraceCapture>();

/** `content_snapshot_hash` and its name, which every answer carries beside what the query says. */
const CARRIED_BYTES = ',"content_snapshot_hash":"sha256:"'.length + 64;
const ARGUMENT_DEPTH = 64;
const CAPTURE_ID_BYTES = 8;

/** Captures a directory of evidence and answers queries over it, in this process (providers.md §10). */
export function snapshotAdapter(files: EvidenceFiles): {
  acquire(
    request: AcquisitionRequest<SnapshotDeclaration>,
    context: Pick<AcquisitionContext, 'dependencies'>,
  ): Promise<AcquisitionAnswer>;
} {
  return {
    acquire: async ({ alias, declaration }, { dependencies }) => {
      const captured = await capture(files, declaration, dependencies);
      // Which rule the directory breaks is said to nobody: it may be of files that the caller does not know.
      if (!captured.ok)
        return { ok: false, refusal: { code: 'environment_unavailable', tool: null, hasActivity: false } };
      const session = openSession(alias, declaration, captured.value);
      if (captured.value.inspections === null) tracesOf.set(session, captured.value.traces);
      return { ok: true, session };
    },
  };
}

async function capture(
  files: EvidenceFiles,
  { source, directory, maxFiles, maxSourceBytes }: SnapshotDeclaration,
  dependencies: readonly ProviderSession[],
): Promise<Answer<AnalysisCapture>> {
  if (source !== 'svc_inspection_snapshot') {
    const traces = await captureTraces({
      files,
      directory,
      authority: source === 'svc_trace_snapshot' ? 'sanitized' : 'private',
      sourceBytes: maxSourceBytes,
    });
    return traces.ok ? { ok: true, value: { traces: traces.value, inspections: null } } : traces;
  }
  const [traces] = dependencies.flatMap((session) => tracesOf.get(session) ?? []);
  if (traces === undefined) return { ok: false, fault: 'source_unavailable' };
  const inspections = await captureInspections({
    files,
    directory,
    mostFiles: maxFiles,
    sourceBytes: maxSourceBytes,
    traces,
  });
  return inspections.ok ? { ok: true, value: { traces, inspections: inspections.value } } : inspections;
}

function openSession(
  alias: string,
  { source, maxResultBytes, isExposed }: SnapshotDeclaration,
  captured: AnalysisCapture,
): ProviderSession {
  const { traces, inspections } = captured;
  const { snapshotHash, files, bytes } = inspections ?? traces;
  const facts: readonly (readonly [string, JsonValue])[] = [
    ['source', source],
    ['capture_id', `capture-${randomBytes(CAPTURE_ID_BYTES).toString('hex')}`],
    ['run_count', inspections?.inspections.size ?? traces.runs.size],
    ['file_count', files],
    ['source_bytes', bytes],
  ];
  return {
    capabilities: isExposed ? snapshotCapabilities(alias, maxResultBytes) : [],
    model: null,
    snapshot: {
      acquisition: canonicalJson(new Map(facts)),
      unidentified: ['capture_id', 'run_count', 'file_count', 'source_bytes'],
      contentHash: snapshotHash,
    },
    hasActivity: false,
    // What was captured cannot be lost: a file that changes afterwards is reported by the query that reads it.
    lost: new Promise(() => undefined),
    ended: null,
    // Each run captures the directory as it finds it.
    share: null,
    serve: (request, side) => serve(alias, captured, request, side),
    close: async () => inspections?.close(),
  };
}

function serve(
  alias: string,
  captured: AnalysisCapture,
  { name, arguments: input, resultBytes }: CallRequest,
  side: CallSide,
): ServedCall {
  const { snapshotHash } = captured.inspections ?? captured.traces;
  const answer = async (): Promise<Awaited<ServedCall['answer']>> => {
    if (!(await side.openGate())) return { outcome: failure('unavailable', null, 'not_dispatched'), exchanges: [] };
    const found = await query(analysisOver(captured, resultBytes - CARRIED_BYTES), queryOf(alias, name), input);
    return { outcome: queryOutcome(found, snapshotHash), exchanges: [] };
  };
  // It ends by itself: none of it waits for anybody.
  return { answer: answer(), cancel: () => undefined, kill: async () => undefined };
}

async function query(
  analysis: Analysis,
  name: ReturnType<typeof queryOf>,
  input: JsonText,
): ReturnType<Analysis['runs']> {
  const options = parsedText(input, ARGUMENT_DEPTH);
  if (name === undefined || !isJsonObject(options)) return { ok: false, fault: 'invalid_query' };
  return analysis[name](options);
}
