/** What an embedding program gets of a run, be it of an application or of a program (gateway.md §16). */

/** Why nothing ran. */
export type RefusalCode =
  | 'tenant_unknown'
  /** As many of the tenant wait as may, or its share of the day is spent. */
  | 'tenant_quota'
  | 'queue_full'
  /** Fewer than 50 ms are left until the deadline. */
  | 'deadline_unreachable'
  | 'draining'
  | 'unavailable'
  /** The application is not one of this supervisor. */
  | 'prepared_stale'
  /** A run of this name goes on, or has gone on. */
  | 'run_ref_conflict'
  | 'input_invalid';

/** What a run may have done to the world. */
export type RunEffects = 'none' | 'read' | 'write_possible' | 'indeterminate';
/** Whether the same run may be made again. */
export type RetryAdvice = 'safe' | 'after_fix' | 'no' | 'unsafe';

/** One file that a run left. */
export interface RunArtifact {
  readonly kind: 'trace' | 'inspection' | 'result';
  readonly uri: string;
  readonly bytes: number;
  /** 64 hex digits. */
  readonly sha256: string;
}
