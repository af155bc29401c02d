import { diagnostic, providerSubject } from '../../contract/diagnostics/diagnostic.ts';
import { explanationOf } from '../../contract/diagnostics/explanation.ts';
import { utf8Length } from '../../contract/json/utf8.ts';
import { failure, success, type Outcome } from '../../contract/outcome.ts';
import { Secret, type Credentials } from '../../contract/provider-protocol/credentials.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import type { FileSystem } from '../documents/file-system.ts';
import type { HostDocument } from '../documents/host/fields.ts';
import type { InstalledProvider, Occurrence } from './source/installed-provider.ts';

/** Bytes of one credential, and of the file that holds one (providers.md §4). */
export const CREDENTIAL_BYTES = 65_536;

/** Where the values of credentials come from. */
export interface CredentialSources {
  /** A variable of the environment file, else of the process; undefined where neither has it. */
  readonly variable: (name: string) => string | undefined;
  readonly files: FileSystem;
  /**
   * Asked in place of what the host document says of a credential that it declares; null: there is none. Absent: the
   * document says where it comes from.
   */
  readonly secret?: (binding: string, installation: string) => Promise<string | null>;
}

/** The values of a command, each for those alone who name it. Kept only while its providers are acquired. */
export interface ResolvedCredentials {
  /** A map of its own, with nothing in it that the installation does not name. */
  of(provider: InstalledProvider): Credentials;
}

export interface CredentialRequest {
  /** In order of the manifest, workflow first. */
  readonly occurrences: readonly Occurrence[];
  /** Null without one: nothing is declared then. */
  readonly host: { readonly document: HostDocument; readonly directory: string } | null;
  readonly sources: CredentialSources;
}

/**
 * Resolves what the selected installations name, each name once (runtime.md §1 step 14). Whichever cannot be, the first
 * alias that names any is in the diagnostic; which one is missing, and where it is declared, is reported beside it
 * alone (first-day.md §3).
 */
export async function resolveCredentials({
  occurrences,
  host,
  sources,
}: CredentialRequest): Promise<Outcome<ResolvedCredentials>> {
  const named = new Set(occurrences.flatMap(({ provider }) => provider.credentials));
  const values = new Map<string, Secret>();
  for (const name of named) {
    const declared = host?.document.credentials.get(name);
    const text =
      host === null || declared === undefined
        ? null
        : await (sources.secret?.(name, installationOf(occurrences, name)) ??
            readText(declared, host.directory, sources));
    const value = text === null ? null : trimmedValue(text);
    if (value === null)
      return failure(unavailable(occurrences), {
        faults: explanationOf({
          problem: missingText(name, installationOf(occurrences, name), declared, {
            isThere: text !== null,
            isAsked: sources.secret !== undefined,
          }),
        }),
      });
    values.set(name, new Secret(value));
  }
  return success({ of: ({ credentials }) => new Map([...values].filter(([name]) => credentials.includes(name))) });
}

/** The first that names it. */
function installationOf(occurrences: readonly Occurrence[], name: string): string {
  return occurrences.find(({ provider }) => provider.credentials.includes(name))?.alias ?? '';
}

/**
 * Which binding of which installation has no value, where it was looked for, and where that is declared; never a value.
 */
function missingText(
  name: string,
  installation: string,
  declared: Declared | undefined,
  { isThere, isAsked }: { readonly isThere: boolean; readonly isAsked: boolean },
): string {
  const whose = `the credential ${name} of ${installation}`;
  if (declared === undefined) return `${whose} is not declared: add /credentials/${name} to the host document`;
  const where = `declared at /credentials/${name} of the host document`;
  const state = isThere ? 'holds no text that can be used' : 'has no value';
  if (isAsked) return `${whose} ${state}; ${where}`;
  if ('env' in declared) return `${whose}: the variable ${declared.env} ${isThere ? state : 'is not set'}; ${where}`;
  return 'file' in declared
    ? `${whose}: the file ${declared.file} ${isThere ? state : 'cannot be read'}; ${where}`
    : `${whose} ${state}; ${where}`;
}

function unavailable(occurrences: readonly Occurrence[]) {
  const first = occurrences.find(({ provider }) => provider.credentials.length > 0);
  if (first === undefined) throw new Error('a credential is named by a provider');
  return diagnostic('credential_unavailable', { subject: providerSubject(first.alias, 'credentials', null) });
}

type Declared = HostDocument['credentials'] extends ReadonlyMap<string, infer C> ? C : never;

/** The value of one credential that a host document declares; null where it has none that can be used. */
export async function readCredentialValue(
  declared: Declared,
  hostDirectory: string,
  sources: CredentialSources,
): Promise<string | null> {
  const text = await readText(declared, hostDirectory, sources);
  return text === null ? null : trimmedValue(text);
}

async function readText(
  declared: Declared,
  hostDirectory: string,
  { variable, files }: CredentialSources,
): Promise<string | null> {
  if ('env' in declared) return variable(declared.env) ?? null;
  return 'file' in declared ? readFileText(declared.file, hostDirectory, files) : declared.literal;
}

/** A relative path stays beneath the host document's directory, whatever links it leads over. */
async function readFileText(path: string, hostDirectory: string, files: FileSystem): Promise<string | null> {
  // Secrets are no document of the application: what it read is not looked at, and what is read here not kept.
  const reader = createDocumentReader(files, hostDirectory);
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const read = await (path.startsWith('/')
    ? reader.readNamed(path, CREDENTIAL_BYTES)
    : reader.readReference(hostDirectory, segments.join('/'), CREDENTIAL_BYTES));
  if (!read.ok || read.file.bytes.length > CREDENTIAL_BYTES) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(read.file.bytes);
  } catch {
    return null;
  }
}

/** Without outer white space; null where nothing is left, or too much, or what no header and no variable could hold. */
function trimmedValue(text: string): string | null {
  const value = text.trim();
  const isSound =
    value !== '' && value.isWellFormed() && !value.includes('\0') && utf8Length(value) <= CREDENTIAL_BYTES;
  return isSound ? value : null;
}
