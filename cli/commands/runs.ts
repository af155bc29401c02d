import { resolve } from 'node:path';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { DEFAULT_DOCUMENTS } from '../declaration/default-document.ts';
import { storedCodeRuns, listProjectRuns, type ProjectRunsOptions } from '../../supervisor/api/history.ts';
import { optionValue } from '../declaration/argument-values.ts';
import { reportLooking } from '../progress/looking.ts';
import { runsTable } from '../streams/runs-table.ts';
import type { Command, CommandContext } from './command.ts';
import { refuseApplication, projectMissing, unreadProject } from './unread-project.ts';

const LIMIT = '20';
const USUAL_PROJECT = 'svc-project.json';

/** cli.md §10, runs. */
export const runsCommand: Command = async (commandArguments, context) => {
  const [named] = commandArguments.positionals;
  const project = named ?? USUAL_PROJECT;
  if (named === undefined && storedCodeRuns(context.variables, context.workingDirectory) === null)
    return projectMissing('runs', context);
  const failedOnly = commandArguments.options.has('--failed');
  const end = await listProjectRuns(projectRuns(project, context), {
    limit: Number(optionValue(commandArguments, '--limit') ?? LIMIT),
    failedOnly,
  });
  if (!end.ok) {
    if (end.reason === 'application') return refuseApplication('runs', commandArguments, context);
    return end.reason === undefined
      ? { kind: 'failed', diagnostic: end.diagnostic, hint: end.hint }
      : unreadProject(commandArguments, context, { ...end, reason: end.reason });
  }
  const { list } = end;
  const value = jsonFromPlain({ runs: list.runs, total: list.total });
  if (value === undefined) throw new TypeError('a list of runs holds JSON values only');
  const terminalText = commandArguments.options.has('--json')
    ? {}
    : { terminalText: (styling: Parameters<typeof runsTable>[1]) => runsTable({ ...list, failedOnly }, styling) };
  return { kind: 'result', value, text: null, ...terminalText };
};

/** Those of `svc code` in the working directory, where it may be that which the name of a project means. */
export function ownRuns(
  project: string,
  { variables, workingDirectory }: Pick<CommandContext, 'variables' | 'workingDirectory'>,
): string | null {
  const isHere = DEFAULT_DOCUMENTS.some(
    (name) => resolve(workingDirectory, project) === resolve(workingDirectory, name),
  );
  return isHere ? storedCodeRuns(variables, workingDirectory) : null;
}

/** What the supervisor needs of the machine to look at the runs of a project. */
export function projectRuns(
  project: string,
  { workingDirectory, programDirectory, variables, signal, progressStream }: CommandContext,
): ProjectRunsOptions {
  return {
    project,
    own: ownRuns(project, { variables, workingDirectory }),
    workingDirectory,
    documents: thisMachine(programDirectory).documents,
    variables,
    now: () => Date.now(),
    signal,
    onLooked: reportLooking(progressStream, () => performance.now()),
  };
}
