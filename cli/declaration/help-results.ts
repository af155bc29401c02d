import { HELP_TOPICS, type HelpResult, type HelpTopic } from '../../contract/envelope/results.ts';
import { COMMANDS, COMMAND_NAMES } from './table.ts';
import type { CommandDeclaration, OptionDeclaration } from './types.ts';

/** Help of a command as data; `topic` is any command name where the help is only printed as text. */
export interface CommandHelp {
  readonly usage: readonly string[];
  readonly options: HelpResult['options'];
  readonly notices: readonly string[];
}

function helpOption(option: OptionDeclaration): HelpResult['options'][number] {
  const suffix = option.value === undefined ? '' : ` ${option.value.placeholder}`;
  const spellings = option.short === undefined ? [option.name] : [option.short, option.name];
  return { description: option.description, switches: spellings.map((spelling) => spelling + suffix) };
}

export function commandHelp({ usage, options, notices }: CommandDeclaration): CommandHelp {
  return { usage, options: options.map(helpOption), notices };
}

function rootHelp(): CommandHelp {
  return {
    usage: COMMAND_NAMES.flatMap((name) => COMMANDS[name].rootUsage),
    options: [
      { description: 'Show this root help.', switches: ['--help'] },
      { description: 'Print the command version.', switches: ['--version'] },
    ],
    notices: [],
  };
}

/** The topic of this exact name; `help` and our plain-text commands are none (cli.md §6). */
export function findTopic(word: string): HelpTopic | undefined {
  return HELP_TOPICS.find((topic) => topic === word);
}

/** What interface.md prints of a command. */
function printed(declaration: CommandDeclaration): CommandDeclaration {
  return { ...declaration, options: declaration.options.filter(({ isFurther }) => isFurther !== true) };
}

/** The `result` of a help envelope (interface.md §1.4.1). */
export function helpResult(topic: HelpTopic): HelpResult {
  const help = topic === 'root' ? rootHelp() : commandHelp(printed(COMMANDS[topic]));
  return { topic, ...help };
}

/**
 * Every help result word for word, for the published envelope schema: each topic, and `run` once more in its shorter
 * form without `--authorize-mcp`, which this program never prints but readers accept (cli.md §6).
 */
export function publishedHelpResults(): readonly HelpResult[] {
  const { run } = COMMANDS;
  const withoutAuthorization = { ...run, options: run.options.filter(({ name }) => name !== '--authorize-mcp') };
  return [...HELP_TOPICS.map(helpResult), { topic: 'run', ...commandHelp(printed(withoutAuthorization)) }];
}
