import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { AbsentCommand } from '../declaration/absent.ts';
import { COMMANDS } from '../declaration/table.ts';
import { told } from '../ending/command-end.ts';
import type { Command } from './command.ts';
import { failureEnvelope } from '../ending/failure-envelope.ts';

/**
 * A command whose arguments and help are declared but whose work this build does not contain: it says so and fails,
 * whatever the arguments, touching nothing. The one place for it; a command that is built takes its own file.
 */
export function absentCommand(name: AbsentCommand): Command {
  const hint = `the ${name} command is not part of this build`;
  const error = diagnostic('internal_error', { cause: 'resource_unavailable' });
  const { envelope: command } = COMMANDS[name];
  return async (_given, { runRef }) => {
    if (command === null) return { kind: 'failed', diagnostic: error, hint };
    return told(failureEnvelope(command, runRef, error), { hint });
  };
}
