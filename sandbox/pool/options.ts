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
}
