import { needsProject } from '../declaration/default-document.ts';
import { optionValue, requiredArgument } from '../declaration/argument-values.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import { failureEnvelope } from '../ending/failure-envelope.ts';
import { argumentDiagnostic } from '../parser/diagnose.ts';
import { rejectionOf } from '../parser/parse.ts';
import type { Command } from './command.ts';
import { findSelectedRun } from './selected-run.ts';

const NEEDS = 'latest, latest-failed and the beginning of a reference are of the runs of a project; name it';

/** cli.md §10, transcript. */
export const transcriptCommand: Command = async (commandArguments, context) => {
  const { performTranscript } = await import('../../supervisor/api/history.ts');
  const file = optionValue(commandArguments, '--inspection-file');
  const word = requiredArgument(commandArguments);
  // The line was refused unless it names the folders, or a project that knows them.
  const found = commandArguments.options.has('--project')
    ? await findSelectedRun(word, commandArguments, context)
    : null;
  if (found?.ok === false)
    return reportEnvelope(failureEnvelope('transcript', context.runRef, found.diagnostic), { hint: found.hint });
  if (found === null && needsProject(word)) {
    const rejection = rejectionOf('transcript', { kind: 'option', option: '--project', rule: 'required' }, NEEDS);
    return {
      kind: 'rejected',
      envelope: failureEnvelope('transcript', context.runRef, argumentDiagnostic(rejection.fault)),
      hint: rejection.hint,
    };
  }
  const { envelope, hint, unexpected } = await performTranscript({
    runRef: context.runRef,
    runId: found?.run.runRef ?? word,
    traces: optionValue(commandArguments, '--traces') ?? found?.run.traces ?? '',
    inspection:
      file === undefined
        ? { kind: 'directory', path: optionValue(commandArguments, '--inspection') ?? found?.run.inspections ?? '' }
        : { kind: 'file', path: file },
    output: optionValue(commandArguments, '--private-output') ?? '',
    signal: context.signal,
  });
  if (unexpected !== null) await context.reportBug(unexpected);
  return reportEnvelope(envelope, { hint });
};
