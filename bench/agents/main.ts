/**
 * Trial of agents: how often a model gets to the right value, in 40 tasks that are checked by code.
 *
 * `main.ts --host svc-host.json --model ALIAS [--repeats N] [--task NAME]… [--together N] [--json FILE]` asks the model
 * that a host document installs under an alias. `--task` takes a name or an area, and may repeat.
 *
 * `main.ts [--json FILE]` needs no model: clumsy ones make 60 mistakes, and follow only what they are told of each.
 */
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Supervisor } from '../../supervisor/api/supervisor.ts';
import { playMistakes, renderClumsy } from './clumsy/trial.ts';
import { play, type Played } from './play.ts';
import { renderReport, reportOf } from './report.ts';
import { TASKS } from './tasks/tasks.ts';
import { withSupervisor } from './trial.ts';

const { values } = parseArgs({
  options: {
    host: { type: 'string' },
    model: { type: 'string' },
    repeats: { type: 'string', default: '1' },
    together: { type: 'string', default: '4' },
    task: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
  },
});

function positive(option: 'repeats' | 'together'): number {
  const value = Number(values[option]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${option} takes a whole number, 1 or more`);
  return value;
}

async function playTasks(supervisor: Supervisor, host: string, model: string): Promise<readonly Played[]> {
  const chosen = TASKS.filter(
    ({ name, area }) => values.task.length === 0 || values.task.includes(name) || values.task.includes(area),
  );
  if (chosen.length === 0)
    throw new Error(`no task has this name; they are ${TASKS.map(({ name }) => name).join(', ')}`);
  const left = Array.from({ length: positive('repeats') }, () => chosen).flat();
  const total = left.length;
  const done: Played[] = [];
  const work = async (): Promise<void> => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) {
      const played = await play(task, { supervisor, host: resolve(host), model });
      done.push(played);
      const mark = played.isRight ? 'right' : 'wrong';
      process.stderr.write(
        `${String(done.length)}/${String(total)} ${mark} ${task.name} (${String(played.turns.length)} turns)\n`,
      );
    }
  };
  await Promise.all(Array.from({ length: positive('together') }, work));
  return done;
}

async function writeJson(report: unknown): Promise<void> {
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

await withSupervisor(async (supervisor, folder) => {
  const { host, model } = values;
  if (host === undefined && model === undefined) {
    const report = await playMistakes(supervisor, folder);
    process.stdout.write(renderClumsy(report));
    await writeJson(report);
    return;
  }
  if (host === undefined || model === undefined) throw new Error('--host and --model belong together');
  const report = reportOf(model, positive('repeats'), await playTasks(supervisor, host, model));
  process.stdout.write(renderReport(report));
  await writeJson(report);
});
