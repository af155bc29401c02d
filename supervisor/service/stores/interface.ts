import type { RunReference } from '../../../contract/run-reference.ts';

export { StoreError } from './store-error.ts';
export type { StoreFault } from './store-error.ts';

/** Where a credential is wanted; none of it is secret. */
export interface SecretQuery {
  readonly tenant: string;
  /** Name of the binding in the host document. */
  readonly binding: string;
  readonly installation: string;
  /** What it is wanted for, in one word of the host document. */
  readonly purpose: string;
}

/** A credential as a store gives it. */
export interface Secret {
  readonly value: string;
  /** Milliseconds since 1970; not used from then on. Absent: until the provider is asked again. */
  readonly expiresAt?: number;
  /** Changes with the value. */
  readonly version: string;
}

/** Credentials of tenants (gateway.md §16). Rejects for what it does not have; `resolveSecret` bounds and judges it. */
export interface SecretProvider {
  resolve(query: SecretQuery): Promise<Secret>;
}

/** What one artifact is of: its parts are in the name it is kept under, tenant first. */
export interface ArtifactKey {
  readonly tenant: string;
  readonly runRef: RunReference;
  /** Which attempt at the run, 0 where there is one only. */
  readonly epoch: number;
  /** File name: 1 to 128 letters, digits, dots, dashes and underscores, no dot first. */
  readonly name: string;
}

/** What is known of an artifact before it is written. */
export interface ArtifactMeta {
  readonly dataClass: 'normal' | 'private';
  /** Media type. */
  readonly contentType: string;
}

/** What is known of an artifact that was committed. */
export interface StoredArtifact {
  readonly key: ArtifactKey;
  /** Where it lies, in the words of its store. */
  readonly uri: string;
  readonly bytes: number;
  /** SHA-256 as 64 hex digits. */
  readonly sha256: string;
}

/** A place that was taken for one artifact: `commit` or `abort` gives it back, and one of them must be called. */
export interface ArtifactReservation {
  readonly key: ArtifactKey;
}

/**
 * Artifacts of runs (gateway.md §16). What was committed is readable right after, checksummed, and never replaced.
 * Calls reject with StoreError.
 */
export interface ArtifactStore {
  reserve(key: ArtifactKey, meta: ArtifactMeta): Promise<ArtifactReservation>;
  /** Once for each reservation, all of the content. */
  write(reservation: ArtifactReservation, stream: AsyncIterable<Uint8Array>): Promise<void>;
  commit(reservation: ArtifactReservation): Promise<CommitOutcome>;
  /** None of it stays. Does nothing for a reservation that has ended. */
  abort(reservation: ArtifactReservation): Promise<void>;
  /** Null where there is none. The content is checked while it is read: the last part rejects with `damaged`. */
  read(key: ArtifactKey): Promise<AsyncIterable<Uint8Array> | null>;
  /** Committed artifacts of a tenant, or of one of its runs, in the order of their names. */
  list(prefix: { readonly tenant: string; readonly runRef?: RunReference }): AsyncIterable<ArtifactKey>;
  /** Where an artifact of that key lies, or would, in the words of this store. */
  uri(key: ArtifactKey): string;
  /** Does nothing where there is none. */
  remove(key: ArtifactKey): Promise<void>;
}

/** `exists`: somebody committed that key first, and what he committed is unchanged. */
export type CommitOutcome =
  | { readonly outcome: 'committed'; readonly stored: StoredArtifact }
  | { readonly outcome: 'exists' };

/** States of a run in the journal of all runs (gateway.md §19). */
export const RUN_ROW_STATES = ['accepted', 'claimed', 'running', 'finished', 'cancelled', 'lost'] as const;
/** One of these states. */
export type RunRowState = (typeof RUN_ROW_STATES)[number];

/**
 * How far its effects may have gone: nothing left the process, something was asked outside, a write may have happened.
 */
export const RUN_EFFECTS = ['none', 'dispatched', 'write_open'] as const;
/** How far, in one of these words. */
export type RunEffect = (typeof RUN_EFFECTS)[number];

/** Where a run is; a change names the position that it starts from. */
export interface RunPosition {
  readonly state: RunRowState;
  readonly effect: RunEffect;
}

/** What is known of a run before it starts. */
export interface NewRun {
  readonly runRef: RunReference;
  readonly tenant: string;
  /** DIGEST of what was asked: the same name with another is a conflict. */
  readonly requestHash: string;
}

/** A run as a journal has it. */
export interface RunRecord extends NewRun, RunPosition {
  /** Which attempt at the run; 0 before the first claim. */
  readonly epoch: number;
  /** The envelope (version 5) of a run that ended; null before, and of one that was cancelled before it began. */
  readonly envelope: unknown;
}

/** What a change makes of a run: its position and, at the end, its envelope. */
export interface RunChange extends RunPosition {
  readonly envelope?: unknown;
}

/** Which runs of a journal are asked for. */
export interface RunScan {
  readonly tenant?: string;
  readonly states?: readonly RunRowState[];
  /** Runs behind this one, in the order of their names. */
  readonly after?: RunReference;
  /** At most so many, 1 to 1,000. */
  readonly limit: number;
}

/** The record of all runs (gateway.md §16, §19). Rejects with StoreError. */
export interface RunJournal {
  /** `same`: that run is there, asked alike. `conflict`: it is there and was asked something else. */
  create(run: NewRun): Promise<'new' | 'same' | 'conflict'>;
  /**
   * Changes a run that is at this epoch and position, and nothing else; false where it is not (any more). From
   * `accepted` to
   * `claimed` the epoch grows by one. Throws TypeError for a change that no run can make.
   */
  cas(runRef: RunReference, epoch: number, from: RunPosition, to: RunChange): Promise<boolean>;
  get(runRef: RunReference): Promise<RunRecord | null>;
  scan(query: RunScan): Promise<readonly RunRecord[]>;
}
