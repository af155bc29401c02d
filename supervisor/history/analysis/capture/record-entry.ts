import { createHash } from 'node:crypto';
import { doPaced } from '../../../../contract/json/paced.ts';
import { SerializedJson } from '../../../../contract/json/serialized.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../../system/event-loop-pace.ts';
import { APPROVAL_RECORDS, APPROVALS_VERSION, type InspectionVersion } from '../../../evidence/inspection/container.ts';
import { slicedUpdate } from '../../../evidence/inspection/long-record.ts';
import { findNumber, objectOf, findText } from '../members.ts';

/** A call of an exported function that static analysis found in a source. */
export interface PreludeCall {
  readonly ref: string;
  readonly component: string;
}

/** What is kept of a record that stays in its file: where it is, what proves it, and what queries look for. */
export interface RecordEntry {
  /** Bytes of the record itself, from the start of the file. */
  readonly offset: number;
  readonly length: number;
  /** SHA-256 of these bytes. */
  readonly proof: Buffer;
  readonly sequence: number;
  readonly timestamp: string;
  readonly type: string;
  readonly capabilityId: string | null;
  readonly evaluationId: string | null;
  readonly componentId: string | null;
  readonly approvalId: string | null;
  readonly requestId: number | null;
  readonly environment: string | null;
  readonly mission: string | null;
  readonly name: string | null;
  readonly sourceHash: string | null;
  readonly sourceBytes: number | null;
  /** Of a result: what its value hashes to, as a run's end reports it, and what the record says. */
  readonly resultHash: { readonly computed: string; readonly reported: string } | null;
  /** Of an output: `[kind, reason]` of the error that the program saw; null for everything else. */
  readonly refusal: readonly [string, string] | null;
  /** Of the decision about a call: what it came to. */
  readonly decision: string | null;
  readonly preludeCalls: readonly PreludeCall[] | null;
}

/** Of an entry, and of a call in it, in addition to its texts. */
const ENTRY_BYTES = 96;
const CALL_BYTES = 32;

/** What an entry takes in memory, near enough (evidence.md §6, "Reader"). */
export function indexBytes({
  type,
  timestamp,
  capabilityId,
  evaluationId,
  componentId,
  approvalId,
  environment,
  mission,
  name,
  decision,
  preludeCalls,
  refusal,
}: RecordEntry): number {
  const texts = [
    type,
    timestamp,
    capabilityId,
    evaluationId,
    componentId,
    approvalId,
    environment,
    mission,
    name,
    decision,
    ...(refusal ?? []),
  ].reduce((sum, text) => sum + (text?.length ?? 0), 0);
  return (
    ENTRY_BYTES +
    texts +
    (preludeCalls ?? []).reduce((sum, { ref, component }) => sum + CALL_BYTES + ref.length + component.length, 0)
  );
}

const MEMBERS = [
  'correlation',
  'payload',
  'record_type',
  'run_id',
  'schema_version',
  'sequence',
  'timestamp',
  'trace_id',
];
export interface RecordPlace {
  /** Of its file. */
  readonly version: InspectionVersion;
  readonly runId: string;
  readonly traceId: string;
  /** Which record it must be, from 1. */
  readonly sequence: number;
  readonly offset: number;
}

/**
 * Null where the object is no record of this run at this place (evidence.md §6, "Record"). A long one is hashed in
 * several turns of the event loop.
 */
export async function recordEntry(
  record: JsonObject,
  bytes: Uint8Array,
  { version, runId, traceId, sequence, offset }: RecordPlace,
): Promise<RecordEntry | null> {
  const correlation = objectOf(record, 'correlation');
  const payload = objectOf(record, 'payload');
  const type = findText(record, 'record_type');
  const timestamp = findText(record, 'timestamp');
  const isSound =
    record.size === MEMBERS.length &&
    MEMBERS.every((member) => record.has(member)) &&
    record.get('schema_version') === version &&
    (version === APPROVALS_VERSION || !APPROVAL_RECORDS.has(type ?? ''));
  if (!isSound || correlation === undefined || payload === undefined || type === undefined || timestamp === undefined)
    return null;
  if (record.get('run_id') !== runId || record.get('trace_id') !== traceId || record.get('sequence') !== sequence)
    return null;
  return {
    offset,
    length: bytes.length,
    proof: await proofOf(bytes),
    sequence,
    timestamp,
    type,
    capabilityId: findText(correlation, 'capability_id') ?? null,
    evaluationId: findText(correlation, 'evaluation_id') ?? null,
    componentId: findText(correlation, 'component_id') ?? null,
    approvalId: findText(correlation, 'approval_id') ?? null,
    requestId: findNumber(correlation, 'request_id') ?? null,
    environment: findText(payload, 'environment') ?? null,
    mission: findText(payload, 'mission_name') ?? null,
    name: findText(payload, 'name') ?? null,
    ...sourceFacts(payload),
    resultHash: type === 'run-result' ? await resultHashes(payload) : null,
    refusal: type === 'capability-output' ? refusalOf(payload) : null,
    decision: type === 'approval-decision' ? (findText(payload, 'decision') ?? '') : null,
    preludeCalls: type === 'evaluation-analysis' ? preludeCallsOf(payload.get('prelude_calls')) : null,
  };
}

/** What proves a record that stays in its file. */
export async function proofOf(bytes: Uint8Array): Promise<Buffer> {
  const hash = createHash('sha256');
  await doPaced(slicedUpdate(hash, bytes), EVENT_LOOP_PACE);
  return hash.digest();
}

/** Hash and size of the source itself, where it is what the record says of it; else of nothing, which fits no trace. */
function sourceFacts(payload: JsonObject): Pick<RecordEntry, 'sourceHash' | 'sourceBytes'> {
  const source = findText(payload, 'source');
  if (source === undefined) return { sourceHash: null, sourceBytes: null };
  const sourceHash = createHash('sha256').update(source).digest('hex');
  const sourceBytes = Buffer.byteLength(source);
  const isReported = payload.get('source_hash') === sourceHash && payload.get('source_bytes') === sourceBytes;
  return isReported ? { sourceHash, sourceBytes } : { sourceHash: '', sourceBytes };
}

async function resultHashes(payload: JsonObject): Promise<RecordEntry['resultHash']> {
  const value = payload.get('value');
  return {
    computed: value === undefined ? '' : await SerializedJson.of(value).digest(EVENT_LOOP_PACE),
    reported: findText(payload, 'result_hash') ?? '',
  };
}

function refusalOf(payload: JsonObject): readonly [string, string] | null {
  const result = objectOf(payload, 'result');
  return result?.get('status') === 'error' ? [findText(result, 'kind') ?? '', findText(result, 'reason') ?? ''] : null;
}

function preludeCallsOf(calls: JsonValue | undefined): readonly PreludeCall[] | null {
  if (!isJsonArray(calls)) return null;
  return calls.flatMap((call) => {
    const ref = isJsonObject(call) ? findText(call, 'ref') : undefined;
    const component = isJsonObject(call) ? findText(call, 'component_id') : undefined;
    return ref === undefined || component === undefined ? [] : [{ ref, component }];
  });
}
