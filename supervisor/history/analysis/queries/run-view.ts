import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import { MODEL_CAPABILITY } from '../../../../contract/provider-protocol/model.ts';
import type { Showing, ShownRun } from '../../../../contract/viewer-answers.ts';
import type { TraceRecord } from '../../../evidence/reader/read-trace.ts';
import type { CapturedRun } from '../capture/run.ts';
import { members, objectOf, findText } from '../members.ts';

const TRACE_VERSION = 2;
/** Ends of an evaluation that are no failure. */
const GOOD_ENDS = new Set(['ok', 'returned', 'continued']);

/** What a list of runs says of each (evidence.md §7). */
export function runSummary(run: CapturedRun): JsonObject {
  return members(summaryFacts(run));
}

/** Everything that a trace says about its run. */
export function fullRun(run: CapturedRun): JsonObject {
  const { events, started, stopped } = run;
  const labels = objectOf(started, 'labels');
  const usage = stopped === null ? undefined : objectOf(stopped, 'usage');
  const [first] = events;
  const last = events.findLast(({ type }) => type === 'run-stopped');
  return members({
    ...summaryFacts(run),
    trace_id: run.traceId,
    start_timestamp: first?.timestamp,
    stop_timestamp: last?.timestamp ?? null,
    result_hash: stopped?.get('result_hash') ?? null,
    labels: labels ?? new Map(),
    tags: labels?.get('tags') ?? new Map(),
    name: labels?.get('name') ?? null,
    model: labels?.get('model') ?? null,
    provider: labels?.get('provider') ?? null,
    subordinate_evaluations: usage?.get('subordinate_evaluations') ?? null,
    subordinate_source_checks: usage?.get('subordinate_source_checks') ?? null,
    workflow_capability_calls: callsOf(run, 'workflow'),
    mission_capability_calls: callsOf(run, 'mission'),
    llm_spend: usage?.get('llm_spend') ?? null,
    llm_budget: usage?.get('llm_budget') ?? null,
    error_count: errorsIn(events),
    failed_evaluations: [...run.evaluationEnds.values()].filter((status) => !GOOD_ENDS.has(status)).length,
    workflow_prelude: started.get('workflow_prelude'),
    missions: started.get('missions'),
    component_overrides: started.get('component_overrides') ?? [],
    connector_snapshots: started.get('connector_snapshots') ?? [],
    session_profile: started.get('session_profile') ?? null,
    positions: members({ run_started: first?.sequence }),
    schema_version: TRACE_VERSION,
    source: run.source,
  } satisfies Showing<ShownRun>);
}

function summaryFacts(run: CapturedRun) {
  const { stopped } = run;
  return {
    run_id: run.runId,
    status: stopped?.get('outcome') ?? null,
    duration_ms: durationOf(run),
    llm_calls: [...run.capabilities.values()].filter(({ name }) => name === MODEL_CAPABILITY).length,
    evaluations: evaluationsIn(run.events),
    terminal_reason: stopped?.get('reason') ?? null,
    complete: run.isComplete,
    truncated: run.isTruncated,
  } satisfies Readonly<Record<string, JsonValue>>;
}

/** Evaluations that an event names: one whose start was lost still stops. */
export function evaluationsIn(events: readonly TraceRecord[]): number {
  const ids = events
    .filter(({ type }) => type === 'evaluation-started' || type === 'evaluation-stopped')
    .map(({ data }) => findText(data, 'evaluation_id'));
  return new Set(ids).size;
}

/** Limits that were met, and calls and evaluations that ended with the status `error`. */
export function errorsIn(events: readonly TraceRecord[]): number {
  return events.filter(
    ({ type, data }) =>
      type === 'limit-exceeded' ||
      ((type === 'capability-stopped' || type === 'evaluation-stopped') && data.get('status') === 'error'),
  ).length;
}

function callsOf(run: CapturedRun, environment: string): number {
  return [...run.capabilities.values()].filter((start) => start.environment === environment).length;
}

function durationOf({ events }: CapturedRun): number | null {
  const [first] = events;
  const last = events.findLast(({ type }) => type === 'run-stopped');
  if (first === undefined || last === undefined) return null;
  // Rounded together, so that times to the microsecond do not lose one.
  return Math.max(0, Math.round(millisecondsOf(last.timestamp) - millisecondsOf(first.timestamp)));
}

function millisecondsOf(timestamp: string): number {
  return Date.parse(`${timestamp.slice(0, 19)}Z`) + Number(timestamp.slice(20, 26)) / 1000;
}

/** Whether a run passes the filters of `runs` and `counters`; all must hold. */
export function isMatch(run: CapturedRun, filters: ReadonlyMap<string, JsonValue>): boolean {
  const labels = objectOf(run.started, 'labels');
  const start = run.events[0]?.timestamp ?? '';
  return [...filters].every(([name, value]) => {
    switch (name) {
      case 'status':
        return run.stopped?.get('outcome') === value;
      case 'run_id':
        return run.runId === value;
      case 'trace_id':
        return run.traceId === value;
      case 'name':
      case 'model':
      case 'provider':
        return labels?.get(name) === value;
      case 'bundle':
        return bundlesOf(run).includes(value);
      case 'tags':
        return (
          isJsonObject(value) && [...value].every(([tag, wanted]) => objectOf(labels, 'tags')?.get(tag) === wanted)
        );
      case 'from':
        return typeof value === 'string' && start >= value;
      case 'to':
        return typeof value === 'string' && start <= value;
      default:
        return true;
    }
  });
}

function bundlesOf({ started }: CapturedRun): readonly JsonValue[] {
  const missions = [...(objectOf(started, 'missions')?.values() ?? [])].map((mission) =>
    isJsonObject(mission) ? objectOf(mission, 'prelude') : undefined,
  );
  return [objectOf(started, 'workflow_prelude'), ...missions].flatMap((prelude) => {
    const hash = prelude?.get('hash');
    return hash === undefined || hash === null ? [] : [hash];
  });
}

/** Newest first; runs of one moment by their id, descending. */
export function newestFirst(runs: Iterable<CapturedRun>): readonly CapturedRun[] {
  const key = ({ events, runId }: CapturedRun): readonly [string, string] => [events[0]?.timestamp ?? '', runId];
  return [...runs].toSorted((left, right) => {
    const [leftTime, leftId] = key(left);
    const [rightTime, rightId] = key(right);
    if (leftTime !== rightTime) return leftTime < rightTime ? 1 : -1;
    return leftId < rightId ? 1 : -1;
  });
}

/** Snapshots of the providers that the run had opened. */
export function connectorSnapshots({ started }: CapturedRun): readonly JsonObject[] {
  const snapshots = started.get('connector_snapshots');
  return isJsonArray(snapshots) ? snapshots.filter(isJsonObject) : [];
}
