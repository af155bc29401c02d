import type { Failed, Outcome } from '../../contract/outcome.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { CustomInstallation } from '../providers/custom/installation.ts';
import type { ComponentSets } from '../documents/components/environments.ts';
import type { LibraryRegistry } from '../documents/components/libraries.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { FileSystem } from '../documents/file-system.ts';
import { loadHost, type LoadedHost } from '../documents/host/load.ts';
import type { AlternateInput } from '../documents/input/alternate.ts';
import type { LaterInput } from '../documents/input/choose.ts';
import type { Target } from '../documents/project/load.ts';
import { namedHost, type NamedDocuments } from '../documents/project/named.ts';
import type { Clock } from '../../system/clock.ts';
import type { Application } from '../application/preflight/application.ts';
import {
  loadExplainedApplication,
  loadExplainedComponents,
  loadExplainedPrograms,
  type CompiledApplication,
  type ExplainedRequest,
} from '../application/preflight/explained.ts';
import type { Occurrence } from '../providers/source/installed-provider.ts';
import type { CallAdmission } from '../providers/source/call-admission.ts';
import { NO_BUNDLE_STORE, type BundleStore } from '../application/preflight/bundle-store.ts';
import { systemCheckClocks } from '../application/preflight/check-budget.ts';
import { checkLocally, type LocalCheckRequest } from '../application/preflight/local-checks.ts';

export { LOCAL_TENANT } from '../platform/tenant.ts';

/** What every command that loads an application is given. */
export interface DocumentOptions extends NamedDocuments {
  /** Component override descriptor; null for none. */
  readonly override: string | null;
  /** The tenant whose application it is (supervisor/tenancy). */
  readonly trustDomain: string;
  readonly libraries: LibraryRegistry;
  /** Functions of the calling program, made by `defineCustomInstallation`; aliases unique, and none of the host's. */
  readonly custom?: readonly CustomInstallation[];
  /** Started by the caller, who also closes it. */
  readonly sandbox: () => Promise<Sandbox>;
  /** Bundles of earlier commands of the same tenant; absent: everything is compiled. */
  readonly bundles?: () => Promise<BundleStore>;
  readonly documents: FileSystem;
  /**
   * Variables of the process: of credentials that the host document takes from the environment, and of children that
   * inherit it.
   */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** The gate of live provider calls that all runs of the process share; absent: each has its own bounds alone. */
  readonly admission?: CallAdmission;
  /** Aborted with the name of a signal to stop the command (runtime.md §10). */
  readonly signal: AbortSignal;
}

/**
 * What a command says beside the documents: another input, whether the identity of its events is fixed, whether it
 * captures an inspection.
 */
export interface CommandFacts {
  readonly input: AlternateInput | LaterInput | null;
  readonly identityFixed: boolean;
  readonly inspectionCapture: boolean;
  /** Whether people read about faults of programs too, where something else is refused before them. */
  readonly explainsPrograms?: boolean;
  /** Absent: it does. */
  readonly readsHost?: false;
}

/** Steps 6 to 9 of runtime.md §1: the host before the application, whose faults it would hide. */
export async function loadNamed(
  options: DocumentOptions,
  reader: DocumentReader,
  target: Target,
  facts: CommandFacts,
): Promise<Outcome<Application>> {
  return loadExplainedApplication(await requestOf(options, reader, target, facts));
}

/** Steps 6 to 8: what is compiled, whatever it selects. */
export async function loadNamedPrograms(
  options: DocumentOptions,
  reader: DocumentReader,
  target: Target,
  facts: CommandFacts,
): Promise<Outcome<CompiledApplication>> {
  return loadExplainedPrograms(await requestOf(options, reader, target, facts));
}

/** Steps 6 and 7: components as they are installed, whatever else there is. */
export async function loadNamedComponents(
  options: DocumentOptions,
  reader: DocumentReader,
  target: Target,
  facts: CommandFacts,
): Promise<Outcome<ComponentSets>> {
  return loadExplainedComponents(await requestOf(options, reader, target, facts));
}

async function requestOf(
  options: DocumentOptions,
  reader: DocumentReader,
  target: Target,
  facts: CommandFacts,
): Promise<ExplainedRequest> {
  const name = facts.readsHost === false ? null : namedHost(target, options.hostConfig);
  const host = name === null ? null : await loadHost(reader, name);
  if (host?.ok !== false) return explainedRequest(options, reader, target, { ...facts, host: host?.value ?? null });
  return { ...explainedRequest(options, reader, target, { ...facts, host: null }), refusedHost: host };
}

/** Steps 7 to 9. */
export async function loadWithHost(
  options: DocumentOptions,
  reader: DocumentReader,
  target: Target,
  facts: CommandFacts & { readonly host: LoadedHost | null },
): Promise<Outcome<Application>> {
  return loadExplainedApplication(explainedRequest(options, reader, target, facts));
}

function explainedRequest(
  { workingDirectory, libraries, override, trustDomain, custom, clock, signal, sandbox, bundles }: DocumentOptions,
  reader: DocumentReader,
  { manifest }: Target,
  facts: CommandFacts & { readonly host: LoadedHost | null },
): ExplainedRequest {
  return {
    explainsPrograms: false,
    readsHost: true,
    ...facts,
    refusedHost: null,
    compiler: async () => ({ sandbox: await sandbox(), store: (await bundles?.()) ?? NO_BUNDLE_STORE }),
    reader,
    workingDirectory,
    manifest,
    libraries,
    override,
    trustDomain,
    ...(custom === undefined ? {} : { custom }),
    now: () => clock.monotonic(),
    signal,
  };
}

/** What the audited checks take of a command. `signal` stops them. */
export type LocalCheckOptions = Pick<DocumentOptions, 'trustDomain' | 'admission' | 'variables' | 'signal'>;

/**
 * The audited local checks: step 13 of a run; `validate` ends with those that read declared documents only (runtime.md
 * §1).
 */
export async function checkProvidersLocally(
  options: LocalCheckOptions,
  reader: DocumentReader,
  application: Application,
  command: 'run' | 'validate',
  isChecked: (occurrence: Occurrence) => boolean = () => true,
): Promise<Failed | null> {
  const request = localCheckRequest(options, reader, application);
  return request === null
    ? null
    : checkLocally({
        ...request,
        occurrences: request.occurrences.filter(isChecked),
        declarationsAlone: command === 'validate',
      });
}

/** All audited checks of an application; null without a host document, which alone has sources that have one. */
export function localCheckRequest(
  { trustDomain, admission, signal, variables }: LocalCheckOptions,
  reader: DocumentReader,
  { providers, limits, hostDirectory }: Application,
): LocalCheckRequest | null {
  if (hostDirectory === null) return null;
  return {
    reader,
    hostDirectory,
    occurrences: [...providers.workflow, ...providers.mission],
    timeoutMs: limits.values.local_preflight_timeout_ms,
    limits: limits.values,
    tenant: trustDomain,
    admission: admission ?? null,
    clocks: systemCheckClocks,
    stop: signal,
    variable: ownVariable(variables),
    declarationsAlone: false,
  };
}

/** Of an object, and of Node's own, members of its prototype are no variables. */
export function ownVariable(variables: DocumentOptions['variables']): (name: string) => string | undefined {
  return (name) => (Object.hasOwn(variables, name) ? variables[name] : undefined);
}
