import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { TargetDocument } from '../../supervisor/api/history.ts';
import { COMMANDS, type CommandName } from '../declaration/table.ts';
import type { CommandArguments } from '../declaration/types.ts';
import type { CommandEnd } from '../ending/command-end.ts';
import { failureEnvelope } from '../ending/failure-envelope.ts';
import { argumentDiagnostic } from '../parser/diagnose.ts';
import { usageHint } from '../parser/hints.ts';
import { rejectionOf } from '../parser/parse.ts';
import { namedFiles, renderDocumentHint } from '../streams/named-files.ts';
import type { CommandContext } from './command.ts';

const TARGET: Readonly<Partial<Record<string, TargetDocument>>> = {
  missing: 'named_document',
  unreadable: 'unreadable_document',
};

/** The end of a command whose project could not be loaded; says which file was named. */
export function unreadProject(
  commandArguments: CommandArguments,
  { workingDirectory }: Pick<CommandContext, 'workingDirectory'>,
  { diagnostic, reason }: { readonly diagnostic: Diagnostic; readonly reason: string },
): CommandEnd {
  const targetDocument = TARGET[reason];
  return {
    kind: 'failed',
    diagnostic,
    hint:
      targetDocument === undefined
        ? null
        : renderDocumentHint(targetDocument, namedFiles(commandArguments, workingDirectory)),
  };
}

/** No project was named, and the working directory has none. */
export function projectMissing(name: CommandName, { runRef }: Pick<CommandContext, 'runRef'>): CommandEnd {
  const { command, fault, hint } = rejectionOf(
    name,
    { kind: 'positional', placeholder: 'PROJECT', rule: 'missing' },
    usageHint(COMMANDS[name]),
  );
  return { kind: 'rejected', envelope: failureEnvelope(command, runRef, argumentDiagnostic(fault)), hint };
}

/** An application where a project was asked for is a wrong argument (cli.md §1). */
export function refuseApplication(
  name: CommandName,
  commandArguments: CommandArguments,
  { runRef, workingDirectory }: Pick<CommandContext, 'runRef' | 'workingDirectory'>,
): CommandEnd {
  const { document } = namedFiles(commandArguments, workingDirectory);
  const { command, fault, hint } = rejectionOf(
    name,
    { kind: 'positional', placeholder: 'PROJECT', rule: 'invalid' },
    `${document ?? 'it'} is an application; name the project document, which has a "kind"`,
  );
  return { kind: 'rejected', envelope: failureEnvelope(command, runRef, argumentDiagnostic(fault)), hint };
}
