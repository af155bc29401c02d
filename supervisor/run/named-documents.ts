import { success, type Failed, type Outcome } from '../../contract/outcome.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { CustomInstallation } from '../providers/custom/installation.ts';
import { sourceNames } from '../documents/components/source-name.ts';
import type { LibraryRegistry } from '../documents/components/libraries.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import { findTargetDocument } from '../documents/explain/sought.ts';
import type { FileSystem } from '../documents/file-system.ts';
import { loadHost, type LoadedHost } from '../documents/host/load.ts';
import type { AlternateInput } from '../documents/input/alternate.ts';
import type { Target } from '../documents/project/load.ts';
import type { DocumentName } from '../documents/target.ts';
import type { Clock } from '../platform/clock.ts';
import { loadApplication, type Application } from '../application/preflight/application.ts';
import type { Occurrence } from '../providers/source/installed-provider.ts';
import type { CallAdmission } from '../providers/source/call-admission.ts';
import { NO_BUNDLE_STORE, type BundleStore } from '../application/preflight/bundle-store.ts';
import { systemCheckClocks } from '../application/preflight/check-budget.ts';
import { checkLocally, type LocalCheckRequest, type LocalRefusal } from '../application/preflight/local-checks.ts';
import { compileBundles } from '../application/preflight/bundles.ts';
import { explainRefusal } from '../application/preflight/survey.ts';
import type { CompilePrograms } from '../application/preflight/survey-programs.ts';
import { NO_ADVICE, type Advice } from './advice.ts';
import type { ProjectArtifacts } from './destinations.ts';

export { LOCAL_TENANT } from '../platform/tenant.ts';

/** What every command that loads an application is given. */
export interface DocumentOptions {
  /** Absolute. */
  readonly workingDirectory: string;
  /** Manifest or project document, from the working directory unless absolute. */
  readonly document: string;
  /** Host document that replaces the project's; null leaves the project's. */
  readonly hostConfig: string | null;
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
  readonly input: AlternateInput | null;
  readonly identityFixed: boolean;
  readonly inspectionCapture: boolean;
}

/** Steps 6 to 9 of runtime.md §1: the host before the application, whose faults it would hide. */
export async function loadNamed(
  options: DocumentOptions,
  reader: DocumentReader,
  target: Target,
  facts: CommandFacts,
): Promise<Outcome<Application>> {
  const host = await loadNamedHost(options.hostConfig, reader, target);
  return host.ok ? loadWithHost(options, reader, target, { ...facts, host: host.value }) : host;
}

/** Step 6: the host of a command; null where none is named. */
export async function loadNamedHost(
  hostConfig: string | null,
  reader: DocumentReader,
  target: Target | null,
): Promise<Outcome<LoadedHost | null>> {
  const name = namedHost(target, hostConfig);
  return name === null ? success(null) : loadHost(reader, name);
}

/** Steps 7 to 9. */
export async function loadWithHost(
  options: DocumentOptions,
  reader: DocumentReader,
  target: Target,
  facts: CommandFacts & { readonly host: LoadedHost | null },
): Promise<Outcome<Application>> {
  return loadApplication({
    ...facts,
    reader,
    workingDirectory: options.workingDirectory,
    manifest: target.manifest,
    libraries: options.libraries,
    override: options.override,
    sandbox: await options.sandbox(),
    store: (await options.bundles?.()) ?? NO_BUNDLE_STORE,
    trustDomain: options.trustDomain,
    ...(options.custom === undefined ? {} : { custom: options.custom }),
    now: () => options.clock.monotonic(),
    signal: options.signal,
  });
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
): Promise<LocalRefusal | null> {
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

/** What a command says beside the documents that were refused. */
export interface RefusalFacts {
  readonly input: AlternateInput | null;
  /** Whether people are told of faults of programs too, which nothing was compiled for yet. */
  readonly compiles: boolean;
}

/** What people are told of a refusal of the documents, beside its diagnostic (documents.md §14). */
export async function explainDocumentRefusal(
  options: DocumentOptions,
  reader: DocumentReader,
  target: Outcome<Target>,
  refused: Failed,
  { input, compiles }: RefusalFacts,
): Promise<Advice> {
  const { document, override, workingDirectory, libraries, custom = [] } = options;
  const manifest = target.ok ? target.value.manifest : null;
  const host = target.ok ? namedHost(target.value, options.hostConfig) : null;
  const compile = compiles ? compilerOf(options) : null;
  const faults = await explainRefusal(reader, refused, {
    document,
    override,
    workingDirectory,
    input,
    manifest,
    host,
    libraries,
    custom,
    compile,
  });
  return { ...NO_ADVICE, faults, sought: findTargetDocument(refused.diagnostic, { manifest, host, input }) };
}

/**
 * For an explanation alone: what keeps programs from being compiled is told by the next command, when nothing else is
 * wrong.
 */
function compilerOf(options: DocumentOptions): CompilePrograms {
  return async (environments, directory) => {
    const sandbox = await options.sandbox().catch(() => null);
    return sandbox === null
      ? null
      : compileBundles({
          ...environments,
          sandbox,
          libraries: options.libraries,
          store: (await options.bundles?.()) ?? NO_BUNDLE_STORE,
          trustDomain: options.trustDomain,
          nameSource: sourceNames(directory, options.workingDirectory),
          now: () => options.clock.monotonic(),
          signal: options.signal,
        });
  };
}

/** What a command names that reads no application. */
export type NamedHost = Pick<DocumentOptions, 'workingDirectory' | 'hostConfig'> & { readonly document: string | null };

/**
 * The same of a command that reads project and host alone, or came no further. `target`: null where it names no
 * document.
 */
export async function explainHostRefusal(
  { document, hostConfig, workingDirectory }: NamedHost,
  reader: DocumentReader,
  target: Outcome<Target> | null,
  refused: Failed,
): Promise<Advice> {
  const host = target?.ok === false ? null : namedHost(target?.value ?? null, hostConfig);
  const faults = await explainRefusal(reader, refused, {
    document,
    override: null,
    workingDirectory,
    input: null,
    manifest: null,
    host,
    libraries: new Map(),
    custom: [],
    compile: null,
  });
  return {
    ...NO_ADVICE,
    faults,
    sought: findTargetDocument(refused.diagnostic, { manifest: null, host, input: null }),
  };
}

/** The host of a command: the one it names, else the project's, else none (documents.md §6, "Precedence"). */
export function namedHost(target: Target | null, hostConfig: string | null): DocumentName | null {
  if (hostConfig !== null) return { kind: 'named', path: hostConfig };
  return target?.kind === 'project' ? target.host : null;
}

/** What a project asks to be written, below its own directory; null for a manifest, or a project that asks nothing. */
export function projectArtifacts(target: Target): ProjectArtifacts | null {
  if (target.kind === 'application') return null;
  const { directory, document } = target.project;
  if (document.artifacts === undefined) return null;
  const { root, trace, inspection, result, envelope } = document.artifacts;
  return { root: `${directory === '/' ? '' : directory}/${root}`, trace, inspection, result, envelope };
}
