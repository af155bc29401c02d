import { HELP, HOST_CONFIG } from '../shared-options.ts';
import type { CommandDeclaration } from '../types.ts';

/** Dollars with at most six decimal places. */
const DOLLARS = /^(?:0|[1-9][0-9]{0,6})(?:\.[0-9]{1,6})?$/;

export const TEST: CommandDeclaration = {
  name: 'test',
  envelope: null,
  task: 'run',
  summary: 'Run the cases of an application and compare each run with what it expects.',
  example: 'svc test svc-project.json',
  positional: {
    placeholder: '[PROJECT.json] [NAME]',
    minimum: 0,
    maximum: 256,
    grammar: { kind: 'text', minimum: 1, maximum: 4096 },
  },
  // A first word that is no document is the name of a case.
  defaultDocument: ({ positionals }) => (positionals[0]?.endsWith('.json') === true ? null : 'argument'),
  options: [
    HOST_CONFIG,
    {
      name: '--tag',
      value: { placeholder: 'WORD', grammar: { kind: 'text', minimum: 1, maximum: 64 } },
      repeatable: { maximum: 32, distinct: 'whole' },
      description: 'Run only the cases with one of these tags; may be repeated.',
    },
    { name: '--live', description: 'Also run the cases that are marked live, against the real models.' },
    {
      name: '--models',
      value: { placeholder: 'A,B', grammar: { kind: 'text', minimum: 1, maximum: 4096 } },
      description: 'Run the live cases with each of these models: aliases of the host document, or selectors.',
    },
    {
      name: '--budget',
      value: { placeholder: 'USD', grammar: { kind: 'text', minimum: 1, maximum: 16 } },
      description: 'Most dollars that real models may cost; a run that could cost more does not start.',
    },
    {
      name: '--record',
      description: 'Run the cases that name fixtures against the real models, and write the fixtures and their host.',
    },
    { name: '--update', description: 'Replace the expected values by those that the runs returned.' },
    {
      name: '--jobs',
      value: { placeholder: 'N', grammar: { kind: 'integer', minimum: 1, maximum: 256 } },
      description: 'Runs at once; by default one for each processor.',
    },
    {
      name: '--junit',
      value: { placeholder: 'FILE.xml', grammar: { kind: 'path', use: 'destination' } },
      description: 'Write the report as JUnit XML at this new path.',
    },
    { name: '--json', description: 'Print only the report, as JSON.' },
    HELP,
  ],
  rules: [
    { kind: 'excludes', operand: '--record', others: ['--live', '--update'] },
    { kind: 'needs', operand: '--models', anyOf: ['--live'] },
    { kind: 'needs', operand: '--budget', anyOf: ['--live', '--record'] },
    {
      kind: 'condition',
      option: '--budget',
      states: 'a budget is an amount of dollars, such as 0.50',
      holds: (commandArguments) =>
        (commandArguments.options.get('--budget') ?? []).every((amount) => DOLLARS.test(amount)),
    },
  ],
  usage: [
    'svc test [PROJECT.json] [NAME...] [--tag WORD] [--live [--models A,B]] [--record] [--update] [--budget USD] ' +
      '[--jobs N] [--junit FILE.xml] [--json]',
  ],
  rootUsage: [],
  notices: [
    'Without a document: svc-project.json, else svc.json, of the working directory.',
    'Replays without a network by default. Exit status 0 when every case passed, 5 when one failed.',
  ],
  // An application that cannot be run is reported as `svc validate` does, which compiles it.
  evaluates: () => true,
  isBundledApart: true,
};
