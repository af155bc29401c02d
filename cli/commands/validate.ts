import { validateApplication } from '../../supervisor/api/validate.ts';
import type { ValidateOptions } from '../../supervisor/api/validate.ts';
import { optionValue, requiredArgument } from '../declaration/given.ts';
import type { GivenArguments } from '../declaration/types.ts';
import type { Command, CommandContext } from './command.ts';
import { documentServices } from './document-services.ts';
import { limitLines } from './validate-limits.ts';

/** cli.md §10, validate. */
export const validateCommand: Command = async (given, context) => {
  const report = await validateApplication(await validateOptions(given, context));
  if (report.unexpected !== null) await context.reportBug(report.unexpected);
  return {
    kind: 'envelope', envelope: report.envelope, hint: report.hint, explanation: report.explanation,
    terminalNotes: report.limits === null ? [] : limitLines(report.limits),
  };
};

async function validateOptions(given: GivenArguments, context: CommandContext): Promise<ValidateOptions> {
  return {
    ...await documentServices(context),
    runRef: context.runRef,
    document: requiredArgument(given),
    hostConfig: optionValue(given, '--host-config') ?? null,
    override: optionValue(given, '--component-override-descriptor') ?? null,
  };
}
