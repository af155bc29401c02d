import type { JsonObject, JsonValue } from '../../../contract/json/value.ts';
import type { EvaluationFault } from '../../../contract/sandbox-protocol.ts';
import type { CallingEvaluation } from '../../broker/interface.ts';
import { missionNamed } from '../options.ts';
import type { KernelOptions } from '../options.ts';
import { checking } from './continued.ts';
import type { Evaluations } from './evaluations.ts';
import { errorFacts } from './faults.ts';
import type { IsolateLoss } from './isolates.ts';
import type { ProgramSource } from './program.ts';

export interface SourceCheck {
  readonly mission: string;
  readonly source: ProgramSource;
  /** Demands exactly one top-level `return` or `fail`. */
  readonly terminal: boolean;
  readonly caller: CallingEvaluation;
  readonly signal: AbortSignal;
}

/** Checks of program texts that run nothing (runtime.md §6, `kernel-check-source`). */
export interface SourceChecks {
  check(request: SourceCheck): Promise<JsonObject>;
  /** Checks charged against `subordinate_source_checks`. */
  count(): number;
}

/** Compile time of one text (language.md §20). */
const COMPILE_TIME_MS = 5000;

type Verdict =
  | { readonly outcome: 'valid' }
  | { readonly outcome: 'invalid'; readonly diagnostic: JsonObject }
  | { readonly outcome: 'limit_exceeded' | 'busy' | 'stale'; readonly reason: string };

export function openSourceChecks(options: KernelOptions, evaluations: Evaluations): SourceChecks {
  const { clock, limits, runDeadlineAt, missions } = options;
  let charged = 0;

  async function verdict(request: SourceCheck): Promise<Verdict> {
    if (request.source.bytes > limits.subordinate_source_bytes) return limit('subordinate_source_bytes');
    if (evaluations.isClosed() || request.signal.aborted) return limit('run_closed');
    const now = clock.monotonic();
    const deadlineAt = Math.min(now + COMPILE_TIME_MS, request.caller.deadlineAt, runDeadlineAt);
    if (now >= deadlineAt) return limit('deadline_expired');
    if (charged >= limits.subordinate_source_checks) return limit('subordinate_source_checks');
    if (evaluations.isEvaluating(request.mission)) return { outcome: 'busy', reason: 'evaluation_in_progress' };
    charged += 1;
    const before = evaluations.stored(request.mission);
    const checked = await compile(request, deadlineAt);
    return evaluations.stored(request.mission).revision === before.revision ? checked : { outcome: 'stale', reason: 'continuation_changed' };
  }

  async function compile({ mission, source, terminal, signal, caller }: SourceCheck, deadlineAt: number): Promise<Verdict> {
    const { isolates } = evaluations;
    const stored = evaluations.stored(mission);
    const timeLeft = (): number => Math.max(1, deadlineAt - clock.monotonic());
    const taken = await isolates.take(mission, stored.revision, { timeoutMs: timeLeft(), signal });
    if (!taken.ok) return lost(taken.loss, Math.min(caller.deadlineAt, runDeadlineAt) <= deadlineAt);
    const { isolate, revision } = taken.taken;
    const { tools, data } = missionNamed(missions, mission);
    const request = checking({ operation: 'check', source: source.text, tools, data: Object.keys(data), terminal }, stored, revision === stored.revision);
    const outcome = await isolate.request(request, { timeoutMs: timeLeft(), signal });
    if (outcome.status !== 'replied') {
      await isolates.letGo(isolate);
      return lost(outcome, Math.min(caller.deadlineAt, runDeadlineAt) <= deadlineAt);
    }
    if (evaluations.stored(mission).revision === stored.revision && !evaluations.isEvaluating(mission)) await isolates.keep(mission, stored.revision, isolate);
    else await isolates.letGo(isolate);
    return outcome.reply.status === 'valid' ? { outcome: 'valid' } : invalid(outcome.reply.fault);
  }

  return {
    async check(request) {
      const { hash, bytes } = request.source;
      const ended = await evaluations.during(request.signal, (signal) => verdict({ ...request, signal }));
      return new Map<string, JsonValue>([['outcome', ended.outcome], ['source_hash', hash], ['source_bytes', bytes], ...verdictMembers(ended)]);
    },
    count: () => charged,
  };
}

function verdictMembers(verdict: Verdict): readonly (readonly [string, JsonValue])[] {
  if (verdict.outcome === 'invalid') return [['diagnostic', verdict.diagnostic]];
  return verdict.outcome === 'valid' ? [] : [['reason', verdict.reason]];
}

function limit(reason: string): Verdict {
  return { outcome: 'limit_exceeded', reason };
}

/** `isNearer`: the deadline of the caller or the run was the nearer one. */
function lost(loss: IsolateLoss, isNearer: boolean): Verdict {
  switch (loss.status) {
    case 'timeout':
      return limit(isNearer ? 'deadline_expired' : 'compile_timeout');
    case 'cancelled':
      return limit('run_closed');
    case 'memory_exceeded':
    case 'host_lost':
      return limit('compile_memory_exceeded');
  }
}

function invalid(fault: EvaluationFault): Verdict {
  if (fault.reason === 'compile_memory_exceeded' || fault.reason === 'compile_timeout') return limit(fault.reason);
  const { details } = errorFacts(fault);
  const message = details.get('message') ?? '';
  const facts = new Map([...details].filter(([name]) => name !== 'message'));
  return { outcome: 'invalid', diagnostic: new Map<string, JsonValue>([['kind', fault.reason], ['message', message], ['details', facts]]) };
}
