import { projectByDefault } from '../default-document.ts';
import { optionValue } from '../argument-values.ts';
import { HELP, OF_PROJECT } from '../shared-options.ts';
import type { CommandDeclaration, CommandArguments, OptionName } from '../types.ts';

/** What the command is asked to do: its one argument. */
export const FIXTURE_TASKS = ['record', 'check'] as const;
export type FixtureTask = (typeof FIXTURE_TASKS)[number];

export function fixtureTask({ positionals }: Pick<CommandArguments, 'positionals'>): FixtureTask | undefined {
  return FIXTURE_TASKS.find((task) => task === positionals[0]);
}

/** Options that a task has, and needs. */
const NEEDED: Readonly<Record<FixtureTask, OptionName>> = { record: '--out', check: '--fixtures' };

/** Our own command: plain text help, never a help result (cli.md §6). */
export const FIXTURES: CommandDeclaration = {
  name: 'fixtures',
  envelope: null,
  task: 'build',
  summary: 'Record what a model answered in a run, or compare recorded answers with runs.',
  example: 'svc fixtures record latest --out replay.jsonl',
  positional: { placeholder: 'TASK', minimum: 1, maximum: 1, grammar: { kind: 'choice', of: FIXTURE_TASKS } },
  second: { placeholder: 'RUN_REF', minimum: 0, maximum: 1, grammar: { kind: 'run-selector' }, names: 'run' },
  defaultDocument: projectByDefault(({ positionals }) => positionals.length > 1),
  options: [
    {
      name: '--inspection',
      value: { placeholder: 'RUN.svcins', grammar: { kind: 'path', use: 'source' } },
      repeatable: { maximum: 16, distinct: 'no' },
      description: 'Inspection of a run, in place of RUN_REF; check takes several, one of each run.',
    },
    {
      name: '--out',
      value: { placeholder: 'REPLAY.jsonl', grammar: { kind: 'path', use: 'destination' } },
      description: 'New owner-only fixture file; the requests are next to it, in REPLAY.requests.jsonl.',
    },
    {
      name: '--fixtures',
      value: { placeholder: 'REPLAY.jsonl', grammar: { kind: 'path', use: 'source' } },
      description: 'Fixture file that is compared with the runs.',
    },
    OF_PROJECT,
    HELP,
  ],
  rules: [
    { kind: 'required', operand: 'argument' },
    { kind: 'required', operand: '--inspection', unless: 'second' },
    onlyWith('--out', 'record'),
    onlyWith('--fixtures', 'check'),
    {
      kind: 'condition',
      option: '--inspection',
      states: 'record takes the inspection of one run',
      holds: (commandArguments) => fixtureTask(commandArguments) !== 'record' || inspected(commandArguments) === 1,
    },
    needed('record'),
    needed('check'),
  ],
  usage: [
    'svc fixtures record (RUN_REF [--project PROJECT.json] | --inspection RUN.svcins) --out REPLAY.jsonl',
    'svc fixtures check --fixtures REPLAY.jsonl (RUN_REF [--project PROJECT.json] | --inspection RUN.svcins [--inspection RUN.svcins])',
  ],
  rootUsage: [],
  notices: ['Both files hold what the model was asked and what it answered; protect them like the inspection.'],
};

/** Runs whose inspections are asked for. */
function inspected({ positionals, options }: CommandArguments): number {
  return positionals.length - 1 + (options.get('--inspection')?.length ?? 0);
}

function onlyWith(option: OptionName, task: FixtureTask): CommandDeclaration['rules'][number] {
  return {
    kind: 'condition',
    option,
    states: `${option} belongs to svc fixtures ${task}`,
    holds: (commandArguments) =>
      optionValue(commandArguments, option) === undefined || fixtureTask(commandArguments) === task,
  };
}

function needed(task: FixtureTask): CommandDeclaration['rules'][number] {
  const option = NEEDED[task];
  return {
    kind: 'condition',
    option,
    states: `svc fixtures ${task} needs ${option}`,
    holds: (commandArguments) =>
      fixtureTask(commandArguments) !== task || optionValue(commandArguments, option) !== undefined,
  };
}
