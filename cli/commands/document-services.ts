import { LOCAL_TENANT, thisMachine, type DocumentOptions } from '../../supervisor/api/machine.ts';
import type { CommandContext } from './command.ts';

type DocumentServices = Pick<
  DocumentOptions,
  | 'workingDirectory'
  | 'trustDomain'
  | 'libraries'
  | 'sandbox'
  | 'bundles'
  | 'documents'
  | 'clock'
  | 'signal'
  | 'variables'
>;

/**
 * What the supervisor needs of the machine to load an application. A setting that keeps the sandbox from starting is
 * found here, before any document is read; the start itself is not waited for.
 */
export async function openDocumentServices({
  workingDirectory,
  programDirectory,
  sandbox,
  bundles,
  signal,
  variables,
}: CommandContext): Promise<DocumentServices> {
  await sandbox();
  return {
    workingDirectory,
    trustDomain: LOCAL_TENANT,
    sandbox,
    bundles,
    signal,
    variables,
    ...thisMachine(programDirectory),
  };
}
