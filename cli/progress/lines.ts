import { visibleText } from '../../contract/visible-text.ts';
import type { AgentView, LiveLimits, RunView } from '../../supervisor/api/run.ts';

/** A run at one instant, as far as progress shows it. */
export interface Moment {
  readonly view: RunView;
  /** Milliseconds since the command began. */
  readonly elapsed: number;
  /** Null until the run deadline is anchored. */
  readonly started: { readonly limits: LiveLimits; readonly remaining: number } | null;
}

/** `[MM:SS] EVENT[ · DETAIL]…`, a line of a pipe or a file. */
export function pipedLine(elapsed: number, event: string, details: readonly string[] = []): string {
  return `${visibleText([`[${clockText(elapsed)}] ${event}`, ...details].join(' · '))}\n`;
}

/** Details of an event: model calls, their tokens and what they cost. */
export function spentDetails({ view }: Moment): readonly string[] {
  return [
    ...modelCalls(view),
    ...(view.tokens === null ? [] : [`${view.tokens} tokens`]),
    ...(view.cost === null ? [] : [`$${dollars(view.cost, 4)}`]),
  ];
}

/** Details of `still running`: model calls and the time that is left. */
export function waitingDetails({ view, started }: Moment): readonly string[] {
  return [...modelCalls(view), ...(started === null ? [] : [secondsLeft(started.remaining)])];
}

export function agentEvent(id: string, { turn, maxTurns, kind }: AgentView): readonly [string, string] {
  // Four characters of the 16 that distinguish loops.
  const short = id.replace(/^agent-/, '').slice(0, 4);
  return [`agent ${short === '' ? '' : `${short} `}turn ${turnText(turn, maxTurns)}`, kind];
}

/** Programs that came to an end between two looks, with what they came to. */
export function endedPrograms(
  before: RunView,
  now: RunView,
): readonly { readonly line: string; readonly outcome: string }[] {
  const ended = new Set(before.programs.flatMap(({ evaluationId: id, outcome }) => (outcome === null ? [] : [id])));
  return now.programs.flatMap(({ evaluationId: id, line, outcome }) =>
    outcome === null || ended.has(id) ? [] : [{ line, outcome }],
  );
}

/** The one line of a terminal; segments from the right are left out where they do not fit into `columns`. */
export function terminalLine({ view, elapsed, started }: Moment, columns: number): string {
  const phase = view.stage ?? (started === null ? 'preparing' : 'running');
  const segments = [
    `${phase} ${clockText(elapsed)}`,
    ...agents(view),
    ...(started === null ? [] : [secondsLeft(started.remaining)]),
    ...modelCalls(view),
    ...(view.evaluations === 0 ? [] : [`evals ${view.evaluations}${ofLimit(started?.limits.subordinate_evaluations)}`]),
    ...(view.workers === 0 ? [] : [`workers ${view.workers}${ofLimit(started?.limits.live_provider_tasks)}`]),
    ...(view.cost === null ? [] : [`$${dollars(view.cost, 2)}`]),
    ...(view.tokens === null ? [] : [`${view.tokens} tokens`]),
    ...lastProgram(view),
  ];
  while (segments.length > 1 && segments.join(SEPARATOR).length > columns) segments.pop();
  return visibleText(segments.join(SEPARATOR)).slice(0, Math.max(0, columns));
}

const SEPARATOR = ' | ';

/** Characters of a program in the one line. */
const PROGRAM_LENGTH = 40;

function lastProgram({ programs }: RunView): readonly string[] {
  const last = programs.at(-1);
  if (last === undefined) return [];
  return [`${last.line.slice(0, PROGRAM_LENGTH)}${last.outcome === null ? '' : ` ${last.outcome}`}`];
}

function agents({ agents }: RunView): readonly string[] {
  const [only] = agents.values();
  if (only === undefined) return [];
  return agents.size > 1 ? [`${agents.size} agents active`] : [`agent ${turnText(only.turn, only.maxTurns)}`];
}

function modelCalls({ modelCalls, modelRetries }: RunView): readonly string[] {
  if (modelCalls === 0) return [];
  return [`llm ${modelCalls}`, ...(modelRetries === 0 ? [] : [`retries ${modelRetries}`])];
}

function turnText(turn: number, maxTurns: number | null): string {
  return `${turn}${ofLimit(maxTurns)}`;
}

function ofLimit(limit: number | null | undefined): string {
  return limit === null || limit === undefined ? '' : `/${limit}`;
}

function secondsLeft(milliseconds: number): string {
  return `${Math.ceil(Math.max(0, milliseconds) / 1000)}s left`;
}

/** Millionths as dollars, never less than was spent. */
function dollars(cost: number, digits: number): string {
  const unit = 10 ** (6 - digits);
  return (Math.ceil(cost / unit) / 10 ** digits).toFixed(digits);
}

/** `MM:SS`; minutes go on beyond 99. */
function clockText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}
