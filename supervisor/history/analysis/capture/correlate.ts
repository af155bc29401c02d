import { isJsonArray, type JsonObject } from '../../../../contract/json/value.ts';
import { APPROVAL_RECORDS } from '../../../evidence/inspection/container.ts';
import { bundleHash } from '../../../documents/identity/bundle.ts';
import { findNumber, objectOf, findText } from '../members.ts';
import type { ProvenInspection } from './inspection-file.ts';
import type { RecordEntry } from './record-entry.ts';
import { droppedCounts, preludeOf, type CapturedRun, type StartFacts } from './run.ts';

const CAPABILITY_ORDER = ['capability-input', 'capability-exception', 'capability-output'];
const EVALUATION_ONCE = new Set([
  'evaluation-source',
  'evaluation-analysis',
  'execution-prints',
  'execution-error',
  'explicit-failure-value',
]);
/** Any number of them, between the input of a call and its output. */
const ATTEMPT = 'capability-attempt';
const EXCHANGES = new Set(['mcp-request', 'mcp-response', 'mcp-stderr']);
const OF_WORKFLOW = new Set(['execution-prints', 'execution-error', 'explicit-failure-value']);

/** Whether the private evidence is that of the traced run (evidence.md §6, "Checks against the trace"). */
export function correlates({ entries }: Pick<ProvenInspection, 'entries'>, run: CapturedRun): boolean {
  const byCapability = groupBy(entries, ({ capabilityId }) => capabilityId);
  const byEvaluation = groupBy(entries, ({ evaluationId }) => evaluationId);
  return (
    entries.every(isKnown) &&
    [...byCapability.values()].every(isCall) &&
    [...byEvaluation.values()].every(isEvaluation) &&
    [...byCapability].every(([id, group]) => group.every((entry) => isOfStart(entry, run.capabilities.get(id)))) &&
    [...byEvaluation].every(([id, group]) => group.every((entry) => isOfStart(entry, run.evaluations.get(id)))) &&
    areLost(
      run,
      'capability-started',
      [...byCapability.keys()].filter((id) => !run.capabilities.has(id)),
    ) &&
    areLost(
      run,
      'evaluation-started',
      [...byEvaluation.keys()].filter((id) => !run.evaluations.has(id)),
    ) &&
    areApprovals(entries, run) &&
    arePreludes(entries, run) &&
    isResult(entries, run)
  );
}

function isKnown({ type, capabilityId, evaluationId, componentId, approvalId, requestId }: RecordEntry): boolean {
  if (CAPABILITY_ORDER.includes(type) || type === ATTEMPT) return capabilityId !== null;
  if (EXCHANGES.has(type)) return capabilityId !== null && requestId !== null && requestId >= 1;
  if (APPROVAL_RECORDS.has(type)) return approvalId !== null;
  if (EVALUATION_ONCE.has(type)) return evaluationId !== null;
  return type === 'prelude-source' ? componentId !== null : type === 'run-result';
}

/** Checks 1 and 7: at most one of each in this order, of one name and owner; every request has its response. */
function isCall(group: readonly RecordEntry[]): boolean {
  const own = group.filter(({ type }) => CAPABILITY_ORDER.includes(type));
  const [first] = own;
  const places = own.map(({ type }) => CAPABILITY_ORDER.indexOf(type));
  const isOrdered =
    first?.type === 'capability-input' &&
    places.every((place, index) => index === 0 || place > (places[index - 1] ?? place));
  const isOneCall = own.every(
    ({ name, environment, mission }) =>
      name === first?.name && environment === first?.environment && mission === first?.mission,
  );
  const refusal = own.find(({ type }) => type === 'capability-output')?.refusal ?? null;
  const hasThrown =
    own.some(({ type }) => type === 'capability-exception') && own.some(({ type }) => type === 'capability-output');
  const isReportedAsThrown =
    !hasThrown || (refusal !== null && refusal[0] === 'provider_error' && ['exception', 'throw'].includes(refusal[1]));
  return isOrdered && isOneCall && isReportedAsThrown && isExchange(group) && areAttempts(group);
}

/** Attempts are of the call's own name, behind its input and before its output. */
function areAttempts(group: readonly RecordEntry[]): boolean {
  const [first] = group;
  const output = group.findIndex(({ type }) => type === 'capability-output');
  return group.every(
    ({ type, name }, at) => type !== ATTEMPT || (at > 0 && name === first?.name && (output === -1 || at < output)),
  );
}

function isExchange(group: readonly RecordEntry[]): boolean {
  const requests = group.filter(({ type }) => type === 'mcp-request').map(({ requestId }) => requestId);
  const responses = group.filter(({ type }) => type === 'mcp-response').map(({ requestId }) => requestId);
  const stderr = group.filter(({ type }) => type === 'mcp-stderr').map(({ requestId }) => requestId);
  const isOnce = (ids: readonly unknown[]): boolean => new Set(ids).size === ids.length;
  return (
    isOnce(requests) &&
    isOnce(responses) &&
    isOnce(stderr) &&
    responses.length === requests.length &&
    [...responses, ...stderr].every((id) => requests.includes(id))
  );
}

/** Check 2: at most one of each; an analysis is an import away from its source. */
function isEvaluation(group: readonly RecordEntry[]): boolean {
  const types = group.map(({ type }) => type);
  const analysis = types.indexOf('evaluation-analysis');
  const source = types.indexOf('evaluation-source');
  return new Set(types).size === types.length && (analysis === -1 || (source !== -1 && source < analysis));
}

/** Check 3. A start that was lost is judged by `areLost`. */
function isOfStart(entry: RecordEntry, start: StartFacts | undefined): boolean {
  if (OF_WORKFLOW.has(entry.type) && entry.environment !== 'workflow') return false;
  if (start === undefined) return true;
  if (EXCHANGES.has(entry.type)) return entry.mission === start.mission;
  if (entry.environment !== start.environment || entry.mission !== start.mission) return false;
  if (CAPABILITY_ORDER.includes(entry.type) || entry.type === ATTEMPT) return entry.name === start.name;
  if (entry.type !== 'evaluation-source') return true;
  return (
    entry.sourceHash === findText(start.data, 'source_hash') &&
    entry.sourceBytes === findNumber(start.data, 'source_bytes')
  );
}

/** Check 4: ids may be absent only as far as the trace itself says that it lost their starts. */
function areLost(run: CapturedRun, type: string, ids: readonly string[]): boolean {
  if (ids.length === 0) return true;
  const counts = droppedCounts(run);
  return counts !== null && (findNumber(counts, type) ?? 0) >= ids.length;
}

/**
 * A decision needs its request, before it and once; a call that names a question needs that it was allowed. What the
 * trace has no question of was lost, as far as it says so (approvals.md §10).
 */
function areApprovals(entries: readonly RecordEntry[], run: CapturedRun): boolean {
  const byApproval = groupBy(entries, ({ approvalId }) => approvalId);
  const isInOrder = [...byApproval.values()].every(
    ([request, decision, ...more]) =>
      request?.type === 'approval-request' &&
      more.length === 0 &&
      (decision === undefined ||
        (decision.type === 'approval-decision' &&
          decision.environment === request.environment &&
          decision.mission === request.mission)),
  );
  const isAsTraced = [...byApproval].every(([id, [request]]) => {
    const traced = run.approvals.get(id);
    return traced === undefined || (traced.environment === request?.environment && traced.mission === request.mission);
  });
  const isEachAllowed = [...run.capabilities.values()].every(({ data }) => {
    const id = findText(data, 'approval_id');
    return id === undefined || byApproval.get(id)?.at(-1)?.decision === 'allowed';
  });
  const unknown = [...byApproval.keys()].filter((id) => !run.approvals.has(id));
  return isInOrder && isAsTraced && isEachAllowed && areLost(run, 'approval-requested', unknown);
}

/** Check 5: in each environment the sources are exactly its components, and hash to its bundle. */
function arePreludes(entries: readonly RecordEntry[], run: CapturedRun): boolean {
  const sources = entries.filter(({ type }) => type === 'prelude-source');
  const missions = [...(objectOf(run.started, 'missions')?.keys() ?? [])];
  const isKnownPlace = ({ environment, mission }: RecordEntry): boolean =>
    environment === 'workflow'
      ? mission === null
      : environment === 'mission' && mission !== null && missions.includes(mission);
  if (!sources.every(isKnownPlace)) return false;
  const isWhole = [null, ...missions].every((mission) =>
    isBundle(
      preludeOf(run, mission),
      sources.filter((entry) => entry.mission === mission),
    ),
  );
  return (
    isWhole &&
    entries.every(({ preludeCalls, mission }) =>
      (preludeCalls ?? []).every(({ component }) => componentIds(preludeOf(run, mission)).includes(component)),
    )
  );
}

export function componentIds(prelude: JsonObject | undefined): readonly string[] {
  const ids = prelude?.get('component_ids');
  return isJsonArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

/** Ids of the components that one at this position depends on directly. */
export function dependenciesAt(prelude: JsonObject | undefined, position: number): readonly string[] {
  const ids = componentIds(prelude);
  const rows = prelude?.get('dependency_indices');
  const row = isJsonArray(rows) ? rows[position] : undefined;
  return isJsonArray(row) ? row.flatMap((index) => (typeof index === 'number' ? [ids[index] ?? ''] : [])) : [];
}

function isBundle(prelude: JsonObject | undefined, sources: readonly RecordEntry[]): boolean {
  const ids = componentIds(prelude);
  const byId = new Map(sources.map((entry) => [entry.componentId ?? '', entry.sourceHash ?? '']));
  if (byId.size !== sources.length || byId.size !== ids.length || !ids.every((id) => byId.has(id))) return false;
  if (ids.length === 0) return true;
  return (
    bundleHash(
      ids.map((id, position) => ({
        id,
        sourceHash: byId.get(id) ?? '',
        dependencies: dependenciesAt(prelude, position),
      })),
    ) === prelude?.get('hash')
  );
}

/** Check 6. */
function isResult(entries: readonly RecordEntry[], run: CapturedRun): boolean {
  const [first, second] = entries.filter(({ type }) => type === 'run-result');
  if (first === undefined) return true;
  const { computed, reported } = first.resultHash ?? { computed: '', reported: ' ' };
  return (
    second === undefined &&
    computed === reported &&
    run.stopped?.get('result_hash') === reported &&
    run.stopped.get('outcome') === 'ok'
  );
}

function groupBy(
  entries: readonly RecordEntry[],
  keyOf: (entry: RecordEntry) => string | null,
): ReadonlyMap<string, readonly RecordEntry[]> {
  const groups = new Map<string, RecordEntry[]>();
  for (const entry of entries) {
    const key = keyOf(entry);
    if (key === null) continue;
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(entry);
  }
  return groups;
}
