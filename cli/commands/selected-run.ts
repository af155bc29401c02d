import { findProjectRun, type FoundRun, type RefusedOnProject } from '../../supervisor/api/history.ts';
import { optionValue } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import type { CommandContext } from './command.ts';
import { projectRuns } from './runs.ts';

const USUAL_PROJECT = 'svc-project.json';

/** The run that a word of the command line means, by the project of the line or of the working directory. */
export async function findSelectedRun(
  word: string,
  commandArguments: CommandArguments,
  context: CommandContext,
  project = optionValue(commandArguments, '--project') ?? USUAL_PROJECT,
): Promise<{ readonly ok: true; readonly run: FoundRun } | RefusedOnProject> {
  const found = await findProjectRun(projectRuns(project, context), word);
  if (found.ok || found.reason === undefined) return found;
  const hint = commandArguments.options.has('--project')
    ? 'it is the document that --project names; check the name'
    : `${word} is a run of a project, and this directory has no svc-project.json: name one with --project PROJECT.json`;
  return { ...found, hint };
}
