import { findConfinement } from '../../sandbox/pool/confinement.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import { loadConfiguration, type Variables } from '../../system/configuration/configuration.ts';
import { ConfigurationFault } from '../../system/configuration/fault.ts';
import type { Configuration } from '../../system/configuration/settings.ts';
import { imageStamp, type GuestImageFile } from './image-stamp.ts';
import { sandboxFiles } from './program-folder.ts';

export type { Sandbox } from '../../sandbox/pool/interface.ts';

/** A sandbox whose hosts can be started, and what it was started with. */
export interface StartedSandbox {
  readonly sandbox: Sandbox;
  readonly configuration: Configuration;
  /** What its hosts are started from. */
  readonly image: GuestImageFile;
}

/**
 * Starts the sandbox of a program as this process is configured, and its first host; resolves as soon as that host's
 * process exists. `programDirectory` is absolute. Rejects with `ConfigurationFault` for a setting that breaks its rule.
 */
export async function startConfiguredSandbox(programDirectory: string, variables: Variables): Promise<StartedSandbox> {
  const loaded = await loadConfiguration(variables);
  if (!loaded.ok) throw new ConfigurationFault(loaded.message);
  const { runtimeDirectory, isolatesPerHost } = loaded.configuration;
  const files = sandboxFiles(runtimeDirectory ?? programDirectory);
  // Tried while the rest is loaded.
  const finding = findConfinement(files.readableFolders);
  const { startSandbox } = await import('../../sandbox/pool/pool.ts');
  const image = { path: files.guestImage, stamp: imageStamp(files.guestImage) };
  const { start } = await finding;
  return {
    sandbox: startSandbox({ ...files, isolatesPerHost, ...(start === null ? {} : { confinement: start }) }),
    image,
    configuration: loaded.configuration,
  };
}
