import type { HostDocument } from './fields.ts';

export interface LoadedHost {
  /** Canonical directory of the host file: what its relative paths start from. */
  readonly directory: string;
  readonly document: HostDocument;
}
