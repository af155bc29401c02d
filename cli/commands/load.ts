import type { CommandName } from '../declaration/types.ts';
import { absentCommand } from './absent.ts';
import type { Command } from './command.ts';

export type LoadCommand = (name: CommandName) => Promise<Command>;

/** Brings in the work of one command and nothing of the others (cli.md §12.8). */
export const loadCommand: LoadCommand = async (name) => {
  switch (name) {
    case 'init':
      return (await import('./init.ts')).initCommand;
    case 'repl':
      return (await import('./repl.ts')).replCommand();
    case 'run':
      return (await import('./run.ts')).runCommand();
    case 'validate':
      return (await import('./validate.ts')).validateCommand;
    case 'version':
      return (await import('./version.ts')).versionCommand;
    case 'models':
    case 'doctor':
      return (await import('./host-required.ts')).requiringHost(name, absentCommand(name));
    default:
      return absentCommand(name);
  }
};
