import type { RunReference } from '../../../contract/run-reference.ts';
import type { WrittenLimits } from '../../../contract/limits/effective.ts';
import type { RunPlace } from '../../calls/approvals/leased-place.ts';
import type { RunEffect } from '../stores/interface.ts';

/** One run as an engine delivers it (gateway.md §19). Holds no secret. */
export interface Job {
  readonly runRef: RunReference;
  readonly tenant: string;
  /** Share of the tenant among those that wait, 1 to 100. */
  readonly weight: number;
  /** DIGEST of what runs. */
  readonly applicationDigest: string;
  /** The input itself up to 65,536 bytes as JSON, else its place in the artifact store; null without one. */
  readonly inputRef: JobInput | null;
  /** DIGEST of all that was asked: the same name with another is refused. */
  readonly requestHash: string;
  /** Milliseconds since 1970 by the clock of the database; null without one. */
  readonly deadline: number | null;
  readonly limits: JobLimits;
  readonly terms: JobTerms;
}

/** `stored`: in the artifact store, as `input.json` of the run and its attempt 0, with its SHA-256 as 64 hex digits. */
export type JobInput =
  | { readonly kind: 'inline'; readonly json: string }
  | { readonly kind: 'stored'; readonly sha256: string };

/** How one run is made, beside its input. */
export interface JobTerms {
  readonly inputClass: 'normal' | 'private';
  /** What the run leaves in the runner's artifact store; null: what its project asks for. */
  readonly artifacts: { readonly trace: boolean; readonly inspection: boolean; readonly result: boolean } | null;
  /** Lower values than the application has. */
  readonly limits: WrittenLimits;
  /** Whose grants the run uses; absent: the tenant's own. */
  readonly principal?: string;
  /** Place of the caller in its own trace; absent: it said nothing of one. */
  readonly traceparent?: string;
}

/** What one run may have. */
export interface JobLimits {
  /** Runs of its tenant at once, over all runners. */
  readonly maxRuns: number;
  /** Whether a run that only read before its runner was lost may be started once more. */
  readonly rerunDispatched: boolean;
}

/** What a client asks for. */
export interface JobRequest {
  /** A name that the caller chose, so that it may ask again; a new one by default. */
  readonly runRef?: string;
  readonly tenant: string;
  /** Whose grants the run uses: a person of the tenant in 1 to 256 characters; the tenant itself by default. */
  readonly principal?: string;
  /**
   * Place of the caller in its own trace (W3C Trace Context, version 00): the trace and the spans of the run name it.
   */
  readonly traceparent?: string;
  /** `contentDigest` of the application; `svc runner` reports it when it starts. */
  readonly applicationDigest: string;
  /**
   * Plain JSON data, an object; or the bytes of a JSON document, which keep every number. 65,536 bytes at most; the
   * application's own by default.
   */
  readonly input?: Readonly<Record<string, unknown>> | Uint8Array;
  /** `private` makes the run private; `normal` by default. */
  readonly inputClass?: 'normal' | 'private';
  /** What the run leaves in the artifact store of its runner; what its project asks for by default. */
  readonly artifacts?: { readonly trace?: boolean; readonly inspection?: boolean; readonly result?: boolean };
  /** Lower values than the application has; wider ones end the run as `input_invalid`. */
  readonly runLimits?: WrittenLimits;
  /** Share among tenants, 1 to 100; 1 by default. */
  readonly weight?: number;
  /** Milliseconds since 1970 by the clock of the database. */
  readonly deadline?: number;
  readonly limits?: Partial<JobLimits>;
}

/** How a run ended, as its runner reports it. */
export interface Settle {
  readonly state: 'finished' | 'cancelled';
  /** What is kept: an envelope (version 5), or the refusal of a run that did not begin. At most 1 MiB as JSON. */
  readonly envelope: unknown;
}

/** The right to perform one run, for one attempt and for as long as it is extended. */
export interface Lease {
  readonly job: Job;
  /** Counts from 1; also the epoch under which artifacts are stored. */
  readonly attempt: number;
  /**
   * Milliseconds until the deadline of the job when the run was taken, by the clock of the database; null without one.
   */
  readonly deadlineMs: number | null;
  /** What earlier attempts spent or may have spent, as they noted it (`{ tokens, microusd }`); null at the first. */
  readonly spent: unknown;
  /** True while the run is ours. The worker extends by itself; a runner that asks gets the same answer. */
  extend(): Promise<boolean>;
  /**
   * Before the first call that leaves the process (`dispatched`) and before the first that may write (`write_open`):
   * true where it may go out. Later ones are answered without the database while the lease is known to live.
   */
  gate(effect: Exclude<RunEffect, 'none'>): Promise<boolean>;
  /** Notes what was spent so far, for an attempt after this one; false where the run is no longer ours. */
  note(spent: unknown): Promise<boolean>;
  /**
   * Given up while the run waits for a person (approvals.md §9): then it counts among the runs of neither its worker
   * nor its tenant.
   */
  readonly place: RunPlace;
  /** Aborted with a LeaseEnd when the run is to be stopped. */
  readonly signal: AbortSignal;
}

/** Why a lease ended under a run: somebody cancelled it, it could not be extended in time, or the worker is closing. */
export type LeaseEnd = 'cancelled' | 'lease_lost' | 'closing';

export interface WorkOptions {
  /** Runs at once, 1 or more. */
  readonly slots: number;
  /** Digest of the only application whose runs it takes; left out: those that `serves` names, or all. */
  readonly applicationDigest?: string;
  /**
   * What it takes runs of now, asked for each claim; a run of another application stays for another worker. Left out:
   * all.
   */
  readonly serves?: () => readonly Served[];
}

/** An application whose runs a worker takes. */
export interface Served {
  readonly applicationDigest: string;
  /** The only tenant whose runs of it are taken; left out: any. */
  readonly tenant?: string;
}

/** Takes runs until it is closed. */
export interface Worker {
  /**
   * Takes no more, gives those that run `graceMs` and then aborts them with `closing`; resolves when all have ended.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Delivers runs to runners, on one machine or many (gateway.md §19). A run is performed by one worker at a time, and at
 * most one of them opens the gate of writes or writes the record of how it ended.
 */
export interface JobEngine {
  /** `duplicate`: that run was asked for before, alike. `conflict`: that name was asked for something else. */
  enqueue(job: Job): Promise<'accepted' | 'duplicate' | 'conflict'>;
  /** A handler that throws leaves its run to the reaper, as a runner that dies would. */
  work(options: WorkOptions, handle: (lease: Lease) => Promise<Settle>): Worker;
  /** Idempotent. `queued`: it has ended without having started. `signalled`: its runner will be informed. */
  cancel(runRef: RunReference): Promise<'queued' | 'signalled' | 'finished' | 'unknown'>;
  close(): Promise<void>;
}
