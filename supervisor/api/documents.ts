import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { CustomInstallation } from '../custom/installation.ts';
import type { LibraryRegistry } from '../documents/components/libraries.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { Explanation } from '../documents/explain/explanation.ts';
import { explainRefusal } from '../documents/explain/read-again.ts';
import type { FileSystem } from '../documents/file-system.ts';
import { loadHost } from '../documents/host/load.ts';
import type { AlternateInput } from '../documents/input/choose.ts';
import type { Target } from '../documents/project/load.ts';
import type { DocumentName } from '../documents/target.ts';
import type { Clock } from '../evidence/clock.ts';
import { loadApplication } from '../preflight/application.ts';
import type { Application } from '../preflight/application.ts';
import { NO_BUNDLE_STORE } from '../preflight/bundle-store.ts';
import type { BundleStore } from '../preflight/bundle-store.ts';
import type { LocalRefusal } from '../preflight/local-check.ts';
import { checkReplayFixtures } from '../preflight/replay-fixtures.ts';
import type { ProjectArtifacts } from '../run/destinations.ts';

/** One person's own workflows, on their own machine. */
export const TRUST_DOMAIN = 'local';

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
  readonly libraries: LibraryRegistry;
  /** Functions of the calling program, made by `defineCustomInstallation`; aliases unique, and none of the host's. */
  readonly custom?: readonly CustomInstallation[];
  /** Started by the caller, who also closes it. */
  readonly sandbox: () => Promise<Sandbox>;
  /** Bundles of earlier commands; absent: everything is compiled. */
  readonly bundles?: () => Promise<BundleStore>;
  readonly documents: FileSystem;
  readonly clock: Clock;
  /** Aborted with the name of a signal to stop the command (runtime.md §10). */
  readonly signal: AbortSignal;
}

export interface CommandFacts {
  readonly input: AlternateInput | null;
  readonly identityFixed: boolean;
  readonly inspectionCapture: boolean;
}

/** Steps 6 to 9 of runtime.md §1: the host before the application, whose faults it would hide. */
export async function loadNamed(options: DocumentOptions, reader: DocumentReader, target: Target, facts: CommandFacts): Promise<Outcome<Application>> {
  const name = namedHost(target, options.hostConfig);
  const host = name === null ? success(null) : await loadHost(reader, name);
  if (!host.ok) return host;
  return loadApplication({
    ...facts,
    reader,
    workingDirectory: options.workingDirectory,
    manifest: target.manifest,
    host: host.value,
    libraries: options.libraries,
    override: options.override,
    sandbox: await options.sandbox(),
    store: (await options.bundles?.()) ?? NO_BUNDLE_STORE,
    trustDomain: TRUST_DOMAIN,
    ...(options.custom === undefined ? {} : { custom: options.custom }),
    now: () => options.clock.monotonic(),
    signal: options.signal,
  });
}

/** Of all local checks the one that reads declared documents only: step 13 of a run, the last one of validate (runtime.md §1). */
export async function checkFixtures(options: DocumentOptions, reader: DocumentReader, application: Application): Promise<LocalRefusal | null> {
  const { providers, limits, hostDirectory } = application;
  if (hostDirectory === null) return null;
  return checkReplayFixtures({
    reader,
    hostDirectory,
    occurrences: [...providers.workflow, ...providers.mission],
    timeoutMs: limits.values.local_preflight_timeout_ms,
    now: () => options.clock.monotonic(),
  });
}

/** The place of a document fault, for people; null for faults of no place (documents.md §14). */
export async function explainFault(
  options: DocumentOptions, reader: DocumentReader, target: Outcome<Target>, error: Diagnostic, input: AlternateInput | null,
): Promise<Explanation | null> {
  const { document, override, workingDirectory } = options;
  return explainRefusal(reader, error, {
    document,
    override,
    workingDirectory,
    input: input?.dataClass === 'normal' ? input.path : null,
    manifest: target.ok ? target.value.manifest : null,
    host: target.ok ? namedHost(target.value, options.hostConfig) : null,
  });
}

/** The host of a command: the one it names, else the project's, else none (documents.md §6, "Precedence"). */
function namedHost(target: Target, hostConfig: string | null): DocumentName | null {
  if (hostConfig !== null) return { kind: 'named', path: hostConfig };
  return target.kind === 'project' ? target.host : null;
}

/** What a project asks to be written, below its own directory; null for a manifest, or a project that asks nothing. */
export function projectArtifacts(target: Target): ProjectArtifacts | null {
  if (target.kind === 'application') return null;
  const { directory, document } = target.project;
  if (document.artifacts === undefined) return null;
  const { root, trace, inspection, result, envelope } = document.artifacts;
  return { root: `${directory === '/' ? '' : directory}/${root}`, trace, inspection, result, envelope };
}
