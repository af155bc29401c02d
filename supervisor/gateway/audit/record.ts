import { canonicalJson } from '../../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { documentLimits, parseJsonText } from '../../../contract/json/parse.ts';
import { isJsonObject, type JsonObject } from '../../../contract/json/value.ts';

/** What became of a call (gateway.md §5). */
export type OutcomeCode =
  | 'success'
  | 'execution_failed'
  | 'invalid_result'
  | 'cancelled'
  | 'publication_failed'
  | 'cleanup_failed'
  | 'admission_unavailable'
  | 'internal_error';

/** What every record of one call has in common. */
export interface AuditedCall {
  /** 32 lower-case hex digits. */
  readonly call_id: string;
  readonly run_ref: string;
  readonly tool_name: string;
  readonly application_content_digest: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly started_at: string;
  /** Name of the binding that showed itself. */
  readonly principal: string;
}

/**
 * What became of a call that may write; no argument, result, message, header, address, or digest of one (gateway.md
 * §11).
 */
export interface CallOutcome {
  readonly outcome_code: OutcomeCode | 'unknown';
  /** Whether anything of the run began. */
  readonly dispatch_state: 'true' | 'false' | 'unknown';
  readonly write_effects_may_have_occurred: boolean;
  readonly disconnected: boolean;
  readonly cleanup_status: 'complete' | 'uncertain';
  /** How many questions were answered how (approvals.md §6); absent: nobody was asked. */
  readonly approvals?: { readonly allowed: number; readonly denied: number; readonly expired: number };
}

/** Bytes of one record, its end of line included. */
export const RECORD_BYTES = 1024;

/** The line of a call that may begin. */
export function intentLine(call: AuditedCall): Buffer {
  return lineOf({
    ...call,
    record: 'intent',
    dispatch_state: 'false',
    write_effects_may_have_occurred: false,
    disconnected: false,
    cleanup_status: 'complete',
  });
}

/** The line of a call that has ended. */
export function outcomeLine(call: AuditedCall, outcome: CallOutcome, endedAt: string): Buffer {
  return lineOf({ ...call, ...outcome, record: 'outcome', ended_at: endedAt });
}

function lineOf(record: object): Buffer {
  const json = jsonFromPlain(record);
  if (json === undefined) throw new TypeError('a record of the audit is plain data');
  const line = Buffer.from(`${canonicalJson(json)}\n`);
  if (line.length > RECORD_BYTES) throw new RangeError('a record of the audit is at most 1,024 bytes');
  return line;
}

/** Calls of a file that began and of which no end was written, as far as its lines are whole. */
export function unendedCalls(bytes: Uint8Array): readonly AuditedCall[] {
  const open = new Map<string, AuditedCall>();
  for (const line of new TextDecoder().decode(bytes).split('\n')) {
    const parsed = parseJsonText(line, LINE_LIMITS);
    const value = parsed.ok ? valueOf(parsed.root) : undefined;
    const call = isJsonObject(value) ? callOf(value) : null;
    if (call === null || !isJsonObject(value)) continue;
    if (value.get('record') === 'intent') open.set(call.call_id, call);
    else open.delete(call.call_id);
  }
  return [...open.values()];
}

const LINE_LIMITS = documentLimits(RECORD_BYTES);
const MEMBERS = [
  'call_id',
  'run_ref',
  'tool_name',
  'application_content_digest',
  'started_at',
  'principal',
] as const satisfies readonly (keyof AuditedCall)[];

/** Null for a line that no gateway wrote. */
function callOf(value: JsonObject): AuditedCall | null {
  const members = MEMBERS.map((name) => value.get(name));
  const [call_id, run_ref, tool_name, application_content_digest, started_at, principal] = members;
  if (
    typeof call_id !== 'string' ||
    typeof run_ref !== 'string' ||
    typeof tool_name !== 'string' ||
    typeof application_content_digest !== 'string' ||
    typeof started_at !== 'string' ||
    typeof principal !== 'string'
  )
    return null;
  return { call_id, run_ref, tool_name, application_content_digest, started_at, principal };
}
