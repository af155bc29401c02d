import { diagnostic, providerSubject, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { explanationOf } from '../../contract/diagnostics/explanation.ts';
import { interruption } from '../../contract/diagnostics/interruption.ts';
import { failure, success, type Failed, type Outcome } from '../../contract/outcome.ts';
import { prepareLocalEnvironment } from '../application/preflight/local-environment.ts';
import { findDeclaredHost } from '../authoring/project-host.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import { loadEnvironmentFile } from '../documents/environment-file/load.ts';
import type { FileSystem } from '../documents/file-system.ts';
import type { LoadedHost } from '../documents/host/load.ts';
import type { Variables } from '../platform/configuration/configuration.ts';
import { LOCAL_TENANT } from '../platform/tenant.ts';
import { resolveCredentials } from '../providers/credentials.ts';
import { endStoredGrant, readGrantReport, type GrantReport, type Revocation } from '../providers/mcp/grant-reports.ts';
import type { AuthorisationCode, Occurrence } from '../providers/source/installed-provider.ts';
import { findInstallation } from '../run/named-installation.ts';
import { loadNamedHost, loadNamedTarget, ownVariable } from '../run/named-documents.ts';
import { LOCAL_USER, UserGrantsError, openUserGrants, type UserGrants } from '../service/stores/user-grants.ts';

export type { GrantReport as KeptGrant, Revocation } from '../providers/mcp/grant-reports.ts';

/** What `svc auth` is asked. */
export interface AuthOptions {
  /** Of the process. */
  readonly variables: Variables;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly documents: FileSystem;
  /** Null: that of `svc-project.json` in the working directory, else `svc-host.json` there. */
  readonly hostConfig: string | null;
  readonly environmentFile: string | null;
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal;
}

/** Of one installation. */
export interface NamedAuthOptions extends AuthOptions {
  /** Alias of the installation. */
  readonly name: string;
}

/** What `svc auth login` is asked. */
export interface LoginOptions extends NamedAuthOptions {
  /** Called once with the address where the person has to go. */
  readonly notify: (url: string) => void;
}

/** What was granted, and where a damaged grant was moved that was in its place; null: there was none. */
export interface LoggedIn {
  readonly grant: GrantReport;
  readonly setAside: string | null;
}

/** A row of `svc auth list`. */
export type ListedGrant =
  | { readonly state: 'usable' | 'expired' | 'refused'; readonly grant: GrantReport }
  | { readonly state: 'unreadable'; readonly problem: string };

/** A grant that was ended here, and what became of it at its authority. */
export interface LoggedOut {
  readonly endpoint: string;
  readonly revocation: Revocation;
}

const USUAL_PROJECT = 'svc-project.json';
const USUAL_HOST = 'svc-host.json';

/** Has the user authorise an installation, and keeps what is granted. */
export async function logIn(options: LoginOptions): Promise<Outcome<LoggedIn>> {
  const found = await findOccurrence(options);
  if (!found.ok) return found;
  const { occurrence, host } = found.value;
  const { alias, provider } = occurrence;
  const { authorisable } = provider;
  if (authorisable === null)
    return failure(diagnostic('authorization_not_applicable', { subject: providerSubject(alias, 'local', null) }), {
      hint: `${alias} has no oauth in the host document, so there is no sign-in`,
    });
  const credentials = await resolveFor(options, occurrence, host);
  if (!credentials.ok) return credentials;
  const store = openUserGrants(options.variables);
  const key = await authorisable.keyOf({ tenant: LOCAL_TENANT, principal: LOCAL_USER });
  try {
    await store.prepare();
    const setAside = await store.setAside(key);
    const answer = await authorisable.authorise({
      tenant: LOCAL_TENANT,
      owner: { store, principal: LOCAL_USER },
      alias,
      credentials: credentials.value,
      notify: options.notify,
      signal: options.signal,
    });
    if (!answer.ok) {
      if (options.signal.aborted) return failure(interruption({ providerActivity: true }));
      // What keeps the store from keeping anything says more than that it does not.
      await store.read(key);
      return failure(refusal(answer.code, alias));
    }
    answer.release();
    const storedGrant = await store.read(key);
    const grant = storedGrant === null ? null : await readGrantReport(storedGrant);
    return grant === null ? failure(refusal('authorization_unavailable', alias)) : success({ grant, setAside });
  } catch (error) {
    return unavailable(error, alias);
  }
}

/** All that the user granted, by name; what cannot be read is reported and left as it is. */
export async function listGrants(
  options: AuthOptions & { readonly now: number },
): Promise<Outcome<readonly ListedGrant[]>> {
  const rows: ListedGrant[] = [];
  try {
    for (const entry of await openUserGrants(options.variables).list()) {
      const grant = 'problem' in entry ? null : await readGrantReport(entry.grant);
      if (grant !== null) rows.push({ state: stateOf(grant, options.now), grant });
      else
        rows.push({
          state: 'unreadable',
          problem: 'problem' in entry ? entry.problem : `the grant ${entry.id} was not written by this program`,
        });
    }
  } catch (error) {
    return unavailable(error, null);
  }
  return success(rows.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)));
}

/** A token that is over is renewed where that can be; one that the server refused likewise. */
function stateOf({ expiresAt, isRejected, isRenewable }: GrantReport, now: number): 'usable' | 'expired' | 'refused' {
  if (isRenewable) return 'usable';
  if (isRejected) return 'refused';
  return expiresAt <= now ? 'expired' : 'usable';
}

function nameOf(row: ListedGrant): string {
  return 'grant' in row ? `0 ${row.grant.name} ${row.grant.endpoint}` : `1 ${row.problem}`;
}

/** Ends every grant that was given under a name, at its authority too where that takes it back. None: there is none. */
export async function logOut(options: NamedAuthOptions): Promise<Outcome<readonly LoggedOut[]>> {
  const store = openUserGrants(options.variables);
  const ended: LoggedOut[] = [];
  try {
    for (const { grant, secretName } of await grantsNamed(store, options.name)) {
      const secret = secretName === null ? null : await secretOf(options, secretName);
      const revocation = await endStoredGrant(grant, { store, principal: LOCAL_USER, tenant: LOCAL_TENANT, secret });
      ended.push({ endpoint: grant.endpoint, revocation });
    }
  } catch (error) {
    return unavailable(error, options.name);
  }
  return success(ended);
}

async function grantsNamed(
  store: UserGrants,
  name: string,
): Promise<readonly { readonly grant: GrantReport; readonly secretName: string | null }[]> {
  const found: { readonly grant: GrantReport; readonly secretName: string | null }[] = [];
  for (const entry of await store.list()) {
    const grant = 'problem' in entry ? null : await readGrantReport(entry.grant);
    if (grant !== null && grant.name === name) found.push({ grant, secretName: grant.secretName });
  }
  return found;
}

/** Of the host document as it is now; null where that does not have it: the authority is asked without. */
async function secretOf(options: NamedAuthOptions, secretName: string): Promise<string | null> {
  const found = await findOccurrence(options);
  const credentials = found.ok ? await resolveFor(options, found.value.occurrence, found.value.host) : found;
  return credentials.ok ? (credentials.value.get(secretName)?.reveal() ?? null) : null;
}

interface Found {
  readonly occurrence: Occurrence;
  readonly host: LoadedHost;
}

async function findOccurrence(options: NamedAuthOptions): Promise<Outcome<Found>> {
  const host = await loadHostDocument(options);
  if (!host.ok) return host;
  const occurrence = findInstallation(host.value, options.name);
  return occurrence.ok ? success({ occurrence: occurrence.value, host: host.value }) : occurrence;
}

async function loadHostDocument({
  hostConfig,
  workingDirectory,
  documents,
}: NamedAuthOptions): Promise<Outcome<LoadedHost>> {
  const reader = createDocumentReader(documents, workingDirectory);
  if (hostConfig === null) {
    const declared = await findDeclaredHost(USUAL_PROJECT, workingDirectory);
    if (declared.ok && declared.value === 'declared') {
      const target = await loadNamedTarget({ document: USUAL_PROJECT, workingDirectory }, reader);
      if (!target.ok) return target;
      return existing(await loadNamedHost({ hostConfig: null, workingDirectory }, reader, target.value));
    }
  }
  return existing(await loadNamedHost({ hostConfig: hostConfig ?? USUAL_HOST, workingDirectory }, reader, null));
}

function existing(loaded: Outcome<LoadedHost | null>): Outcome<LoadedHost> {
  if (!loaded.ok) return loaded;
  return loaded.value === null ? failure(diagnostic('host_unavailable')) : success(loaded.value);
}

/** What proves the client of an installation, where it has a secret. */
async function resolveFor(
  { documents, workingDirectory, environmentFile: path, variables }: NamedAuthOptions,
  occurrence: Occurrence,
  host: LoadedHost,
) {
  const assigned = await prepareLocalEnvironment({
    occurrences: [occurrence],
    host: host.document,
    file: path === null ? null : () => loadEnvironmentFile(documents, workingDirectory, { kind: 'named', path }),
    authorize: [],
  });
  if (!assigned.ok) return assigned;
  const own = ownVariable(variables);
  const resolved = await resolveCredentials({
    occurrences: [occurrence],
    host,
    sources: {
      variable: (name) => (assigned.value.has(name) ? assigned.value.get(name) : own(name)),
      files: documents,
    },
  });
  return resolved.ok ? success(resolved.value.of(occurrence.provider)) : resolved;
}

function refusal(code: AuthorisationCode, alias: string): Diagnostic {
  return diagnostic(code, { subject: providerSubject(alias, 'authorization', null), providerActivity: true });
}

/** Throws on what is no fault of the store. */
function unavailable(error: unknown, alias: string | null): Failed {
  if (!(error instanceof UserGrantsError)) throw error;
  const subject = alias === null ? {} : { subject: providerSubject(alias, 'authorization', null) };
  return failure(diagnostic('authorization_unavailable', { ...subject, providerActivity: false }), {
    faults: explanationOf({ problem: error.problem }),
  });
}
