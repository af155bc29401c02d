import type { JsonObject } from '../../../contract/json/value.ts';
import type { TraceFault, TraceRecord } from './line.ts';
import { isDigest, isName, isRunStarted, isRunUsage } from './shapes.ts';

interface OpenEvaluation {
  readonly environment: unknown;
  readonly missionName: unknown;
  readonly parent: string | undefined;
}

interface RunState {
  readonly traceId: string;
  /** A session's usage has a shape of its own (evidence.md §3). */
  readonly isSession: boolean;
  readonly started: Set<string>;
  readonly open: Map<string, OpenEvaluation>;
  sequence: number;
  isStopped: boolean;
}

/** Follows the events of a source, which may hold several runs; null while all is in order (evidence.md §5). */
export interface TraceOrder {
  accept(record: TraceRecord): TraceFault | null;
}

export function traceOrder(): TraceOrder {
  const runs = new Map<string, RunState>();
  const runOfTrace = new Map<string, string>();
  return {
    accept: (record) => {
      const rule = ruleBroken(record, runs, runOfTrace);
      return rule === null ? null : { reason: 'malformed_source', rule };
    },
  };
}

/** The rule that a record breaks after those before it; null for none, and the record is counted. */
function ruleBroken(record: TraceRecord, runs: Map<string, RunState>, runOfTrace: Map<string, string>): string | null {
  const { runId, traceId, type, data } = record;
  const state = runs.get(runId);
  const environment = environmentRule(record);
  if (environment !== null) return environment;
  if (state === undefined) {
    if (type !== 'run-started') return 'first event is run-started';
    if (runOfTrace.has(traceId)) return 'run and trace one to one';
    if (!isRunStarted(data)) return 'run-started data';
    runOfTrace.set(traceId, runId);
    runs.set(runId, {
      traceId,
      isSession: data.has('session_profile'),
      started: new Set(),
      open: new Map(),
      sequence: record.sequence,
      isStopped: false,
    });
    return null;
  }
  if (state.traceId !== traceId) return 'run and trace one to one';
  if (type === 'run-started') return 'one run-started';
  if (state.isStopped) return 'nothing after run-stopped';
  if (record.sequence <= state.sequence) return 'sequence increases';
  state.sequence = record.sequence;
  switch (type) {
    case 'evaluation-started':
      return startRule(data, state);
    case 'evaluation-stopped':
      return stopRule(data, state);
    case 'run-stopped':
      return endRule(data, state);
    default:
      return data.has('parent_evaluation_id') ? 'parent only on evaluations' : null;
  }
}

/** `mission_name` belongs to the environment mission and to no other. */
function environmentRule({ data }: TraceRecord): string | null {
  const environment = data.get('environment');
  const name = data.get('mission_name');
  if (environment === 'mission') return isName(name) ? null : 'mission_name';
  if (environment !== undefined && environment !== 'workflow') return 'environment';
  return name === undefined ? null : 'mission_name';
}

function startRule(data: JsonObject, state: RunState): string | null {
  const id = data.get('evaluation_id');
  const parent = data.get('parent_evaluation_id');
  const environment = data.get('environment');
  if (typeof id !== 'string' || id === '' || environment === undefined) return 'evaluation identity';
  if (state.started.has(id)) return 'evaluation started once';
  if (parent !== undefined && (environment !== 'mission' || !isOpenWorkflow(parent, state))) return 'parent evaluation';
  state.started.add(id);
  state.open.set(id, {
    environment,
    missionName: data.get('mission_name'),
    parent: typeof parent === 'string' ? parent : undefined,
  });
  return null;
}

function isOpenWorkflow(parent: unknown, state: RunState): boolean {
  const evaluation = typeof parent === 'string' ? state.open.get(parent) : undefined;
  return evaluation !== undefined && evaluation.environment === 'workflow' && evaluation.parent === undefined;
}

function stopRule(data: JsonObject, state: RunState): string | null {
  const id = data.get('evaluation_id');
  const parent = data.get('parent_evaluation_id');
  if (typeof id !== 'string' || id === '') return 'evaluation identity';
  const evaluation = state.open.get(id);
  state.open.delete(id);
  // A start may have been dropped; its parent is then unknown.
  if (evaluation === undefined) return parent === undefined && !state.started.has(id) ? null : 'stop without start';
  const isSame =
    evaluation.environment === data.get('environment') &&
    evaluation.missionName === data.get('mission_name') &&
    evaluation.parent === (parent ?? undefined);
  return isSame ? null : 'stop like its start';
}

function endRule(data: JsonObject, state: RunState): string | null {
  state.isStopped = true;
  const outcome = data.get('outcome');
  const hash = data.get('result_hash');
  if (outcome !== 'ok' && outcome !== 'error') return 'outcome';
  if (hash !== undefined && (outcome !== 'ok' || !isDigest(hash))) return 'result_hash';
  return state.isSession || isRunUsage(data.get('usage')) ? null : 'usage';
}
