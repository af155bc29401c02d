import type { ConfinedStart } from './confinement.ts';
import type { PoolListener } from './pool-event.ts';

/** Where a sandbox finds its host program, and how much it lets one process hold. */
export interface SandboxOptions {
  /** Absolute path of the host's script. */
  readonly hostScript: string;
  /** Absolute path of the guest image that `buildSnapshot` made. */
  readonly guestImage: string;
  /** Absolute folders whose files a host may read: its script, its packages, the guest image. */
  readonly readableFolders: readonly string[];
  /** Isolates that one process holds at most, 1 or more; a further one gets a further process. */
  readonly isolatesPerHost: number;
  /** Processes at most, `LEAST_HOSTS` or more; 64 by default. Half of them at most are for workflows. */
  readonly hosts?: number;
  /** How hosts are confined (confinement.ts); not at all by default. */
  readonly confinement?: ConfinedStart;
  /** Called with what happens to the processes. */
  readonly onEvent?: PoolListener;
  /** Whose limits hosts get; absent: those of this machine. */
  readonly platform?: NodeJS.Platform;
}
