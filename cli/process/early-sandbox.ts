import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import { loadConfiguration } from '../../supervisor/config/configuration.ts';
import type { Environment } from '../streams/styling.ts';

/** Files that the build puts beside the program. */
const HOST_SCRIPT = 'sandbox-host.cjs';
const GUEST_IMAGE = 'guest.snapshot';

/** The process could not be set up as its environment asks; the message names variables and rules only. */
export class ConfigurationFault extends Error {
  override readonly name = 'ConfigurationFault';
}

/** By name: what starts the sandbox and what meets the fault are built into files of their own, with a class each. */
export function isConfigurationFault(error: unknown): error is ConfigurationFault {
  return error instanceof Error && error.name === 'ConfigurationFault';
}

export interface EarlySandbox {
  /** The sandbox; rejects with `ConfigurationFault` for a setting that breaks its rule. */
  readonly sandbox: () => Promise<Sandbox>;
  /** Ends every host; does nothing when none was started. */
  readonly close: () => Promise<void>;
}

/** For commands that evaluate nothing. */
export const NO_SANDBOX: EarlySandbox = {
  sandbox: async () => Promise.reject(new Error('this command has no sandbox')),
  close: async () => undefined,
};

/**
 * Starts the first host, so that it boots while the rest of the program is still loading (architecture.md §1.9).
 * Resolves as soon as the host's process exists, and never rejects: a start that failed is told to whoever asks for
 * the sandbox. To load anything else before that would put off the fork by the time that takes.
 */
export async function startSandboxEarly(programDirectory: string, environment: Environment): Promise<EarlySandbox> {
  const starting = start(programDirectory, environment);
  const sandbox = await starting.catch(() => null);
  return {
    sandbox: async () => starting,
    close: async () => { await sandbox?.close(); },
  };
}

async function start(programDirectory: string, environment: Environment): Promise<Sandbox> {
  const loaded = await loadConfiguration(environment);
  if (!loaded.ok) throw new ConfigurationFault(loaded.message);
  const { runtimeDirectory, isolatesPerHost } = loaded.configuration;
  const directory = runtimeDirectory ?? programDirectory;
  const { startSandbox } = await import('../../sandbox/pool/pool.ts');
  return startSandbox({
    hostScript: join(directory, HOST_SCRIPT),
    guestImage: join(directory, GUEST_IMAGE),
    readableFolders: [directory],
    isolatesPerHost,
  });
}
