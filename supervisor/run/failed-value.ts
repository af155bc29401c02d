import type { WorkflowEnd } from './evaluation.ts';

const BRANCH_ERRORS: ReadonlySet<string> = new Set(['pmap_error', 'pcalls_error']);

/**
 * JSON text of the value of a `fail`: of the workflow's own, or what is kept of one that ended a parallel branch and was
 * caught by nobody (runtime.md §7, §8). Null for every other end.
 */
export function failedJson(end: WorkflowEnd): string | null {
  if (end.kind === 'failed') return end.json;
  const failure = end.kind === 'evaluation_error' && BRANCH_ERRORS.has(end.fault.reason) ? end.fault.details['failure'] : null;
  return typeof failure === 'string' ? failure : null;
}
