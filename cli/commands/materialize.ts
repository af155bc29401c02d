import { resolve } from 'node:path';
import {
  materialize,
  type CandidateOrigin,
  type MaterializeOptions,
  type MaterializeTask,
} from '../../supervisor/api/authoring.ts';
import { optionValue, requiredArgument } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import type { Command, CommandContext } from './command.ts';
import { openDocumentServices } from './document-services.ts';

/** cli.md §10, materialize. */
export const materializeCommand: Command = async (commandArguments, context) => {
  const { envelope, advice, unexpected } = await materialize(await readMaterializeOptions(commandArguments, context));
  if (unexpected !== null) await context.reportBug(unexpected);
  return reportEnvelope(envelope, advice);
};

async function readMaterializeOptions(
  commandArguments: CommandArguments,
  context: CommandContext,
): Promise<MaterializeOptions> {
  return {
    ...(await openDocumentServices(context)),
    runRef: context.runRef,
    document: requiredArgument(commandArguments),
    mission: optionValue(commandArguments, '--target-mission') ?? null,
    component: optionValue(commandArguments, '--component') ?? '',
    task: taskOf(commandArguments, context.workingDirectory),
  };
}

function taskOf(commandArguments: CommandArguments, workingDirectory: string): MaterializeTask {
  const sourceOut = optionValue(commandArguments, '--source-out');
  if (sourceOut !== undefined) return { kind: 'source-out', path: resolve(workingDirectory, sourceOut) };
  const [runId, promptHash, authoredAt] = [
    optionValue(commandArguments, '--origin-run-id'),
    optionValue(commandArguments, '--origin-prompt-hash'),
    optionValue(commandArguments, '--origin-authored-at'),
  ];
  return {
    kind: 'candidate',
    directory: resolve(workingDirectory, optionValue(commandArguments, '--out') ?? ''),
    origin: originOf(commandArguments),
    provenance: {
      ...(runId === undefined ? {} : { run_id: runId }),
      ...(promptHash === undefined ? {} : { prompt_hash: promptHash }),
      ...(authoredAt === undefined ? {} : { authored_at: authoredAt }),
    },
    acceptsWidened: commandArguments.options.has('--accept-widened-effect'),
  };
}

function originOf(commandArguments: CommandArguments): CandidateOrigin {
  const result = optionValue(commandArguments, '--from-result');
  if (result !== undefined)
    return { kind: 'result', path: result, pointer: optionValue(commandArguments, '--result-pointer') ?? '' };
  return { kind: 'file', path: optionValue(commandArguments, '--source') ?? '' };
}
