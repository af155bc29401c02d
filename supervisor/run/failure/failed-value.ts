import type { JsonValue } from '../../../contract/json/value.ts';
import { decodeGuestJson } from '../../calls/evaluation/guest-json.ts';
import type { WorkflowEnd } from '../workflow-end.ts';

/** What a workflow failed with, read once: it may be as large as the largest result (runtime.md §7). */
export type FailedValue =
  | { readonly state: 'readable'; readonly value: JsonValue }
  /** It was looked at no further than its length, or has no JSON form that could be published. */
  | { readonly state: 'too_large' | 'not_representable' };

const BRANCH_ERRORS: ReadonlySet<string> = new Set(['pmap_error', 'pcalls_error']);

/**
 * The value of a `fail`: of the workflow's own, or what is kept of one that ended a parallel branch and was caught by
 * nobody (runtime.md §7, §8). `limitBytes` is `terminal_result_bytes`. Null for every other end.
 */
export async function describeFailedValue(end: WorkflowEnd, limitBytes: number): Promise<FailedValue | null> {
  if (end.kind === 'failed')
    return end.json === null ? { state: 'not_representable' } : readValue(end.json, limitBytes);
  const failure =
    end.kind === 'evaluation_error' && BRANCH_ERRORS.has(end.fault.reason) ? end.fault.details['failure'] : null;
  return typeof failure === 'string' ? readValue(failure, limitBytes) : null;
}

async function readValue(json: string, limitBytes: number): Promise<FailedValue> {
  if (Buffer.byteLength(json) > limitBytes) return { state: 'too_large' };
  const decoded = await decodeGuestJson(json);
  return decoded === null ? { state: 'not_representable' } : { state: 'readable', value: decoded.value };
}
