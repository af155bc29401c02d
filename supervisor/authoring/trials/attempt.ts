import type { RunFailure, RunSuccess } from '../../../contract/envelope/types.ts';
import type { JsonValue } from '../../../contract/json/value.ts';
import type { RunView } from '../../evidence/live/run-view.ts';
import type { MissedRequest } from '../../providers/source/installed-provider.ts';

/** One run of a case, as expectations look at it. */
export interface TrialAttempt {
  readonly runRef: string;
  readonly status: 'ok' | 'error';
  /** Of the error that it ended with; null where it succeeded. */
  readonly code: string | null;
  /** In words; null where it succeeded. */
  readonly message: string | null;
  /** Where and why it failed, and what to do, beyond the message; null where nothing more is known. */
  readonly explained: string | null;
  /** Nothing of its value may be shown. */
  readonly isPrivate: boolean;
  /** Null also where it failed. */
  readonly value: JsonValue;
  readonly figures: TrialFigures;
  /** Requests that no fixture answered. */
  readonly missed: readonly MissedRequest[];
}

/** What a run took. */
export interface TrialFigures {
  readonly durationMs: number;
  /** Null: not known, because a call had no price. */
  readonly costMicrousd: number | null;
  /** Null: not known. */
  readonly tokens: number | null;
  /** Of all its agents together. */
  readonly turns: number;
  readonly modelCalls: number;
}

/** What nothing ran of. */
export const NO_FIGURES: TrialFigures = { durationMs: 0, costMicrousd: 0, tokens: 0, turns: 0, modelCalls: 0 };

/** TrialFigures of a run, by its sealed record and by what was seen of it while it went on. */
export function figuresOf(
  { execution }: RunSuccess | RunFailure,
  { agents, modelCalls }: Pick<RunView, 'agents' | 'modelCalls'>,
  durationMs: number,
): TrialFigures {
  const turns = [...agents.values()].reduce((sum, { turn }) => sum + turn, 0);
  return { durationMs, ...spendingOf(execution), turns, modelCalls };
}

function spendingOf(execution: (RunSuccess | RunFailure)['execution']): Pick<TrialFigures, 'costMicrousd' | 'tokens'> {
  if (execution.state === 'not_started') return { costMicrousd: 0, tokens: 0 };
  const spend = execution.usage !== null && 'llm_spend' in execution.usage ? execution.usage.llm_spend : null;
  switch (spend?.state) {
    case 'empty':
      return { costMicrousd: 0, tokens: 0 };
    case 'unpriced':
      return { costMicrousd: null, tokens: spend.input + spend.output };
    case 'available':
      return { costMicrousd: spend.total_cost.microunits, tokens: spend.input + spend.output };
    default:
      return { costMicrousd: null, tokens: null };
  }
}
