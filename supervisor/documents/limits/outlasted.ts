import type { DecidedLimits } from '../../../contract/limits/effective.ts';
import { limitText } from '../../../contract/diagnostics/messages/limits.ts';

/** Limits that are right each, and of no use together. */
export interface LimitRemark {
  readonly problem: string;
  readonly remedy: string;
  /** Whether a document says any of them; else they are the defaults. */
  readonly isChosen: boolean;
}

/**
 * Whether a program of a mission may take as long as the whole run or longer: one that does not end then takes the time
 * in which the workflow could act on it. Null where it may not.
 */
export function outlastedMissions(decided: DecidedLimits): LimitRemark | null {
  const { evaluation_timeout_ms: evaluation, run_duration_ms: run, workflow_timeout_ms: workflow } = decided.values;
  const shortest = workflow < run ? 'workflow_timeout_ms' : 'run_duration_ms';
  if (evaluation < decided.values[shortest]) return null;
  const names = ['evaluation_timeout_ms', 'run_duration_ms', 'workflow_timeout_ms'] as const;
  return {
    isChosen: names.some((name) => decided.origins[name] !== 'default'),
    problem: `${limitText('evaluation_timeout_ms', decided)}, and ${shortest} does not exceed it: a mission program that does not end leaves the workflow no time`,
    remedy: `set limits.evaluation_timeout_ms in the manifest below ${String(decided.values[shortest])}`,
  };
}
