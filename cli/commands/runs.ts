import { jsonFromPlain } from '../../contract/json/plain.ts';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { listProjectRuns, type ProjectRunsOptions } from '../../supervisor/api/history.ts';
import { optionValue, requiredArgument } from '../declaration/given.ts';
import { reportLooking } from '../progress/looking.ts';
import { runsTable } from '../streams/runs-table.ts';
import type { Command, CommandContext } from './command.ts';
import { applicationGiven, unreadProject } from './unread-project.ts';

const LIMIT = '20';

/** cli.md §10, runs. */
export const runsCommand: Command = async (given, context) => {
  const failedOnly = given.options.has('--failed');
  const end = await listProjectRuns(projectRuns(requiredArgument(given), context), {
    limit: Number(optionValue(given, '--limit') ?? LIMIT),
    failedOnly,
  });
  if (!end.ok) {
    if (end.reason === 'application') return applicationGiven('runs', given, context);
    return end.reason === undefined
      ? { kind: 'failed', diagnostic: end.diagnostic, hint: end.hint }
      : unreadProject(given, context, { ...end, reason: end.reason });
  }
  const { list } = end;
  const value = jsonFromPlain({ runs: list.runs, total: list.total });
  if (value === undefined) throw new TypeError('a list of runs holds JSON values only');
  const terminalText = given.options.has('--json')
    ? {}
    : { terminalText: (styling: Parameters<typeof runsTable>[1]) => runsTable({ ...list, failedOnly }, styling) };
  return { kind: 'result', value, text: null, ...terminalText };
};

/** What the supervisor needs of the machine to look at the runs of a project. */
export function projectRuns(
  project: string,
  { workingDirectory, programDirectory, variables, signal, progressStream }: CommandContext,
): ProjectRunsOptions {
  return {
    project,
    workingDirectory,
    documents: thisMachine(programDirectory).documents,
    variables,
    now: () => Date.now(),
    signal,
    onLooked: reportLooking(progressStream, () => performance.now()),
  };
}
