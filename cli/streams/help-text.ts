import { commandHelp, type CommandHelp } from '../declaration/help-results.ts';
import { COMMANDS, COMMAND_NAMES } from '../declaration/table.ts';
import type { CommandDeclaration, Task } from '../declaration/types.ts';
import { styled, wrapped, type Styling } from './styling.ts';

const INDENT = 2;
/** Gap between the columns of an aligned list. */
const GAP = 2;
/** Switches longer than this are on a line of their own when text is wrapped. */
const LABEL_WIDTH_MAX = 34;

/**
 * Help for people: usage, options, notices, aligned (cli.md §4), and more in root help, which only people are shown.
 */
export function helpText(help: CommandHelp, topic: string, styling: Styling): string {
  const root = topic === 'root';
  const sections = [
    section(
      'Usage',
      root && styling.width !== null ? tasks(styling) : help.usage.map((line) => hanging(line, styling)),
      styling,
    ),
    section(
      'Options',
      aligned(
        help.options.map(({ switches, description }) => [switches.join(', '), description]),
        styling,
      ),
      styling,
    ),
    section(
      'Notices',
      help.notices.map((notice) => hanging(notice, styling)),
      styling,
    ),
    ...(root ? [section('More', more(styling), styling)] : []),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

/** Help of a command that has no help result (cli.md §6). */
export function plainHelpText(declaration: CommandDeclaration, styling: Styling): string {
  return helpText(commandHelp(declaration), declaration.name, styling);
}

function section(title: string, lines: readonly string[], styling: Styling): string {
  return lines.length === 0 ? '' : [styled(title, 'bold', styling), ...lines].join('\n');
}

/** A line whose continuation is indented more than itself. */
function hanging(line: string, { width }: Styling): string {
  return `${' '.repeat(INDENT)}${wrapped(line, width === null ? null : width - INDENT, INDENT * 2)}`;
}

/** `least`: width of the label column when its rows are only a part of the list. */
function aligned(rows: readonly (readonly [string, string])[], { width }: Styling, least = 0): readonly string[] {
  const longest = Math.max(least, ...rows.map(([label]) => label.length));
  const column = width === null ? longest : Math.min(longest, LABEL_WIDTH_MAX);
  const indent = INDENT + column + GAP;
  return rows.map(([label, text]) => {
    const body = wrapped(text, width, indent);
    return label.length > column
      ? `${' '.repeat(INDENT)}${label}\n${' '.repeat(indent)}${body}`
      : `${' '.repeat(INDENT)}${label.padEnd(column + GAP)}${body}`;
  });
}

const TASK_TITLES: Readonly<Record<Task, string>> = {
  build: 'Build an application',
  run: 'Run it',
  inspect: 'Look into it',
  serve: 'Serve it',
  learn: 'Learn',
};

/** On a terminal root help is grouped by task, with an example for each command (cli.md §12.5). */
function tasks(styling: Styling): readonly string[] {
  const width = Math.max(...COMMAND_NAMES.map((name) => name.length));
  const groups = Object.entries(TASK_TITLES).flatMap(([task, title]) => {
    const rows = COMMAND_NAMES.map((name) => COMMANDS[name])
      .filter((command) => command.task === task && command.rootUsage.length > 0)
      .flatMap(({ name, summary, example }): [string, string][] => [
        [name, summary],
        ['', example],
      ]);
    return rows.length === 0
      ? []
      : ['', `${' '.repeat(INDENT)}${styled(title, 'bold', styling)}`, ...aligned(rows, styling, width)];
  });
  return groups.slice(1);
}

/** Commands of this program that have no help result (cli.md §6). */
function more(styling: Styling): readonly string[] {
  return COMMAND_NAMES.map((name) => COMMANDS[name])
    .filter(({ rootUsage }) => rootUsage.length === 0)
    .flatMap(({ usage, summary }) => [
      ...usage.map((line) => hanging(line, styling)),
      `${' '.repeat(INDENT * 2)}${wrapped(summary, styling.width, INDENT * 2)}`,
    ])
    .concat([
      hanging('svc --json COMMAND ... prints the command envelope on stdout; so does SVC_OUTPUT=json.', styling),
    ]);
}
