import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { findDeclaredHost } from '../../supervisor/api/machine.ts';
import { optionValue } from '../declaration/argument-values.ts';
import { reportEnvelope, type CommandEnd } from '../ending/command-end.ts';
import type { ArgumentFault } from '../parser/fault.ts';
import { argumentDiagnostic } from '../parser/diagnose.ts';
import type { Command } from './command.ts';
import { failureEnvelope } from '../ending/failure-envelope.ts';

/** What a manifest, which has no place for a host, lacks for a command: the option, or a project in its stead. */
const LACKING: Readonly<Record<'models' | 'doctor', ArgumentFault>> = {
  models: { kind: 'positional', placeholder: 'PROJECT.json', rule: 'invalid' },
  doctor: { kind: 'option', option: '--host-config', rule: 'required' },
};
const HINT = 'name a project that declares a host, or a host document with --host-config';

/**
 * Refuses a document that names no host where the command can do nothing without one and was given none (cli.md §2): a
 * wrong form of the command, found once the document is read, that publishes no envelope.
 */
export function requiringHost(name: 'models' | 'doctor', command: Command): Command {
  return async (commandArguments, context) => {
    const [document] = commandArguments.positionals;
    const isAsked = name === 'models' || commandArguments.options.has('--connect');
    if (document === undefined || !isAsked || optionValue(commandArguments, '--host-config') !== undefined)
      return command(commandArguments, context);
    const rejected = (error: Parameters<typeof failureEnvelope>[2], hint: string | null): CommandEnd => ({
      kind: 'rejected',
      envelope: failureEnvelope(name, context.runRef, error),
      hint,
    });
    const host = await findDeclaredHost(document, context.workingDirectory);
    if (!host.ok) return reportEnvelope(failureEnvelope(name, context.runRef, host.diagnostic));
    switch (host.value) {
      case 'declared':
        return command(commandArguments, context);
      case 'undeclared':
        return rejected(diagnostic('project_host_undeclared'), null);
      case 'manifest':
        return rejected(argumentDiagnostic(LACKING[name]), HINT);
    }
  };
}
