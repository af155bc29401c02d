import type { JsonObject, JsonValue } from '../../../../contract/json/value.ts';
import type { EvaluationFault } from '../../../../contract/sandbox-protocol.ts';
import type { CallingEvaluation } from '../../broker/call-scope.ts';
import { lossOf, type EvaluationLoss } from '../../evaluation/losses.ts';
import { missionNamed } from '../options.ts';
import { checking } from './continued.ts';
import { errorFacts } from './faults.ts';
import type { ProgramSource } from './program.ts';
import { grantedData, storedIn, type MissionSession } from './room.ts';
import { placeKey, type MissionPlace } from './workspaces.ts';

export interface SourceCheck {
  readonly place: MissionPlace;
  readonly source: ProgramSource;
  /** Demands exactly one top-level `return` or `fail`. */
  readonly terminal: boolean;
  readonly caller: CallingEvaluation;
  readonly signal: AbortSignal;
}

/** Compile time of one text (language.md §20). */
const COMPILE_TIME_MS = 5000;

type Verdict =
  | { readonly outcome: 'valid' }
  | { readonly outcome: 'invalid'; readonly diagnostic: JsonObject }
  | { readonly outcome: 'limit_exceeded' | 'busy' | 'stale'; readonly reason: string };

/** Checks a program's text for one mission and runs none of it (runtime.md §6, `kernel-check-source`). */
export async function checkSource(room: MissionSession, request: SourceCheck): Promise<JsonObject> {
  const { hash, bytes } = request.source;
  const ended = await room.during(request.signal, (signal) => verdict(room, { ...request, signal }));
  return new Map<string, JsonValue>([
    ['outcome', ended.outcome],
    ['source_hash', hash],
    ['source_bytes', bytes],
    ...verdictMembers(ended),
  ]);
}

async function verdict(room: MissionSession, request: SourceCheck): Promise<Verdict> {
  const {
    options: { clock, limits, runDeadlineAt },
    state,
    note,
  } = room;
  if (request.source.bytes > limits.subordinate_source_bytes) return limit('subordinate_source_bytes');
  if (state().isClosed || request.signal.aborted) return limit('run_closed');
  const now = clock.monotonic();
  const deadlineAt = Math.min(now + COMPILE_TIME_MS, request.caller.deadlineAt, runDeadlineAt);
  if (now >= deadlineAt) return limit('deadline_expired');
  if (state().checks >= limits.subordinate_source_checks) return limit('subordinate_source_checks');
  if (state().evaluating === placeKey(request.place)) return { outcome: 'busy', reason: 'evaluation_in_progress' };
  note({ event: 'check_charged' });
  const before = storedIn(room, request.place);
  const checked = await compile(room, request, deadlineAt);
  return storedIn(room, request.place).revision === before.revision
    ? checked
    : { outcome: 'stale', reason: 'continuation_changed' };
}

/** A check that lost its process to something else is made once more: nothing of the text ran. */
async function compile(room: MissionSession, request: SourceCheck, deadlineAt: number): Promise<Verdict> {
  const first = await compileOnce(room, request, deadlineAt);
  const isLost = first === 'host_lost' && !request.signal.aborted && room.options.clock.monotonic() < deadlineAt;
  const checked = isLost ? await compileOnce(room, request, deadlineAt) : first;
  // No other word of those that a check may answer comes nearer to it (runtime.md §6).
  return checked === 'host_lost' ? limit('compile_memory_exceeded') : checked;
}

async function compileOnce(
  room: MissionSession,
  { place, source, terminal, signal, caller }: SourceCheck,
  deadlineAt: number,
): Promise<Verdict | 'host_lost'> {
  const {
    isolates,
    options: { clock, missions, runDeadlineAt },
  } = room;
  const stored = storedIn(room, place);
  const timeLeft = (): number => Math.max(1, deadlineAt - clock.monotonic());
  const isNearer = Math.min(caller.deadlineAt, runDeadlineAt) <= deadlineAt;
  const missionIsolateResult = await isolates.take(place, stored.revision, {
    timeoutMs: timeLeft(),
    time: clock,
    signal,
  });
  if (!missionIsolateResult.ok) return lost(missionIsolateResult.loss, isNearer);
  const { isolate, revision } = missionIsolateResult.acquired;
  const { tools } = missionNamed(missions, place.mission);
  const data = grantedData(room, place);
  const request = checking(
    { operation: 'check', source: source.text, tools, data: Object.keys(data), terminal },
    stored,
    revision === stored.revision,
  );
  const outcome = await isolate.request(request, { timeoutMs: timeLeft(), time: clock, signal });
  if (outcome.status !== 'replied') {
    await isolates.letGo(isolate);
    return lost(lossOf(outcome), isNearer);
  }
  if (storedIn(room, place).revision === stored.revision && room.state().evaluating !== placeKey(place))
    await isolates.keep(place, stored.revision, isolate);
  else await isolates.letGo(isolate);
  return outcome.reply.status === 'valid' ? { outcome: 'valid' } : invalid(outcome.reply.fault, source);
}

function verdictMembers(verdict: Verdict): readonly (readonly [string, JsonValue])[] {
  if (verdict.outcome === 'invalid') return [['diagnostic', verdict.diagnostic]];
  return verdict.outcome === 'valid' ? [] : [['reason', verdict.reason]];
}

function limit(reason: string): Verdict {
  return { outcome: 'limit_exceeded', reason };
}

/** `isNearer`: the deadline of the caller or the run was the nearer one. */
function lost(loss: EvaluationLoss, isNearer: boolean): Verdict | 'host_lost' {
  switch (loss) {
    case 'timeout':
      return limit(isNearer ? 'deadline_expired' : 'compile_timeout');
    case 'cancelled':
      return limit('run_closed');
    case 'host_lost':
      return loss;
    case 'memory_exceeded':
    case 'host_dishonest':
      return limit('compile_memory_exceeded');
  }
}

function invalid(fault: EvaluationFault, source: ProgramSource): Verdict {
  if (fault.reason === 'compile_memory_exceeded' || fault.reason === 'compile_timeout') return limit(fault.reason);
  const { details } = errorFacts(fault, source.text);
  const message = details.get('message') ?? '';
  const facts = new Map([...details].filter(([name]) => name !== 'message'));
  return {
    outcome: 'invalid',
    diagnostic: new Map<string, JsonValue>([
      ['kind', fault.reason],
      ['message', message],
      ['details', facts],
    ]),
  };
}
