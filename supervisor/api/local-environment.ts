import type { Outcome } from '../../contract/outcome.ts';
import type { Target } from '../documents/project/load.ts';
import type { DocumentName } from '../documents/target.ts';
import { loadEnvironmentFile } from '../environment-file/load.ts';
import type { EnvironmentValues } from '../environment-file/parse.ts';
import type { Application } from '../preflight/application.ts';
import { prepareLocalEnvironment } from '../preflight/local-environment.ts';
import type { DocumentOptions } from './documents.ts';

export interface LocalEnvironmentOptions {
  /** Environment file that replaces the project's, from the working directory unless absolute; null leaves the project's. */
  readonly environmentFile: string | null;
  /** Installations to authorize for this command, in the order given. */
  readonly authorize: readonly string[];
}

/** Step 11 of runtime.md §1, with the command's own file before the project's (documents.md §6, "Precedence"). */
export async function localEnvironment(
  options: DocumentOptions & LocalEnvironmentOptions, target: Target, { providers, host }: Application,
): Promise<Outcome<EnvironmentValues>> {
  const name = environmentFileOf(options.environmentFile, target);
  return prepareLocalEnvironment({
    occurrences: [...providers.workflow, ...providers.mission],
    host: host?.document ?? null,
    file: name === null ? null : () => loadEnvironmentFile(options.documents, options.workingDirectory, name),
    authorize: options.authorize,
  });
}

function environmentFileOf(path: string | null, target: Target): DocumentName | null {
  if (path !== null) return { kind: 'named', path };
  if (target.kind === 'application') return null;
  const { directory, document } = target.project;
  const file = document.host?.env_file;
  return file === undefined ? null : { kind: 'below', directory, reference: file.path };
}
