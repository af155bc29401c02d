import { listModels } from '../../supervisor/api/models.ts';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { optionValue } from '../declaration/argument-values.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import { modelsTable } from '../streams/models-table.ts';
import type { Command } from './command.ts';

/** providers.md §13, models. */
export const modelsCommand: Command = async (
  commandArguments,
  { runRef, workingDirectory, programDirectory, reportBug },
) => {
  const { documents } = thisMachine(programDirectory);
  const [document] = commandArguments.positionals;
  const { envelope, descriptions, advice, unexpected } = await listModels({
    runRef,
    workingDirectory,
    documents,
    document: document ?? null,
    hostConfig: optionValue(commandArguments, '--host-config') ?? null,
  });
  if (unexpected !== null) await reportBug(unexpected);
  return reportEnvelope(envelope, {
    ...advice,
    terminalText: envelope.status === 'ok' ? (styling) => modelsTable(envelope.result, descriptions, styling) : null,
  });
};
