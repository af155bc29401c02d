import { EXIT_STATUS_MEANINGS } from '../../contract/exit-status.ts';
import { describedSettings } from '../../system/configuration/described-settings.ts';
import { COMMANDS, COMMAND_NAMES } from '../declaration/table.ts';
import type { CommandDeclaration, OptionDeclaration } from '../declaration/types.ts';
import { roffArgument, roffText, section, term } from './roff.ts';

/** The manual page of the program in the macros of man(7), made from the tables that the program itself reads. */
export function manualPage(version: string): string {
  const lines = [
    `.TH SVC 1 "" ${roffArgument(`svc ${version}`)} ""`,
    ...section('NAME', roffText('svc - validate, run and diagnose applications of language models')),
    ...section('SYNOPSIS', '.nf', ...COMMAND_NAMES.flatMap((name) => COMMANDS[name].usage.map(roffText)), '.fi'),
    ...section('DESCRIPTION', ...DESCRIPTION.map(roffText)),
    ...section('COMMANDS', ...COMMAND_NAMES.flatMap((name) => command(COMMANDS[name]))),
    ...section('EXIT STATUS', ...EXIT_STATUS_MEANINGS.flatMap(([status, meaning]) => term(status, roffText(meaning)))),
    ...section(
      'ENVIRONMENT',
      ...describedSettings().flatMap(([variable, meaning]) => term(variable, roffText(meaning))),
    ),
    ...section(
      'SEE ALSO',
      roffText('svc docs shows the documentation of this version, svc help COMMAND the options of one command.'),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

const DESCRIPTION = [
  'A manifest names one trusted workflow and confined missions, written in a bounded, deterministic Clojure.',
  'The workflow asks models, decides and retries; a mission is where a program that a model wrote runs, with the data and the tools it was granted and nothing else.',
  'Every command reports its end in one envelope in JSON; --json before the command prints it.',
];

function command(declaration: CommandDeclaration): readonly string[] {
  const { name, summary, usage, options, notices, example } = declaration;
  return [
    `.SS ${roffArgument(name)}`,
    roffText(summary),
    ...usage.flatMap((line) => ['.PP', `.B ${roffArgument(line)}`]),
    ...options.flatMap((option) => term(spelled(option), roffText(option.description))),
    ...notices.flatMap((notice) => ['.PP', roffText(notice)]),
    '.PP',
    'Example:',
    '.RS',
    '.nf',
    roffText(example),
    '.fi',
    '.RE',
  ];
}

function spelled({ name, short, value }: OptionDeclaration): string {
  const names = short === undefined ? name : `${short}, ${name}`;
  return value === undefined ? names : `${names} ${value.placeholder}`;
}
