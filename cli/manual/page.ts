import { EXIT_STATUS_MEANINGS } from '../../contract/exit-status.ts';
import { describedSettings } from '../../supervisor/platform/configuration/described-settings.ts';
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
    ...section('ENVIRONMENT', ...environment().flatMap(([variable, meaning]) => term(variable, roffText(meaning)))),
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
  'Every command tells of its end by one envelope in JSON; --json before the command prints it.',
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

/** Settings of the process, and what the command line itself reads (cli.md §4, §12). */
function environment(): readonly (readonly [variable: string, meaning: string])[] {
  return [
    ...describedSettings(),
    ['SVC_PROGRESS', 'jsonl: run writes its progress to stderr as one JSON object a line.'],
    ['SVC_OUTPUT', 'json prints the envelope on stdout, as --json does; text is the default.'],
    [
      'SVC_PAGER, PAGER',
      'Shows pages of the documentation on a terminal; cat shows them without one, less is the default.',
    ],
    ['SVC_VIEWER_URL', 'Reports a run to the live page of this viewer.'],
    ['SVC_OTEL', '1 sends what a run did to the collector of OTEL_EXPORTER_OTLP_ENDPOINT.'],
    ['NO_COLOR, FORCE_COLOR', 'No colours, or colours also where stdout is no terminal; the first wins.'],
  ];
}
