import { jsonFromPlain } from '../../../../contract/json/plain.ts';
import { isJsonInteger, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import type { TokenUsage } from '../../../../contract/envelope/usage.ts';
import { MODEL_CAPABILITY } from '../../../../contract/provider-protocol/model.ts';
import { modelUsageFold, type ModelUsageFold } from '../../../evidence/model-usage.ts';
import type { TraceRecord } from '../../../evidence/reader/read-trace.ts';
import type { CapturedRun } from '../capture/run.ts';
import { members, findNumber, objectOf, findText } from '../members.ts';
import { connectorSnapshots, errorsIn, evaluationsIn } from './run-view.ts';

/**
 * What the events of several runs come to (evidence.md §7, counters). `mission`: only events of that one; null: all.
 */
export function foldCounters(runs: readonly CapturedRun[], mission: string | null): JsonObject {
  const usage = modelUsageFold();
  const byMission = new Map<string, number>();
  let [events, errors, evaluations, workflowCalls, missionCalls] = [0, 0, 0, 0, 0];
  for (const run of runs) {
    const traceRecords =
      mission === null ? run.events : run.events.filter(({ data }) => data.get('mission_name') === mission);
    events += traceRecords.length;
    errors += errorsIn(traceRecords);
    evaluations += evaluationsIn(traceRecords);
    for (const [name, count] of evaluationsByMission(traceRecords))
      byMission.set(name, (byMission.get(name) ?? 0) + count);
    const calls = traceRecords.filter(({ type }) => type === 'capability-started');
    workflowCalls += calls.filter(({ data }) => data.get('environment') === 'workflow').length;
    missionCalls += calls.filter(({ data }) => data.get('environment') === 'mission').length;
    foldModelCalls(run, traceRecords, usage);
  }
  const detail = usage.detail();
  return members({
    runs: runs.length,
    events,
    errors,
    evaluations,
    evaluations_by_mission: byMission,
    workflow_capability_calls: workflowCalls,
    mission_capability_calls: missionCalls,
    llm_usage: jsonFromPlain(detail.llm_usage),
    llm_usage_by_model: jsonFromPlain(detail.llm_usage_by_model),
    unattributed_model_calls: detail.unattributed_model_calls,
  });
}

function evaluationsByMission(events: readonly TraceRecord[]): ReadonlyMap<string, number> {
  const ids = new Map<string, Set<string>>();
  for (const { type, data } of events) {
    const mission = findText(data, 'mission_name');
    const id = findText(data, 'evaluation_id');
    if (mission === undefined || id === undefined || !type.startsWith('evaluation-')) continue;
    const seen = ids.get(mission) ?? new Set();
    ids.set(mission, seen.add(id));
  }
  return new Map([...ids].map(([mission, seen]) => [mission, seen.size]));
}

/** Starts and stops of model calls paired by their id, as a run counts its own (runtime.md §11). */
function foldModelCalls(run: CapturedRun, events: readonly TraceRecord[], usage: ModelUsageFold): void {
  const open = new Map<string, ReturnType<ModelUsageFold['start']>>();
  for (const { type, data } of events) {
    const id = findText(data, 'capability_id');
    const alias = findText(data, 'alias');
    const revision = findText(data, 'installation_revision');
    if (id === undefined || data.get('name') !== MODEL_CAPABILITY || alias === undefined || revision === undefined)
      continue;
    if (type === 'capability-started')
      open.set(
        id,
        usage.start({ alias, installationRevision: revision, resolvedModel: resolvedModel(run, alias, revision) }),
      );
    if (type !== 'capability-stopped') continue;
    const used = usageOf(objectOf(data, 'usage'));
    open.get(id)?.(
      data.get('status') === 'ok'
        ? { status: 'ok', usage: used }
        : { status: 'error', usage: used, dispatched: data.get('dispatched') !== false },
    );
    open.delete(id);
  }
}

/** The name that exactly one public snapshot of the installation attests. */
function resolvedModel(run: CapturedRun, alias: string, revision: string): string | null {
  const own = connectorSnapshots(run).filter((snapshot) => {
    const declaration = objectOf(snapshot, 'declaration');
    return declaration?.get('name') === alias && declaration.get('installation_revision') === revision;
  });
  const [only, second] = own;
  return second === undefined ? (findText(objectOf(only, 'acquisition'), 'resolved_model') ?? null) : null;
}

function usageOf(usage: JsonObject | undefined): TokenUsage | null {
  if (usage === undefined) return null;
  const counts = ['input', 'output', 'cache_creation', 'cache_read'].flatMap((member) => {
    const value = usage.get(member);
    return isCount(value) ? [[member, value] as const] : [];
  });
  const microunits = findNumber(objectOf(usage, 'total_cost'), 'microunits');
  return {
    ...Object.fromEntries(counts),
    ...(isCount(microunits) ? { total_cost: { currency: 'USD', microunits } } : {}),
  };
}

function isCount(value: JsonValue | undefined): value is number {
  return isJsonInteger(value) && typeof value === 'number' && value >= 0;
}
