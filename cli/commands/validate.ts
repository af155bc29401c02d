import { validateApplication, type ValidateOptions } from '../../supervisor/api/validate.ts';
import { optionValue, requiredArgument } from '../declaration/given.ts';
import type { GivenArguments } from '../declaration/types.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import type { Command, CommandContext } from './command.ts';
import { openDocumentServices } from './document-services.ts';
import { limitLines, remarkLine } from './validate-limits.ts';

/** cli.md §10, validate. */
export const validateCommand: Command = async (given, context) => {
  const report = await validateApplication(await validateOptions(given, context));
  if (report.unexpected !== null) await context.reportBug(report.unexpected);
  const { advice, limits, remark } = report;
  const remarks = remark === null ? [] : [remarkLine(remark)];
  const lines = limits === null ? [] : limitLines(limits);
  // A script is told of what documents say, and not of defaults.
  return reportEnvelope(
    report.envelope,
    remark?.isChosen === true
      ? { ...advice, notes: remarks, terminalNotes: lines }
      : { ...advice, terminalNotes: [...remarks, ...lines] },
  );
};

async function validateOptions(given: GivenArguments, context: CommandContext): Promise<ValidateOptions> {
  return {
    ...(await openDocumentServices(context)),
    runRef: context.runRef,
    document: requiredArgument(given),
    hostConfig: optionValue(given, '--host-config') ?? null,
    override: optionValue(given, '--component-override-descriptor') ?? null,
  };
}
