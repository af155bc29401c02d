import { valueOf } from '../../../contract/json/node.ts';
import { parseJson } from '../../../contract/json/parse.ts';
import { isJsonInteger, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';

/** One event as a reader holds it (evidence.md §2). */
export interface TraceRecord {
  readonly runId: string;
  readonly traceId: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly type: string;
  readonly data: JsonObject;
}

/** Why a line or a file is no trace; the rule is for people and tests, the reason for programs (evidence.md §5). */
export interface TraceFault {
  readonly reason: 'malformed_source' | 'unsupported_version';
  readonly rule: string;
}

export type LineResult =
  | { readonly ok: true; readonly record: TraceRecord }
  | { readonly ok: false; readonly fault: TraceFault };

const MEMBERS = ['data', 'run_id', 'schema_version', 'sequence', 'timestamp', 'trace_id', 'type'] as const;
const VERSION = 2;
const ID_BYTES = 256;
const TYPE = /^[a-z][a-z0-9-]{0,127}$/;
const TIMESTAMP = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$/;
/** One data member at its ceiling, with the longest ids around it; depth and nodes of any document. */
const LINE_LIMITS = { bytes: 4_002_048, depth: 64, nodes: 1_000_000 } as const;

/** Decodes one line without its line feed. */
export function readLine(bytes: Uint8Array): LineResult {
  const parsed = parseJson(bytes, LINE_LIMITS);
  if (!parsed.ok) return refuse(parsed.fault.kind === 'duplicate_key' ? 'duplicate key' : 'not a JSON line');
  const value = valueOf(parsed.root);
  if (!isJsonObject(value)) return refuse('not an object');
  const version = value.get('schema_version');
  if (isJsonInteger(version) && version !== VERSION) return refuse('schema version', 'unsupported_version');
  if (value.size !== MEMBERS.length || !MEMBERS.every((member) => value.has(member))) return refuse('members');
  return recordOf(value);
}

function recordOf(line: JsonObject): LineResult {
  const runId = line.get('run_id');
  const traceId = line.get('trace_id');
  const sequence = line.get('sequence');
  const timestamp = line.get('timestamp');
  const type = line.get('type');
  const data = line.get('data');
  if (line.get('schema_version') !== VERSION) return refuse('schema version');
  if (!isId(runId) || !isId(traceId)) return refuse('ids');
  if (typeof sequence !== 'number' || sequence < 1) return refuse('sequence');
  if (typeof timestamp !== 'string' || !isTimestamp(timestamp)) return refuse('timestamp');
  if (typeof type !== 'string' || !TYPE.test(type)) return refuse('type');
  if (!isJsonObject(data)) return refuse('data');
  return { ok: true, record: { runId, traceId, sequence, timestamp, type, data } };
}

function isId(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && value.length > 0 && Buffer.byteLength(value) <= ID_BYTES;
}

function isTimestamp(text: string): boolean {
  return TIMESTAMP.test(text) && !Number.isNaN(Date.parse(`${text.slice(0, 23)}Z`));
}

function refuse(rule: string, reason: TraceFault['reason'] = 'malformed_source'): LineResult {
  return { ok: false, fault: { reason, rule } };
}
