import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { Variables } from '../../system/configuration/configuration.ts';
import { startConfiguredSandbox, type StartedSandbox } from '../platform/start-sandbox.ts';
import { machineBundleStore, type BundleStore } from './bundle-store.ts';

/** A sandbox that starts when somebody first asks for it; what asks rejects with `ConfigurationFault`. */
export interface LazySandbox {
  readonly sandbox: () => Promise<Sandbox>;
  readonly bundles: () => Promise<BundleStore>;
  /** Ends every host; does nothing when none was started. */
  readonly close: () => Promise<void>;
}

/** That of the program in `programDirectory` (absolute), as this process is configured. */
export function openLazySandbox(programDirectory: string, variables: Variables): LazySandbox {
  let starting: Promise<StartedSandbox> | null = null;
  const start = async (): Promise<StartedSandbox> => (starting ??= startConfiguredSandbox(programDirectory, variables));
  return {
    sandbox: async () => (await start()).sandbox,
    bundles: async () => {
      const { image, configuration } = await start();
      return machineBundleStore(image, configuration, variables);
    },
    close: async () => {
      const started = await starting?.catch(() => null);
      await started?.sandbox.close();
    },
  };
}
