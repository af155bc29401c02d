import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { optionMessage } from '../../contract/diagnostics/messages/arguments.ts';
import { thisMachine } from '../../supervisor/api/machine.ts';
import { explainRun } from '../../supervisor/api/history.ts';
import { needsProject } from '../declaration/default-document.ts';
import { optionValue, requiredArgument } from '../declaration/argument-values.ts';
import { explanationResult } from '../streams/explain-result.ts';
import { explanationText } from '../streams/explain-text.ts';
import { namedFiles } from '../streams/named-files.ts';
import type { Command } from './command.ts';
import { ownRuns } from './runs.ts';
import { findSelectedRun } from './selected-run.ts';

const USUAL_PROJECT = 'svc-project.json';

/** Shows people how a run came to its end; the envelope that it reads is what programs read. */
export const explainCommand: Command = async (commandArguments, context) => {
  const { workingDirectory, programDirectory } = context;
  const { documents } = thisMachine(programDirectory);
  const isAtTerminal = commandArguments.options.has('--private-terminal');
  if (isAtTerminal && !process.stdout.isTTY) {
    return {
      kind: 'failed',
      diagnostic: diagnostic('invalid_arguments', {
        message: optionMessage('--private-terminal', 'not_accepted_here'),
      }),
      hint: 'stdout is not a terminal; --private-unattended lets any stream carry private values',
    };
  }
  const showsPrivate = isAtTerminal || commandArguments.options.has('--private-unattended');
  const word = requiredArgument(commandArguments);
  const found = needsProject(word) ? await findSelectedRun(word, commandArguments, context) : null;
  if (found?.ok === false) return { kind: 'failed', diagnostic: found.diagnostic, hint: found.hint };
  const project = optionValue(commandArguments, '--project') ?? null;
  const end = await explainRun({
    subject: found?.run.runRef ?? word,
    project,
    own: project === null ? ownRuns(USUAL_PROJECT, context) : null,
    workingDirectory,
    documents,
    showsPrivate,
  });
  if (!end.ok) return { kind: 'failed', diagnostic: end.diagnostic, hint: end.hint };
  return {
    kind: 'result',
    value: explanationResult(end.explanation),
    text: (styling) =>
      explanationText(
        end.explanation,
        namedFiles({ positionals: [], options: commandArguments.options }, workingDirectory).document,
        styling,
      ),
  };
};
