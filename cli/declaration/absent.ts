import type { CommandName } from './types.ts';

/** Commands that are declared, so that their arguments are checked and their help is told, but whose work this build does not contain. */
export const ABSENT_COMMANDS = [
  'docs',
] as const satisfies readonly CommandName[];
export type AbsentCommand = (typeof ABSENT_COMMANDS)[number];

export function isAbsent(name: CommandName): name is AbsentCommand {
  return ABSENT_COMMANDS.some((absent) => absent === name);
}
