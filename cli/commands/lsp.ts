import { startEditorServer } from '../editor/start.ts';
import type { Command } from './command.ts';
import { readBuildFacts } from './version.ts';

/** cli.md §10, lsp. */
export const lspCommand: Command = async (commandArguments, { standardInput, programDirectory, signal }) => {
  const isInOrder = await startEditorServer({
    input: standardInput(),
    output: process.stdout,
    programDirectory,
    version: readBuildFacts(programDirectory).version,
    signal,
  });
  return { kind: 'conversed', outcome: { outcome: isInOrder ? 'succeeded' : 'conversation_failed' } };
};
