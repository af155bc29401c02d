import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { visibleText } from '../../contract/visible-text.ts';
import { importServers, type ImportReport } from '../../supervisor/api/authoring.ts';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { HOST_DOCUMENT } from '../declaration/commands/host.ts';
import { optionValue } from '../declaration/argument-values.ts';
import { styled, wrapped, type Styling } from '../streams/styling.ts';
import type { Command } from './command.ts';

const INDENT = 2;

/** cli.md §10, host import. */
export const hostCommand: Command = async ({ positionals, options }, { workingDirectory, programDirectory }) => {
  const [, ...files] = positionals;
  const done = await importServers({
    files,
    hostConfig: optionValue({ positionals, options }, '--host-config') ?? join(workingDirectory, HOST_DOCUMENT),
    home: homedir(),
    documents: thisMachine(programDirectory).documents,
    writes: !options.has('--dry-run'),
  });
  if (!done.ok) return { kind: 'failed', diagnostic: done.diagnostic, hint: done.hint };
  const { leftOut, ...report } = done.value;
  const value = jsonFromPlain({ ...report, left_out: leftOut });
  if (value === undefined) throw new TypeError('a report holds JSON values only');
  return { kind: 'result', value, text: null, terminalText: (styling) => importText(done.value, styling) };
};

/** What was added, what is left to set, and what could not be added, for a terminal. */
export function importText(report: ImportReport, styling: Styling): string {
  const line = (text: string): string =>
    `${' '.repeat(INDENT)}${wrapped(visibleText(text), styling.width, INDENT * 2)}`;
  const installed = report.installed.map(({ alias, server, file, bound, notes }) =>
    [
      `${styled(alias, 'bold', styling)}  ${visibleText(`${server} of ${basename(file)}`)}`,
      ...bound.map(({ variable, member }) => line(`set ${variable}, for ${member}`)),
      ...notes.map(line),
    ].join('\n'),
  );
  const unchanged = report.kept.map(
    (alias) => `${styled(alias, 'bold', styling)}  was installed before and is unchanged`,
  );
  const leftOut = report.leftOut.map(
    ({ server, file, reason }) =>
      `${styled(visibleText(server), 'red', styling)}  ${visibleText(`of ${basename(file)}, left out`)}\n${line(reason)}`,
  );
  const [first] = report.installed;
  const next =
    first === undefined
      ? []
      : [`Look at the tools of each: svc catalog ${first.alias} --host-config ${visibleText(report.host)}`];
  const verb = report.created ? 'made' : report.written ? 'added to' : 'not written';
  return `${[`${visibleText(report.host)}: ${verb}`, ...installed, ...unchanged, ...leftOut, ...next].join('\n\n')}\n`;
}
