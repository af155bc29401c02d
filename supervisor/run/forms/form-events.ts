import { jsonFromPlain } from '../../../contract/json/plain.ts';
import type { EvaluateReply } from '../../../contract/sandbox-protocol.ts';
import type { Evaluated } from '../../calls/evaluation/evaluated.ts';
import { remainingMs } from '../../../system/clock.ts';
import { workflowEvaluationStarted, workflowEvaluationStopped, type TraceEvent } from '../../evidence/event.ts';
import { evaluationStarted, evaluationStopped } from '../../calls/kernel/missions/evidence.ts';
import { programSource } from '../../calls/kernel/missions/program.ts';
import type { Run } from '../run.ts';
import { countsOf } from '../usage/run-counts.ts';
import { usageSnapshot } from '../usage/usage.ts';
import type { FormHistory } from './form-history.ts';

/** The two events of one form (evidence.md §3). */
export interface FormEvents {
  readonly started: TraceEvent;
  readonly stopped: (evaluated: Evaluated, durationMs: number, memory: FormHistory) => TraceEvent;
}

export function workflowEvents(run: Run, evaluationId: string): FormEvents {
  return {
    started: workflowEvaluationStarted(evaluationId),
    stopped: (evaluated, durationMs) => {
      const outcome = outcomeOf(evaluated);
      const { type, data } = workflowEvaluationStopped(
        evaluationId,
        outcome === 'continued' || outcome === 'returned' ? 'ok' : 'error',
        durationMs,
      );
      const counts = countsOf(run.environments.broker, run.environments.kernel);
      const usage = jsonFromPlain(usageSnapshot(counts, remainingMs(run.runDeadline, run.clock.monotonic()))) ?? null;
      return { type, data: new Map(data).set('reason', reasonOf(evaluated)).set('usage', usage) };
    },
  };
}

function outcomeOf(evaluated: Evaluated): EvaluateReply['outcome'] {
  return evaluated.kind === 'replied' ? evaluated.reply.outcome : 'evaluation_error';
}

/** A word of the language or of a limit; nothing that a program chose. */
function reasonOf(evaluated: Evaluated): string | null {
  switch (evaluated.kind) {
    case 'lost':
      return evaluated.loss;
    case 'not_attached':
      return evaluated.fault.reason;
    case 'replied':
      if (evaluated.reply.outcome === 'evaluation_error') return evaluated.reply.fault.reason;
      return evaluated.reply.outcome === 'failed' ? 'explicit_failure' : null;
  }
}

export function missionEvents(evaluationId: string, mission: string, source: string): FormEvents {
  const name = { evaluationId, mission, parent: null };
  return {
    started: evaluationStarted(name, programSource(source)),
    stopped: (evaluated, durationMs, memory) =>
      evaluationStopped(name, {
        status: outcomeOf(evaluated),
        durationMs: Math.max(0, Math.round(durationMs)),
        stored: { continuation: memory.continuation() },
      }),
  };
}
