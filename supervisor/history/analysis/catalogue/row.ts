import { canonicalJson } from '../../../../contract/json/canonical.ts';
import type { JsonObject, JsonValue } from '../../../../contract/json/value.ts';
import { jsonDigest } from '../../../documents/digest.ts';
import type { Entry } from '../files/directory.ts';
import { members, objectOf } from '../members.ts';
import type { InspectionProbe, ProbeFault, Probed, TraceProbe } from './probe.ts';

/** Canonical bytes of one row (evidence.md §8). */
const ROW_BYTES = 2048;
const TRACE_VERSION = 2;

export type CatalogueReason =
  | ProbeFault
  | 'ambiguous_trace'
  | 'filename_run_mismatch'
  | 'duplicate_run_identity'
  | 'inspection_correlation_missing';

/** A file of a run, and what its ends say. */
export interface Member<T> {
  readonly entry: Entry;
  readonly probed: Probed<T>;
}

/** All that the directories have under one name. */
export interface RunFiles {
  readonly stem: string;
  readonly sanitized: Member<TraceProbe> | null;
  readonly private: Member<TraceProbe> | null;
  readonly inspection: Member<InspectionProbe> | null;
}

/** The row of a run. `isDuplicate`: another file claims its run or its trace. */
export function catalogueRow(run: RunFiles, isDuplicate: boolean): JsonObject {
  const reason = reasonOf(run, isDuplicate);
  const row = members({
    ...factsOf(run),
    correlation: correlationOf(run),
    state: reason === null ? 'admissible' : 'isolated',
    isolation_reason: reason,
  });
  if (Buffer.byteLength(canonicalJson(row)) <= ROW_BYTES) return row;
  // What labels and ids say at such length is no metadata; the name of a file is always reported.
  return members({
    run_id: run.stem,
    ...presence(run),
    correlation: correlationOf(run),
    state: 'isolated',
    isolation_reason: reason ?? 'malformed_metadata',
  });
}

function traceOf({ sanitized, private: own }: RunFiles): Member<TraceProbe> | null {
  return sanitized !== null && own !== null ? null : (sanitized ?? own);
}

function valueOf<T>(member: Member<T> | null): T | null {
  return member?.probed.ok === true ? member.probed.value : null;
}

function presence(run: RunFiles): Readonly<Record<string, JsonValue>> {
  const trace = traceOf(run);
  const isAmbiguous = run.sanitized !== null && run.private !== null;
  const kind = run.private === null ? 'sanitized' : 'private';
  const present = trace === null ? 'absent' : trace.probed.ok ? kind : 'unreadable';
  return { trace_present: isAmbiguous ? 'unreadable' : present, inspection_present: run.inspection !== null };
}

function factsOf(run: RunFiles): Readonly<Record<string, JsonValue>> {
  const [traceMember, trace, inspection] = [traceOf(run), valueOf(traceOf(run)), valueOf(run.inspection)];
  const stopped = trace?.stopped?.data;
  const labels = objectOf(trace?.started, 'labels');
  const dropped = objectOf(objectOf(stopped, 'usage'), 'events_dropped');
  return {
    run_id: run.stem,
    trace_id: trace?.traceId ?? inspection?.traceId ?? null,
    ...presence(run),
    trace_schema_version: trace === null ? null : TRACE_VERSION,
    inspection_schema_version: inspection?.schemaVersion ?? null,
    trace_bytes: sizeOf(traceMember?.entry),
    inspection_bytes: sizeOf(run.inspection?.entry),
    record_count: inspection?.records ?? null,
    start_timestamp: trace?.start ?? null,
    stop_timestamp: trace?.stopped?.timestamp ?? null,
    status: stopped?.get('outcome') ?? null,
    terminal_reason: stopped?.get('reason') ?? null,
    result_hash: stopped?.get('result_hash') ?? null,
    complete: stopped !== undefined && (dropped === undefined || dropped.size === 0),
    labels: labels === undefined ? new Map() : new Map([...labels].filter(([name]) => name !== 'tags')),
    tags: objectOf(labels, 'tags') ?? new Map(),
    artifact_digest: jsonDigest([trace?.digest ?? null, inspection?.digest ?? null]),
  };
}

function sizeOf(entry: Entry | undefined): JsonValue {
  return entry?.facts.kind === 'file' ? Number(entry.facts.size) : null;
}

function correlationOf(run: RunFiles): string {
  const hasTrace = run.sanitized !== null || run.private !== null;
  if (!hasTrace) return 'inspection_only';
  if (run.inspection === null) return 'trace_only';
  const [trace, inspection] = [valueOf(traceOf(run)), valueOf(run.inspection)];
  if (trace === null || inspection === null) return 'unavailable';
  return trace.runId === inspection.runId && trace.traceId === inspection.traceId ? 'paired' : 'mismatch';
}

function reasonOf(run: RunFiles, isDuplicate: boolean): CatalogueReason | null {
  const { stem, sanitized, private: own, inspection } = run;
  if (sanitized !== null && own !== null) return 'ambiguous_trace';
  const probes: readonly Probed<{ readonly runId: string }>[] = [traceOf(run), inspection].flatMap((member) =>
    member === null ? [] : [member.probed],
  );
  for (const probed of probes) if (!probed.ok) return probed.fault;
  if (probes.some((probed) => probed.ok && probed.value.runId !== stem)) return 'filename_run_mismatch';
  if (isDuplicate) return 'duplicate_run_identity';
  return correlationOf(run) === 'mismatch' ? 'inspection_correlation_missing' : null;
}
