/** The command reference: commands, streams, exit statuses, every diagnostic code, variables. */
import { CATALOGUE, DIAGNOSTIC_CODES } from '../../contract/diagnostics/catalogue.ts';
import type { DiagnosticCode } from '../../contract/diagnostics/catalogue.ts';
import { remedyFor } from '../../contract/diagnostics/remedies/failures.ts';
import { EXIT_STATUS_MEANINGS } from '../../contract/exit-status.ts';
import { COMMANDS } from '../../cli/declaration/table.ts';
import { COMMAND_NAMES } from '../../cli/declaration/types.ts';
import type { CommandDeclaration, OptionDeclaration } from '../../cli/declaration/types.ts';
import { settingsTable } from '../../supervisor/config/settings-table.ts';
import { code, page, table } from './tables.ts';

function switches({ name, short, value }: OptionDeclaration): string {
  const spelled = [...(short === undefined ? [] : [short]), name].map(code).join(', ');
  return value === undefined ? spelled : `${spelled} ${value.placeholder}`;
}

function command({ name, summary, usage, options, notices, example, envelope }: CommandDeclaration): string {
  return page(
    `### ${name}`, summary, ['```text', ...usage, '```'].join('\n'),
    options.length === 0 ? 'No options.' : table(['Option', 'Meaning'], options.map((option) => [switches(option), `${option.description}${option.repeatable === undefined ? '' : ` At most ${option.repeatable.maximum} times.`}`])),
    ...notices, `Example: ${code(example)}. ${envelope === null ? 'It has no envelope.' : ''}`.trimEnd(),
  );
}

function diagnosticRow(name: DiagnosticCode): readonly string[] {
  const { phases, exit, retryable, message } = CATALOGUE[name];
  const remedy = remedyFor({ code: name, message: '', subject: null });
  return [code(name), phases.join(', '), String(exit), retryable ? 'yes' : 'no', message.generic, remedy ?? '-'];
}

/** The whole page. */
export function cliPage(): string {
  return page(
    '# Command reference',
    'One command does one thing, prints its result on stdout and everything else on stderr, and ends with a status that says what kind of end it was. Scripts read the envelope, people read the text.',
    '## How arguments are read',
    'Options stand anywhere behind the command; `--name VALUE` and `--name=VALUE` are the same. A switch takes no value. A value that begins with `--` is written with `=`. What stands behind `--` alone is no option. An option that is given twice is refused unless its row says how often it may be. Nothing of the arguments is repeated in a message: they may hold secrets.',
    '## Commands',
    ...COMMAND_NAMES.map((name) => command(COMMANDS[name])),
    '## Streams',
    table(['End', 'stdout', 'stderr'], [
      ['a run succeeds', 'canonical JSON of the value and a line feed', 'warnings, `--progress`'],
      ['a private run succeeds', '`{"artifact_class":"private","status":"ok"}`', 'warnings, `--progress`'],
      ['`validate`, `models`, `catalog`, `materialize`, `transcript`, `prune` succeed', 'canonical JSON of the result', '-'],
      ['`doctor` has made its report, good or bad', 'canonical JSON of the report', 'warnings'],
      ['`help`, `docs`, `init`, `version`', 'text', '-'],
      ['any other failure', 'nothing', 'one line: `error: PHASE/CODE: MESSAGE (run_ref: REF)`, and what to do where that is known'],
    ]),
    'On a terminal some results are shown as tables, with colours unless `NO_COLOR` is set; piped bytes never change. `--progress` tells of a run on stderr while it goes on; `SVC_PROGRESS=jsonl` makes that one JSON object a line.',
    '## The envelope',
    'Every command that publishes an envelope can do so in two ways: `--envelope FILE.json` writes it to a new file of its owner alone, and `svc --json COMMAND` (or `SVC_OUTPUT=json`) prints it on stdout in place of the result. It is canonical JSON of version 5: `schema_version`, `command`, `status` (`ok` or `error`), `run_ref`, `result` or `error`, `secondary_errors`, `warnings`; a run has `artifact_class`, `artifacts` and `execution` besides. The schema is `svc docs schema-envelope`. A command whose arguments were refused, or whose envelope could not be written (status 74), publishes none.',
    '## Exit statuses',
    table(['Status', 'Meaning'], EXIT_STATUS_MEANINGS.map(([status, meaning]) => [status, meaning])),
    '## Diagnostic codes',
    'An error is data: `code`, `phase`, `message`, `retryable`, `provider_activity`, and where they are known `subject`, `source`, `path` (a JSON pointer) and `span` (bytes). Messages are fixed texts with facts of the documents; the ones below stand where no fact is known.',
    table(['Code', 'Phase', 'Exit', 'Retryable', 'Message', 'What to do'], DIAGNOSTIC_CODES.map(diagnosticRow)),
    '## Environment variables',
    settingsTable(),
    table(['Variable', 'Meaning'], [
      ['`SVC_OUTPUT`', '`json` prints the envelope on stdout, as `--json` does; `text` is the default'],
      ['`SVC_PROGRESS`', '`jsonl` makes `--progress` one JSON object a line'],
      ['`SVC_VIEWER_URL`', 'reports a run to the live page of this viewer'],
      ['`SVC_PAGER`, `PAGER`', 'shows pages of the documentation on a terminal; `cat` shows them without one'],
      ['`SVC_OTEL`', '`1` sends what a run did to the collector of `OTEL_EXPORTER_OTLP_ENDPOINT`'],
      ['`NO_COLOR`, `FORCE_COLOR`', 'no colours, or colours also where stdout is no terminal; the first wins'],
    ]),
  );
}
