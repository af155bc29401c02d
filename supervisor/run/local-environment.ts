import { success, type Outcome } from '../../contract/outcome.ts';
import type { Target } from '../documents/project/load.ts';
import type { DocumentName } from '../documents/target.ts';
import { loadEnvironmentFile } from '../documents/environment-file/load.ts';
import type { Application } from '../application/preflight/application.ts';
import { prepareLocalEnvironment } from '../application/preflight/local-environment.ts';
import type { CredentialSources } from '../providers/credentials.ts';
import { ownVariable, type DocumentOptions } from './named-documents.ts';

/** Where credentials come from for this command (documents.md §6, §7). */
export interface LocalEnvironmentOptions {
  /**
   * Environment file that replaces the project's, from the working directory unless absolute; null leaves the
   * project's.
   */
  readonly environmentFile: string | null;
  /** Installations to authorize for this command, in the order given. */
  readonly authorize: readonly string[];
}

/**
 * Step 11 of runtime.md §1, with the command's own file before the project's (documents.md §6, "Precedence"). Gives the
 * variables of this command: a name that the file assigns, be it to nothing, is the file's, any other the process's.
 */
export async function openLocalEnvironment(
  options: Pick<DocumentOptions, 'documents' | 'workingDirectory' | 'variables'> & LocalEnvironmentOptions,
  target: Target,
  { providers, host }: Application,
): Promise<Outcome<CredentialSources['variable']>> {
  const name = environmentFileOf(options.environmentFile, target);
  const assigned = await prepareLocalEnvironment({
    occurrences: [...providers.workflow, ...providers.mission],
    host: host?.document ?? null,
    file: name === null ? null : () => loadEnvironmentFile(options.documents, options.workingDirectory, name),
    authorize: options.authorize,
  });
  if (!assigned.ok) return assigned;
  const own = ownVariable(options.variables);
  return success((variable) => (assigned.value.has(variable) ? assigned.value.get(variable) : own(variable)));
}

function environmentFileOf(path: string | null, target: Target): DocumentName | null {
  if (path !== null) return { kind: 'named', path };
  if (target.kind === 'application') return null;
  const { directory, document } = target.project;
  const file = document.host?.env_file;
  return file === undefined ? null : { kind: 'below', directory, reference: file.path };
}
