import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { createDocumentReader } from '../../supervisor/documents/document-reader.ts';
import { nodeFileSystem } from '../../supervisor/documents/file-system.ts';
import { loadTarget } from '../../supervisor/documents/project/load.ts';
import { optionValue } from '../declaration/given.ts';
import type { Command } from './command.ts';
import { failureEnvelope } from './failure.ts';

/**
 * Refuses a project that declares no host where the command can do nothing without one and was given none (cli.md §2,
 * `project_host_undeclared`): a wrong form of the command, found once the project is read, that publishes no envelope.
 * A manifest is left to the command.
 */
export function requiringHost(name: 'models' | 'doctor', command: Command): Command {
  return async (given, context) => {
    const [document] = given.positionals;
    const isAsked = name === 'models' || given.options.has('--connect');
    if (document === undefined || !isAsked || optionValue(given, '--host-config') !== undefined) return command(given, context);
    const target = await loadTarget(createDocumentReader(nodeFileSystem, context.workingDirectory), document);
    if (!target.ok) return { kind: 'envelope', envelope: failureEnvelope(name, context.runRef, target.diagnostic), hint: null };
    if (target.value.kind === 'application' || target.value.host !== null) return command(given, context);
    const envelope = failureEnvelope(name, context.runRef, diagnostic('project_host_undeclared'));
    return { kind: 'envelope', envelope, hint: null, isRejection: true };
  };
}
