import { randomFillSync } from 'node:crypto';
import { join } from 'node:path';
import type { RunReference } from '../../contract/run-reference.ts';
import { newRunReference } from '../../contract/run-reference.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import { startSandbox } from '../../sandbox/pool/pool.ts';
import type { CustomInstallation } from '../custom/installation.ts';
import { nodeFileSystem as documentFiles } from '../documents/file-system.ts';
import { systemClock } from '../evidence/clock.ts';
import { shippedLibraries } from '../libraries/shipped.ts';
import { memoryBundleStore } from '../preflight/memory-bundle-store.ts';
import { nodeFileSystem } from '../publication/node-file-system.ts';
import { processOwnerProbe } from '../publication/owner.ts';
import type { ExplicitDestinations } from '../run/destinations.ts';
import { runStarts } from './run-starts.ts';
import { runApplication } from './run.ts';
import type { RunReport } from './run.ts';
import { validateApplication } from './validate.ts';
import type { ValidateReport } from './validate.ts';

export { defineCustomInstallation } from '../custom/define.ts';
export type { CustomCapabilitySpec, CustomInstallationSpec } from '../custom/define.ts';
export type { CustomFunction, CustomInstallation, CustomOpen } from '../custom/installation.ts';
export { acquisitionFailure, notDispatched, providerError } from '../custom/outcome.ts';

export interface EmbeddingOptions {
  /** Absolute folder of the built program: host script, guest image and libraries. */
  readonly programDirectory: string;
  /** Isolates that one host process holds at most; 64 by default. */
  readonly isolatesPerHost?: number;
}

export interface EmbeddedRequest {
  /** Manifest or project document, from the working directory unless absolute. */
  readonly document: string;
  /** Absolute; that of the process by default. */
  readonly workingDirectory?: string;
  /** Host document that replaces the project's; none by default. */
  readonly hostConfig?: string;
  /** Functions that the application may select. */
  readonly custom?: readonly CustomInstallation[];
  /** Aborted to stop, with the name of a signal as its reason. */
  readonly signal?: AbortSignal;
}

export interface EmbeddedRun extends EmbeddedRequest {
  /** An input file that replaces the declared one. */
  readonly input?: { readonly path: string; readonly dataClass: 'normal' | 'private' };
  /** Absolute paths of artifacts beside those of the project. */
  readonly destinations?: Partial<ExplicitDestinations>;
}

/** Runs and validates applications inside another program, with one sandbox for all of them. */
export interface Embedding {
  /** Never rejects; runs may overlap. */
  run(request: EmbeddedRun): Promise<RunReport & { readonly runRef: RunReference }>;
  validate(request: EmbeddedRequest): Promise<ValidateReport>;
  /** Ends the sandbox; runs that still go on lose their isolates. */
  close(): Promise<void>;
}

const ISOLATES_PER_HOST = 64;
const NO_DESTINATIONS: ExplicitDestinations = { traceDirectory: null, inspection: null, output: null, privateOutput: null };
/** Credentials of an embedding program are its own matter. */
const NO_ENVIRONMENT = { environmentFile: null, authorize: [] };

/** Starts the sandbox of an embedding program (docs/custom-capabilities.md). */
export function openEmbedding({ programDirectory, isolatesPerHost = ISOLATES_PER_HOST }: EmbeddingOptions): Embedding {
  const sandbox = startSandbox({
    hostScript: join(programDirectory, 'sandbox-host.cjs'),
    guestImage: join(programDirectory, 'guest.snapshot'),
    readableFolders: [programDirectory],
    isolatesPerHost,
  });
  const starts = runStarts(sandbox);
  const bundles = memoryBundleStore();
  const libraries = shippedLibraries(join(programDirectory, 'libraries'));
  const documentOptions = ({ document, workingDirectory = process.cwd(), hostConfig, custom, signal = new AbortController().signal }: EmbeddedRequest, own: Sandbox) => ({
    runRef: newRunReference(randomFillSync),
    workingDirectory,
    document,
    hostConfig: hostConfig ?? null,
    override: null,
    libraries,
    bundles: async () => bundles,
    sandbox: async () => own,
    documents: documentFiles,
    clock: systemClock,
    signal,
    ...(custom === undefined ? {} : { custom }),
    ...NO_ENVIRONMENT,
  });
  return {
    run: (request) => starts.begin(async (own) => {
      const options = documentOptions(request, own);
      const report = await runApplication({
        ...options,
        input: request.input ?? null,
        destinations: { ...NO_DESTINATIONS, ...request.destinations },
        publication: { fileSystem: nodeFileSystem(), owners: processOwnerProbe(), wallClock: Date.now },
        onEvaluated: () => undefined,
      });
      return { ...report, runRef: options.runRef };
    }),
    validate: (request) => starts.begin((own) => validateApplication(documentOptions(request, own))),
    close: () => sandbox.close(),
  };
}
