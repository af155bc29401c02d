import { randomFillSync } from 'node:crypto';
import { newRunReference } from '../../../contract/run-reference.ts';
import { isConfigurationFault } from '../../../system/configuration/fault.ts';
import { openAnalysisSession, type AnalysisSessionOptions } from '../../session/analysis-session.ts';
import { setupRefusal } from '../../session/profiles/refusal.ts';
import type { OpenBackend } from './backend.ts';

const PREVIEW_CHARACTERS = 2048;

/** What the session of a page takes of this machine; the sandbox is not asked for before the first form. */
export type SessionMachine = Pick<
  AnalysisSessionOptions,
  'libraries' | 'sandbox' | 'bundles' | 'documents' | 'trustDomain' | 'clock' | 'variables' | 'workingDirectory'
>;

/** Opens sessions over the public traces below an artifact root, which is absolute (evidence.md §8, §11). */
export function openingOver(artifactRoot: string, machine: SessionMachine): OpenBackend {
  return async (signal) => {
    try {
      const sandbox = await machine.sandbox();
      return await openAnalysisSession({
        ...machine,
        sandbox: async () => sandbox,
        signal,
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
