import { optionValue, requiredArgument } from '../declaration/given.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import type { Command } from './command.ts';

/** cli.md §10, transcript. */
export const transcriptCommand: Command = async (given, context) => {
  const { performTranscript } = await import('../../supervisor/api/explain.ts');
  const file = optionValue(given, '--inspection-file');
  const { envelope, hint, unexpected } = await performTranscript({
    runRef: context.runRef,
    runId: requiredArgument(given),
    traces: optionValue(given, '--traces') ?? '',
    inspection:
      file === undefined
        ? { kind: 'directory', path: optionValue(given, '--inspection') ?? '' }
        : { kind: 'file', path: file },
    output: optionValue(given, '--private-output') ?? '',
    signal: context.signal,
  });
  if (unexpected !== null) await context.reportBug(unexpected);
  return reportEnvelope(envelope, { hint });
};
