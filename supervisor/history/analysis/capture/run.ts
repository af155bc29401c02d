import { isJsonObject, type JsonObject } from '../../../../contract/json/value.ts';
import type { TraceRecord } from '../../../evidence/reader/read-trace.ts';
import { findNumber, objectOf, findText } from '../members.ts';

/** Which kind of file a trace was in. */
export type TraceSource = 'sanitized' | 'private';

/** A capability or an evaluation as its first event reports on it. */
export interface StartFacts {
  readonly environment: string;
  readonly mission: string | null;
  /** Of a capability. */
  readonly name: string | null;
  /** Of an evaluation that another launched. */
  readonly parent: string | null;
  readonly data: JsonObject;
}

/** One run of a capture: its events and what can be looked up in them. */
export interface CapturedRun {
  readonly runId: string;
  readonly traceId: string;
  readonly source: TraceSource;
  readonly events: readonly TraceRecord[];
  /** Data of `run-started`. */
  readonly started: JsonObject;
  /** Data of `run-stopped`; null of a run that is open. */
  readonly stopped: JsonObject | null;
  readonly isTruncated: boolean;
  /** It stopped, and no event was lost. */
  readonly isComplete: boolean;
  readonly capabilities: ReadonlyMap<string, StartFacts>;
  readonly evaluations: ReadonlyMap<string, StartFacts>;
  /** Questions about calls. */
  readonly approvals: ReadonlyMap<string, StartFacts>;
  /** Status of the evaluations that stopped. */
  readonly evaluationEnds: ReadonlyMap<string, string>;
}

/** `events`: of one run, in order, as a reader admitted them. */
export function capturedRun(events: readonly TraceRecord[], source: TraceSource): CapturedRun {
  const [first] = events;
  if (first === undefined) throw new Error('a trace that was admitted has events');
  const stopped = events.findLast(({ type }) => type === 'run-stopped')?.data ?? null;
  const isTruncated = events.some(({ type }) => type === 'events-dropped') || lossesIn(stopped);
  const capabilities = new Map<string, StartFacts>();
  const evaluations = new Map<string, StartFacts>();
  const approvals = new Map<string, StartFacts>();
  const evaluationEnds = new Map<string, string>();
  for (const { type, data } of events) {
    const capability = findText(data, 'capability_id');
    const evaluation = findText(data, 'evaluation_id');
    const approval = findText(data, 'approval_id');
    if (type === 'approval-requested' && approval !== undefined) approvals.set(approval, startFacts(data));
    if (type === 'capability-started' && capability !== undefined) capabilities.set(capability, startFacts(data));
    if (type === 'evaluation-started' && evaluation !== undefined) evaluations.set(evaluation, startFacts(data));
    if (type === 'evaluation-stopped' && evaluation !== undefined)
      evaluationEnds.set(evaluation, findText(data, 'status') ?? '');
  }
  return {
    runId: first.runId,
    traceId: first.traceId,
    source,
    events,
    started: first.data,
    stopped,
    isTruncated,
    isComplete: stopped !== null && !isTruncated,
    capabilities,
    evaluations,
    approvals,
    evaluationEnds,
  };
}

function startFacts(data: JsonObject): StartFacts {
  return {
    environment: findText(data, 'environment') ?? '',
    mission: findText(data, 'mission_name') ?? null,
    name: findText(data, 'name') ?? null,
    parent: findText(data, 'parent_evaluation_id') ?? null,
    data,
  };
}

function lossesIn(stopped: JsonObject | null): boolean {
  const dropped = stopped === null ? undefined : objectOf(objectOf(stopped, 'usage'), 'events_dropped');
  return dropped !== undefined && dropped.size > 0;
}

/**
 * How often events of a type were lost, by the last two events alone; null where these do not agree or do not say it.
 */
export function droppedCounts(run: CapturedRun): JsonObject | null {
  const [before, last] = run.events.slice(-2);
  if (before?.type !== 'events-dropped' || last?.type !== 'run-stopped') return null;
  const counted = objectOf(before.data, 'counts');
  const sealed = objectOf(objectOf(last.data, 'usage'), 'events_dropped');
  if (counted === undefined || sealed === undefined || counted.size !== sealed.size) return null;
  return [...counted.keys()].every((type) => findNumber(counted, type) === findNumber(sealed, type)) ? counted : null;
}

/** The prelude of the workflow, or of a mission; undefined where the run has no such environment. */
export function preludeOf(run: CapturedRun, mission: string | null): JsonObject | undefined {
  if (mission === null) return objectOf(run.started, 'workflow_prelude');
  const facts = objectOf(run.started, 'missions')?.get(mission);
  return isJsonObject(facts) ? objectOf(facts, 'prelude') : undefined;
}
