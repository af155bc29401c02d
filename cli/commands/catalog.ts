import { listCatalog } from '../../supervisor/api/catalog.ts';
import { userGrantUse, LOCAL_TENANT, thisMachine } from '../../supervisor/api/machine.ts';
import { CATALOG_FORMATS } from '../declaration/commands/catalog.ts';
import { optionValue, requiredArgument } from '../declaration/argument-values.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import { catalogTable } from '../streams/catalog-table.ts';
import type { Command } from './command.ts';

/** providers.md §13, catalog. */
export const catalogCommand: Command = async (
  commandArguments,
  { runRef, workingDirectory, programDirectory, variables, signal, reportBug },
) => {
  const { documents } = thisMachine(programDirectory);
  const { envelope, advice, configPin, mapping, unexpected } = await listCatalog({
    runRef,
    provider: requiredArgument(commandArguments),
    hostConfig: optionValue(commandArguments, '--host-config') ?? '',
    environmentFile: optionValue(commandArguments, '--env-file') ?? null,
    workingDirectory,
    documents,
    variables,
    trustDomain: LOCAL_TENANT,
    signal,
    grants: userGrantUse(variables),
  });
  if (unexpected !== null) await reportBug(unexpected);
  return reportEnvelope(envelope, {
    ...advice,
    format: CATALOG_FORMATS.find((format) => format === optionValue(commandArguments, '--format')) ?? null,
    terminalText:
      envelope.status === 'ok'
        ? (styling) => catalogTable(envelope.result, { configPin, mapping: mapping ?? new Map() }, styling)
        : null,
  });
};
