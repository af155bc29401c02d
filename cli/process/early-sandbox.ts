import { startConfiguredSandbox, type Sandbox, type StartedSandbox } from '../../supervisor/platform/start-sandbox.ts';
import type { Variables } from './variables.ts';

export interface EarlySandbox {
  /** The sandbox; rejects with `ConfigurationFault` for a setting that breaks its rule. */
  readonly sandbox: () => Promise<Sandbox>;
  /** What its hosts are started from; rejects like `sandbox`. */
  readonly origin: () => Promise<Pick<StartedSandbox, 'configuration' | 'image'>>;
  /** Ends every host; does nothing when none was started. */
  readonly close: () => Promise<void>;
}

const NOT_STARTED = async (): Promise<never> => Promise.reject(new Error('this command has no sandbox'));

/** For commands that evaluate nothing. */
export const NO_SANDBOX: EarlySandbox = {
  sandbox: NOT_STARTED,
  origin: NOT_STARTED,
  close: async () => undefined,
};

/**
 * Starts the first host, so that it boots while the rest of the program is still loading (design.md §1.9). Resolves as
 * soon as the host's process exists, and never rejects: a start that failed is reported to the person who asks for the
 * sandbox. To load anything else before that would put off the fork by the time that takes.
 */
export async function startSandboxEarly(programDirectory: string, variables: Variables): Promise<EarlySandbox> {
  const starting = startConfiguredSandbox(programDirectory, variables);
  const started = await starting.catch(() => null);
  return {
    sandbox: async () => (await starting).sandbox,
    origin: async () => starting,
    close: async () => {
      await started?.sandbox.close();
    },
  };
}
