import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import { loadConfiguration } from '../../supervisor/config/configuration.ts';
import type { Configuration } from '../../supervisor/config/settings.ts';
import { imageStamp } from '../../supervisor/preflight/bundle-cache/image-stamp.ts';
import type { GuestImageFile } from '../../supervisor/preflight/bundle-cache/guest-image.ts';
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
  /** What its hosts are started from; rejects like `sandbox`. */
  readonly origin: () => Promise<SandboxOrigin>;
  /** Ends every host; does nothing when none was started. */
  readonly close: () => Promise<void>;
}

export interface SandboxOrigin {
  readonly configuration: Configuration;
  readonly image: GuestImageFile;
}

interface Started extends SandboxOrigin {
  readonly sandbox: Sandbox;
}

const NOT_STARTED = async (): Promise<never> => Promise.reject(new Error('this command has no sandbox'));

/** For commands that evaluate nothing. */
export const NO_SANDBOX: EarlySandbox = {
  sandbox: NOT_STARTED,
  origin: NOT_STARTED,
  close: async () => undefined,
};

/**
 * Starts the first host, so that it boots while the rest of the program is still loading (architecture.md §1.9).
 * Resolves as soon as the host's process exists, and never rejects: a start that failed is told to whoever asks for
 * the sandbox. To load anything else before that would put off the fork by the time that takes.
 */
export async function startSandboxEarly(programDirectory: string, environment: Environment): Promise<EarlySandbox> {
  const starting = start(programDirectory, environment);
  const started = await starting.catch(() => null);
  return {
    sandbox: async () => (await starting).sandbox,
    origin: async () => starting,
    close: async () => { await started?.sandbox.close(); },
  };
}

async function start(programDirectory: string, environment: Environment): Promise<Started> {
  const loaded = await loadConfiguration(environment);
  if (!loaded.ok) throw new ConfigurationFault(loaded.message);
  const { runtimeDirectory, isolatesPerHost } = loaded.configuration;
  const directory = runtimeDirectory ?? programDirectory;
  const { startSandbox } = await import('../../sandbox/pool/pool.ts');
  const path = join(directory, GUEST_IMAGE);
  const image = { path, stamp: imageStamp(path) };
  const sandbox = startSandbox({
    hostScript: join(directory, HOST_SCRIPT),
    guestImage: path,
    readableFolders: [directory],
    isolatesPerHost,
  });
  return { sandbox, image, configuration: loaded.configuration };
}
