import { canonicalJson } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import type { Moment } from './lines.ts';

/** Progress for programs: one JSON object a line (cli.md §12.7). Members are only ever added. */
export type FrameEvent = 'progress' | 'still_running' | 'completed' | 'failed';

const VERSION = 1;

export function titleFrame(title: string): string {
  return line({ event: 'preparing', elapsed_ms: 0, document: title });
}

export function frameLine(event: FrameEvent, moment: Moment): string {
  const { elapsed, started } = moment;
  return line({
    event,
    elapsed_ms: Math.round(elapsed),
    remaining_ms: started === null ? null : Math.max(0, Math.round(started.remaining)),
    ...stateOf(moment),
  });
}

/** All that a frame says in addition to the time: as long as it is the same there is nothing to report. */
export function frameState(moment: Pick<Moment, 'view'>): string {
  return line(stateOf(moment));
}

function stateOf({ view }: Pick<Moment, 'view'>): Record<string, unknown> {
  return {
    stage: view.stage,
    agents: [...view.agents].map(([id, { turn, maxTurns, kind }]) => ({ id, turn, max_turns: maxTurns, kind })),
    program: programOf(view),
    model_calls: view.modelCalls,
    model_retries: view.modelRetries,
    evaluations: view.evaluations,
    workers: view.workers,
    tokens: view.tokens,
    cost_microusd: view.cost,
  };
}

function programOf({ programs }: Moment['view']): Record<string, unknown> | null {
  const last = programs.at(-1);
  return last === undefined ? null : { line: last.line, outcome: last.outcome };
}

function line(members: Record<string, unknown>): string {
  const value = jsonFromPlain({ ...members, schema_version: VERSION });
  if (value === undefined) throw new TypeError('frames hold JSON values only');
  return `${canonicalJson(value)}\n`;
}
