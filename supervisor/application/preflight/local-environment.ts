import { diagnostic, providerSubject, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { failure, success, type Outcome } from '../../../contract/outcome.ts';
import type { HostDocument } from '../../documents/host/fields.ts';
import type { EnvironmentValues } from '../../documents/environment-file/parse.ts';
import type { InstalledProvider, Occurrence } from '../../providers/source/installed-provider.ts';

export interface LocalEnvironmentRequest {
  /** In order of the manifest, workflow first. */
  readonly occurrences: readonly Occurrence[];
  /** Null without a host document. */
  readonly host: HostDocument | null;
  /** Reads the file that the command or the project names; null where neither does. */
  readonly file: (() => Promise<Outcome<EnvironmentValues>>) | null;
  /** Names given with `--authorize-mcp`, in their order. */
  readonly authorize: readonly string[];
}

/**
 * Step 11 of runtime.md §1: the environment file, which is opened only where a selected installation takes a credential
 * from the environment, then the names to authorize. Gives the variables of the file, none where it was not read.
 */
export async function prepareLocalEnvironment(request: LocalEnvironmentRequest): Promise<Outcome<EnvironmentValues>> {
  const { occurrences, host, file, authorize } = request;
  const isNeeded =
    file !== null && host !== null && occurrences.some(({ provider }) => takesFromEnvironment(provider, host));
  const values = isNeeded ? await file() : success<EnvironmentValues>(new Map());
  if (!values.ok) return values;
  const refused = authorize.map((name) => authorizationFault(name, occurrences)).find((fault) => fault !== null);
  return refused === undefined ? values : failure(refused);
}

function takesFromEnvironment({ credentials }: InstalledProvider, host: HostDocument): boolean {
  return credentials.some((name) => {
    const credential = host.credentials.get(name);
    return credential !== undefined && 'env' in credential;
  });
}

/** interface.md §1.5. */
function authorizationFault(name: string, occurrences: readonly Occurrence[]): Diagnostic | null {
  const subject = providerSubject(name, 'local', null);
  const named = occurrences.find(({ alias }) => alias === name);
  if (named === undefined) return diagnostic('authorization_target_unknown', { subject });
  return named.provider.authorization === 'oauth' ? null : diagnostic('authorization_not_applicable', { subject });
}
