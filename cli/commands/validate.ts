import { validateApplication, type ValidateOptions } from '../../supervisor/api/authoring.ts';
import { optionValue, requiredArgument } from '../declaration/argument-values.ts';
import type { CommandArguments } from '../declaration/types.ts';
import { reportEnvelope } from '../ending/command-end.ts';
import { validText } from '../streams/valid-text.ts';
import type { Command, CommandContext } from './command.ts';
import { openDocumentServices } from './document-services.ts';
import { limitLines, remarkLine } from './validate-limits.ts';

/** cli.md §10, validate. */
export const validateCommand: Command = async (commandArguments, context) => {
  const report = await validateApplication(await validateOptions(commandArguments, context));
  if (report.unexpected !== null) await context.reportBug(report.unexpected);
  const { advice, limits, remark } = report;
  const remarks = remark === null ? [] : [remarkLine(remark)];
  const lines = limits === null || !commandArguments.options.has('--limits') ? [] : limitLines(limits);
  const { envelope } = report;
  // A script gets what documents say, and not of defaults.
  return reportEnvelope(envelope, {
    ...advice,
    terminalText: envelope.status === 'ok' ? (styling) => validText(envelope.result, styling) : null,
    notes: [...(remark?.isChosen === true ? remarks : []), ...lines],
    terminalNotes: remark?.isChosen === true ? [] : remarks,
  });
};

async function validateOptions(commandArguments: CommandArguments, context: CommandContext): Promise<ValidateOptions> {
  return {
    ...(await openDocumentServices(context)),
    runRef: context.runRef,
    document: requiredArgument(commandArguments),
    hostConfig: optionValue(commandArguments, '--host-config') ?? null,
    override: optionValue(commandArguments, '--component-override-descriptor') ?? null,
  };
}
