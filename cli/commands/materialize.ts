import { resolve } from 'node:path';
import {
  materialize,
  type CandidateOrigin,
  type MaterializeOptions,
  type MaterializeTask,
} from '../../supervisor/api/authoring.ts';
import { optionValue, requiredArgument } from '../declaration/given.ts';
import type { CommandArguments } from '../declaration/types.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import type { Command, CommandContext } from './command.ts';
import { openDocumentServices } from './document-services.ts';

/** cli.md §10, materialize. */
export const materializeCommand: Command = async (given, context) => {
  const { envelope, advice, unexpected } = await materialize(await readMaterializeOptions(given, context));
  if (unexpected !== null) await context.reportBug(unexpected);
  return reportEnvelope(envelope, advice);
};

async function readMaterializeOptions(given: CommandArguments, context: CommandContext): Promise<MaterializeOptions> {
  return {
    ...(await openDocumentServices(context)),
    runRef: context.runRef,
    document: requiredArgument(given),
    mission: optionValue(given, '--target-mission') ?? null,
    component: optionValue(given, '--component') ?? '',
    task: taskOf(given, context.workingDirectory),
  };
}

function taskOf(given: CommandArguments, workingDirectory: string): MaterializeTask {
  const sourceOut = optionValue(given, '--source-out');
  if (sourceOut !== undefined) return { kind: 'source-out', path: resolve(workingDirectory, sourceOut) };
  const [runId, promptHash, authoredAt] = [
    optionValue(given, '--origin-run-id'),
    optionValue(given, '--origin-prompt-hash'),
    optionValue(given, '--origin-authored-at'),
  ];
  return {
    kind: 'candidate',
    directory: resolve(workingDirectory, optionValue(given, '--out') ?? ''),
    origin: originOf(given),
    provenance: {
      ...(runId === undefined ? {} : { run_id: runId }),
      ...(promptHash === undefined ? {} : { prompt_hash: promptHash }),
      ...(authoredAt === undefined ? {} : { authored_at: authoredAt }),
    },
    acceptsWidened: given.options.has('--accept-widened-effect'),
  };
}

function originOf(given: CommandArguments): CandidateOrigin {
  const result = optionValue(given, '--from-result');
  if (result !== undefined)
    return { kind: 'result', path: result, pointer: optionValue(given, '--result-pointer') ?? '' };
  return { kind: 'file', path: optionValue(given, '--source') ?? '' };
}
