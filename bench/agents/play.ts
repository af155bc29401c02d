import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PreparationError, type Supervisor } from '../../supervisor/api/supervisor.ts';
import { applicationFiles, openTools, type TrialTerms } from './application.ts';
import { turnsOf, type Turn } from './conversation.ts';
import type { TaskCall, TrialTask } from './task.ts';

/** What one run of a task came to. */
export interface Played {
  readonly task: string;
  readonly isRight: boolean;
  /** How the loop ended: `returned`, what the agent failed by, or the code that ended the run. */
  readonly ending: string;
  readonly value: unknown;
  readonly turns: readonly Turn[];
  /** Of input and output together; null where the model does not tell them. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  /** Millionths of a dollar; null where the model has no price. */
  readonly costMicrousd: number | null;
}

export interface PlayOptions extends TrialTerms {
  readonly supervisor: Supervisor;
  /** Path of the host document that installs the model. */
  readonly host: string;
}

/** Runs a task once, and judges what came of it. What its documents are refused for is how it ended. */
export async function play(task: TrialTask, options: PlayOptions): Promise<Played> {
  try {
    return await playPrepared(task, options);
  } catch (error) {
    if (!(error instanceof PreparationError) || error.diagnostic === null) throw error;
    const ending = error.diagnostic.code;
    return { task: task.name, isRight: false, ending, value: null, turns: [], tokens: null, costMicrousd: null };
  }
}

async function playPrepared(task: TrialTask, { supervisor, host, ...terms }: PlayOptions): Promise<Played> {
  const calls: TaskCall[] = [];
  const files = applicationFiles(task, terms);
  const application = await supervisor.prepare({ kind: 'memory', files, host, custom: openTools(task, calls) });
  const end = await supervisor.run(application, { artifacts: { inspection: true } }).result;
  if (end.kind !== 'finished') throw new Error(`${task.name}: the run was refused: ${end.code}`);
  const inspection = end.artifacts.find(({ kind }) => kind === 'inspection');
  const outcome = Object(JSON.parse(end.valueText ?? 'null'));
  const error = end.envelope.status === 'error' ? end.envelope.error : null;
  const envelope = Object(JSON.parse(end.envelopeText));
  const spend = Object(Object(Object(envelope.execution).usage).llm_spend);
  const hasReturned = outcome.status === 'returned';
  return {
    task: task.name,
    isRight: hasReturned && task.check(outcome.value, calls),
    ending: error !== null ? error.code : hasReturned ? 'returned' : String(outcome.kind ?? outcome.status),
    value: outcome.value ?? null,
    turns: inspection === undefined ? [] : turnsOf(await readFile(fileURLToPath(inspection.uri), 'utf8')),
    tokens: typeof spend.input === 'number' ? { input: spend.input, output: spend.output } : null,
    costMicrousd: typeof spend.total_cost === 'object' ? spend.total_cost.microunits : null,
  };
}
