import { manualPage } from '../manual/page.ts';
import type { Command } from './command.ts';
import { readBuildFacts } from './version.ts';

/** Prints the manual page (cli.md §12.2). */
export const manCommand: Command = async (commandArguments, { programDirectory }) => ({
  kind: 'text',
  text: manualPage(readBuildFacts(programDirectory).version),
});
