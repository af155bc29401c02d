import type { Supervisor } from '../../../supervisor/api/supervisor.ts';
import { wilson, type Rate } from '../interval.ts';
import { play, type Played } from '../play.ts';
import { table } from '../report.ts';
import { TASKS } from '../tasks/tasks.ts';
import type { TrialTask } from '../task.ts';
import { writeScriptedHost } from '../trial.ts';
import { clumsyModel } from './correct.ts';
import { MISTAKES, type Mistake } from './mistakes.ts';
import { startScriptedServer } from './server.ts';

/** Turns of a run in which a mistake is corrected at once: the mistake, and the answer after it. */
const TURNS = 2;

/** One mistake, and what came of it. */
export interface Correction {
  readonly mistake: string;
  /** Whether the answer after the mistake was right, or the mistake itself was understood. */
  readonly isCorrected: boolean;
  readonly played: Played;
}

export interface ClumsyReport {
  readonly corrected: Rate;
  readonly mistakes: readonly Correction[];
}

/** The task of a mistake. Throws where there is none of that name. */
export function taskOf({ name, task: wanted }: Mistake): TrialTask {
  const found = TASKS.find((task) => task.name === wanted);
  if (found === undefined) throw new Error(`${name}: there is no task ${wanted}`);
  return found;
}

/** Lets clumsy models make each mistake once, and follow what they are told of it. */
export async function playMistakes(
  supervisor: Supervisor,
  folder: string,
  mistakes: readonly Mistake[] = MISTAKES,
): Promise<ClumsyReport> {
  const server = await startScriptedServer();
  try {
    const host = await writeScriptedHost(folder, server.url);
    const corrections: Correction[] = [];
    for (const mistake of mistakes) {
      const task = taskOf(mistake);
      server.play(clumsyModel(mistake.answer(task.solution)));
      const agent = mistake.isText === true ? { mode: 'text' } : {};
      const played = await play(task, { supervisor, host, model: 'scripted', agent });
      const isCorrected = played.isRight && played.turns.length <= TURNS;
      corrections.push({ mistake: mistake.name, isCorrected, played });
    }
    if (server.refusals.length > 0) throw new Error(`the wire was broken: ${server.refusals.join('\n')}`);
    return {
      corrected: wilson(corrections.filter(({ isCorrected }) => isCorrected).length, corrections.length),
      mistakes: corrections,
    };
  } finally {
    await server.close();
  }
}

/** As lines of text: how many were corrected, and of each other one what was said and told. */
export function renderClumsy({ corrected, mistakes }: ClumsyReport): string {
  const kinds = [...new Set(mistakes.map(({ mistake }) => kindOf(mistake)))];
  const rows = kinds.map((kind) => {
    const some = mistakes.filter(({ mistake }) => kindOf(mistake) === kind);
    return [kind, String(some.filter(({ isCorrected }) => isCorrected).length), String(some.length)];
  });
  const missed = mistakes
    .filter(({ isCorrected }) => !isCorrected)
    .map(({ mistake, played }) => {
      const [first] = played.turns;
      return `\n## ${mistake} (${played.task})\n${first?.said ?? ''}\n-- was told --\n${first?.reply ?? 'nothing: the run ended with it'}\n`;
    });
  return [
    `${table([['mistakes', 'corrected in one turn', 'of'], ...rows, ['all', String(corrected.successes), String(corrected.runs)]])}\n`,
    ...missed,
  ].join('');
}

function kindOf(mistake: string): string {
  return mistake.split('/')[0] ?? '';
}
