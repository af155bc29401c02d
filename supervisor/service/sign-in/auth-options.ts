import type { FileSystem } from '../../documents/file-system.ts';
import type { Variables } from '../../../system/configuration/configuration.ts';

/** What `svc auth` is asked. */
export interface AuthOptions {
  /** Of the process. */
  readonly variables: Variables;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly documents: FileSystem;
  /** Null: that of `svc-project.json` in the working directory, else `svc-host.json` there. */
  readonly hostConfig: string | null;
  readonly environmentFile: string | null;
  /** Aborted when the user asks to stop. */
  readonly signal: AbortSignal;
}

/** Of one installation. */
export interface NamedAuthOptions extends AuthOptions {
  /** Alias of the installation. */
  readonly name: string;
}
