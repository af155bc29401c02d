import type { DiagnosticCode } from '../diagnostics/codes.ts';
import type { JsonText } from '../json/canonical.ts';
import type { CallRequest, CallSide, ServedCall } from './call.ts';
import type { CapabilityFacts } from './capability.ts';
import type { LocallyChecked, ProbeAnswer } from './checks.ts';
import type { Credentials } from './credentials.ts';
import type { ModelFacts } from './model.ts';
import type { Network } from './network.ts';
import type { FailureWords } from './provider-words.ts';

/**
 * What an adapter does for one source of providers (providers.md §3). The supervisor's row of that source makes
 * `Declaration`, plain data, from the installation and its selection; the adapter knows no document. Everything that is
 * given and answered is structured-cloneable but what an `AcquisitionContext` holds, sessions and running calls, which
 * stay in the supervisor's thread: there an adapter is a thin object that sends jobs to workers and hands their answers
 * on.
 *
 * | Stage | Member | May do |
 * |---|---|---|
 * | 4 local preflight | `checkLocally` | read files and configuration; no credential, process, network |
 * | 5f `doctor --connect` | `probe`, of sources that have one | one short request |
 * | 6 acquisition | `acquire` | anything |
 * | 7 execution | `ProviderSession.serve` | anything, behind the gate of each call |
 * | 8 cleanup | `ProviderSession.close` | end what it opened, and see it ended |
 *
 * Failures are answers. What rejects is a bug, reported as `provider_unavailable` or as a fault of the call.
 */
export interface ProviderAdapter<Declaration> {
  /** `signal` ends it: nobody hears its answer any more. Null: the source has no such check. */
  readonly checkLocally: ((declaration: Declaration, signal: AbortSignal) => Promise<LocallyChecked>) | null;
  /** Null: the source has none; its connectivity is that it can be acquired, or it has none at all. */
  readonly probe:
    | ((
        request: AcquisitionRequest<Declaration>,
        context: Omit<AcquisitionContext, 'dependencies'>,
      ) => Promise<ProbeAnswer>)
    | null;
  acquire(request: AcquisitionRequest<Declaration>, context: AcquisitionContext): Promise<AcquisitionAnswer>;
}

/** What an adapter is handed beside a request; it stays in the supervisor's thread. */
export interface AcquisitionContext {
  readonly credentials: Credentials;
  /** The way to servers, with the login of its proxy. */
  readonly network: Network;
  /** Sessions of the same run, opened before, that this one reads (the trace of an inspection snapshot). */
  readonly dependencies: readonly ProviderSession[];
  /** Aborted when the run stops: nobody waits for the answer any more, and a session that comes late is closed. */
  readonly signal: AbortSignal;
}

/** What an adapter is given to open a provider for one run. */
export interface AcquisitionRequest<Declaration> {
  readonly alias: string;
  readonly declaration: Declaration;
  /** Of the run's trace: what servers learn of a run is made of its digest (evidence.md §2). */
  readonly traceId: string;
  /** Limits of the run that an adapter must keep itself. */
  readonly limits: SessionLimits;
}

/** Limits of a run that an adapter keeps: bytes, words and milliseconds. */
export interface SessionLimits {
  /** `capability_argument_bytes`, `capability_result_bytes`. */
  readonly argumentBytes: number;
  readonly resultBytes: number;
  /** `provider_heap_words`, of 8 bytes: of each worker that serves a call. */
  readonly heapWords: number;
  /** `evaluation_timeout_ms`, which bounds each step of opening an MCP server (providers.md §7.7). */
  readonly evaluationTimeoutMs: number;
}

/** Codes of a refused acquisition (providers.md §3, table B). */
export const ACQUISITION_CODES = [
  'provider_unavailable',
  'provider_acquisition_timeout',
  'provider_endpoint_connection_refused',
  'provider_endpoint_name_unresolved',
  'provider_endpoint_tls_failed',
  'provider_protocol_error',
  'provider_protocol_version_unsupported',
  'provider_tool_missing',
  'provider_policy_changed',
  'authentication_rejected',
  'authorization_required',
  'authorization_unavailable',
  'environment_unavailable',
] as const satisfies readonly DiagnosticCode[];
/** Why a provider could not be opened, as a diagnostic reports it (interface.md §1.7). */
export type AcquisitionCode = (typeof ACQUISITION_CODES)[number];

/** Why a provider could not be opened. */
export interface AcquisitionRefusal {
  readonly code: AcquisitionCode;
  /** The upstream name that `provider_tool_missing` reports; null for every other code. */
  readonly tool: string | null;
  /** Whether provider-facing work was attempted; of codes that do not say so themselves. */
  readonly hasActivity: boolean;
  /** What people read about it below the failure, before credentials are taken out; absent: nothing. */
  readonly words?: FailureWords;
}

/** A provider that is open until it is closed, or why it could not be opened. */
export type AcquisitionAnswer =
  | { readonly ok: true; readonly session: ProviderSession }
  /** What was opened on the way is closed again. */
  | { readonly ok: false; readonly refusal: AcquisitionRefusal };

/** A run that an open provider is lent to. */
export interface SharingRun {
  /** Of its trace, as of an acquisition. */
  readonly traceId: string;
}

/** Of a session that is lent: anyone who opened it closes it. */
export const closesNothing = async (): Promise<void> => undefined;

/**
 * An opened provider. It lives in the supervisor's thread and may own sockets and children that outlive its workers.
 */
export interface ProviderSession {
  /**
   * In the order in which they are shown; names unique. A model has one, `MODEL_CAPABILITY` or `DECISION_CAPABILITY`,
   * with its own bounds.
   */
  readonly capabilities: readonly CapabilityFacts<JsonText>[];
  /** Of a model; null for every other source. */
  readonly model: ModelFacts | null;
  readonly snapshot: SnapshotFacts<JsonText>;
  /** Tools of its catalogue that it does not offer, since they are too many or cannot be used; absent: none. */
  readonly leftOut?: number;
  /** Whether provider-facing work was attempted to open it: a process, a connection, code of somebody else. */
  readonly hasActivity: boolean;
  /**
   * Settles when the session was lost, or is no longer what was declared, while it was open; else never. Calls that are
   * pending then end as faults (`provider_exit`) unless the adapter answers them itself at once, later ones are
   * refused, and a run that fails with such an error is reported as `provider_failed`; a later run acquires again.
   */
  readonly lost: Promise<void>;
  /**
   * Settles when what it speaks to came to its end: calls are answered so, and a later run acquires again. Null: it has
   * no end of its own.
   */
  readonly ended: Promise<void> | null;
  serve(request: CallRequest, side: CallSide): ServedCall;
  /**
   * The same open provider for one of the runs that share it: what is of one run alone is new, and its `close` closes
   * nothing. Null: it is of the run that it was opened for, and of no other.
   */
  readonly share: ((run: SharingRun) => ProviderSession) | null;
  /** Called once, after the last call ended. Rejects where an end could not be proved. */
  close(): Promise<void>;
}

/**
 * What `run-started` says about an opened provider beside its declaration (providers.md §2): hashes, counts and closed
 * words.
 */
export interface SnapshotFacts<Json> {
  /** An object; never endpoints, commands, paths, headers, credentials, upstream names or a server's text. */
  readonly acquisition: Json;
  /** Members of it that differ from one capture of the same content to the next, and are in no identity. */
  readonly unidentified: readonly string[];
  /** `sha256:` and 64 hex digits of what was captured or replayed; null where content has no identity. */
  readonly contentHash: string | null;
}
