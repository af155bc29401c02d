import { randomFillSync } from 'node:crypto';
import { newRunReference } from '../../contract/run-reference.ts';
import type { Variables } from '../../system/configuration/configuration.ts';
import { setupRefusal } from '../session/profiles/refusal.ts';
import type { OpenBackend } from '../viewer/repl/backend.ts';
import { newRepl, type Repl } from '../viewer/repl/repl.ts';
import { openAnalysisSession } from '../session/analysis-session.ts';
import { machineBundleStore } from '../application/bundle-store.ts';
import { LOCAL_TENANT } from '../run/named-documents.ts';
import { thisMachine } from '../application/machine.ts';
import { isConfigurationFault } from '../../system/configuration/fault.ts';
import { startConfiguredSandbox, type StartedSandbox } from '../platform/start-sandbox.ts';

const PREVIEW_CHARACTERS = 2048;

/** What the session of a viewer's page is opened with (evidence.md §8, §11). */
export interface ViewerSessionOptions {
  /** Absolute. */
  readonly workingDirectory: string;
  /** Absolute; holds the sandbox and the libraries. */
  readonly programDirectory: string;
  readonly variables: Variables;
  /** Absolute: `traces` below it is captured. */
  readonly artifactRoot: string;
  readonly mutationNonce: string;
  readonly reportBug: (error: unknown) => void;
}

/** The session of a viewer's page over the public traces of its project; nothing is started before its first form. */
export function viewerSession(options: ViewerSessionOptions): Pick<Repl, keyof Repl> {
  const { programDirectory, variables, mutationNonce, reportBug } = options;
  let started: Promise<StartedSandbox> | null = null;
  const start = async (): Promise<StartedSandbox> => (started ??= startConfiguredSandbox(programDirectory, variables));
  const repl = newRepl({ open: openingOf(options, start), mutationNonce, now: () => performance.now(), reportBug });
  return {
    ...repl,
    close: async () => {
      await repl.close();
      const sandbox = await started?.then(
        (ready) => ready.sandbox,
        () => null,
      );
      await sandbox?.close();
    },
  };
}

function openingOf(
  { workingDirectory, programDirectory, variables, artifactRoot }: ViewerSessionOptions,
  start: () => Promise<StartedSandbox>,
): OpenBackend {
  return async (signal) => {
    try {
      const { sandbox, image, configuration } = await start();
      return await openAnalysisSession({
        ...thisMachine(programDirectory),
        workingDirectory,
        signal,
        variables,
        trustDomain: LOCAL_TENANT,
        sandbox: async () => sandbox,
        bundles: async () => machineBundleStore(image, configuration, variables),
        runRef: newRunReference((bytes) => {
          randomFillSync(bytes);
        }),
        profile: 'run-analysis-v1',
        project: null,
        resources: new Map([['traces', `${artifactRoot}/traces`]]),
        runs: [],
        traceDirectory: null,
        output: null,
        projection: 'json',
        previewCharacters: PREVIEW_CHARACTERS,
        showCode: false,
      });
    } catch (error) {
      if (isConfigurationFault(error)) return setupRefusal('profile_setup_failed', error.message, null);
      throw error;
    }
  };
}
