import type { JsonObject } from '../../../contract/json/value.ts';
import type { TraceRecord } from '../../evidence/reader/read-trace.ts';
import type { CapturedRun } from '../analysis/capture/run.ts';
import { findNumber, findText } from '../analysis/members.ts';

/** One thing that went wrong in a run, or its end. */
export interface CourseStep {
  /** Milliseconds after the start of the run. */
  readonly atMs: number;
  /** Closed words and names of the application's own; to be shown on one line. */
  readonly text: string;
}

/**
 * What a trace says about the way to the end: each call and evaluation that failed and each limit that was met, in
 * order.
 */
export interface Course {
  readonly durationMs: number | null;
  readonly evaluations: number;
  readonly calls: number;
  readonly steps: readonly CourseStep[];
  /** Earlier ones that are not among `steps`. */
  readonly omitted: number;
}

/** As many as fit on one screen beside the rest. */
const STEPS_MAX = 8;
const GOOD_ENDS = new Set(['ok', 'returned', 'continued']);

export function courseOf(run: CapturedRun): Course {
  const [first] = run.events;
  const startedAt = first === undefined ? 0 : millisecondsOf(first.timestamp);
  const steps = run.events.flatMap((event): readonly CourseStep[] => {
    const text = stepText(run, event);
    return text === null ? [] : [{ atMs: Math.max(0, millisecondsOf(event.timestamp) - startedAt), text }];
  });
  const last = run.events.findLast(({ type }) => type === 'run-stopped');
  return {
    durationMs: last === undefined ? null : Math.max(0, millisecondsOf(last.timestamp) - startedAt),
    evaluations: run.evaluations.size,
    calls: run.capabilities.size,
    steps: steps.slice(-STEPS_MAX),
    omitted: Math.max(0, steps.length - STEPS_MAX),
  };
}

function stepText(run: CapturedRun, { type, data }: TraceRecord): string | null {
  switch (type) {
    case 'evaluation-stopped': {
      const status = findText(data, 'status') ?? '';
      if (GOOD_ENDS.has(status)) return null;
      const started = run.evaluations.get(findText(data, 'evaluation_id') ?? '');
      const where =
        started?.environment === 'mission' ? `a program in mission ${started.mission ?? ''}` : 'the workflow';
      return `${where} ended with ${[status, findText(data, 'reason')].filter((word) => word !== undefined).join(': ')}`;
    }
    case 'capability-stopped': {
      const status = findText(data, 'status') ?? '';
      if (status === 'ok') return null;
      const name =
        findText(data, 'name') ?? run.capabilities.get(findText(data, 'capability_id') ?? '')?.name ?? 'a tool';
      return `${name} answered ${[status, findText(data, 'kind'), findText(data, 'reason')].filter((word) => word !== undefined).join(': ')}`;
    }
    case 'approval-decided':
      return approvalText(run, data);
    case 'limit-exceeded':
      return `a limit was met: ${findText(data, 'limit') ?? findText(data, 'reason') ?? 'unnamed'}`;
    case 'events-dropped':
      return 'events were dropped: the trace is incomplete';
    case 'run-stopped':
      return `the run ended: ${[findText(data, 'outcome'), findText(data, 'reason')].filter((word) => word !== undefined).join(': ')}`;
    default:
      return null;
  }
}

/** Who decided about a call, and how long that took. */
function approvalText(run: CapturedRun, data: JsonObject): string {
  const name = run.approvals.get(findText(data, 'approval_id') ?? '')?.name ?? 'a tool';
  const by = findText(data, 'by');
  const waited = findNumber(data, 'waited_ms') ?? 0;
  const who = by === undefined || by === 'expiry' ? '' : ` by ${by}`;
  return `${name} was asked about: ${findText(data, 'decision') ?? 'undecided'}${who}, after ${waited} ms`;
}

function millisecondsOf(timestamp: string): number {
  return Math.round(Date.parse(`${timestamp.slice(0, 19)}Z`) + Number(timestamp.slice(20, 26)) / 1000);
}
