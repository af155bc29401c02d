import type { JsonText } from '../json/canonical.ts';
import type { SerializedJson } from '../json/serialized.ts';
import type { OutputLimit } from './model.ts';
import type { FailureWords } from './provider-words.ts';
import type { ProviderOutcome, ProviderReason } from './outcome.ts';

/**
 * One call of a capability, between the supervisor and the provider that serves it (runtime.md §5, steps 11 to 14).
 *
 * 1. The supervisor calls `serve(request, side)` when quota, slot and budget are reserved. The provider prepares: it
 *    connects and builds the request, and nothing that a server could act on leaves.
 * 2. The provider asks `await side.openGate()`, once, right before the first byte that could have an effect. The
 *    supervisor answers.
 * 3. On true the provider sends. On false it sends nothing and ends with proof `not_dispatched`.
 * 4. The supervisor calls `cancel()` at the deadline, when the caller is gone or the run is closed, and after a grace
 *    `kill()`. The provider stops and ends with what it has.
 * 5. The provider gives its `answer`, once. The supervisor counts, settles and records.
 *
 * The gate is a message and not a permission to read: between `true` and the send nothing is asked again, and a call
 * whose gate was opened counts as sent, whatever happens to the provider. Only `proof` says otherwise.
 *
 * **From another thread.** `CallRequest` and `CallAnswer` are structured-cloneable. One port carries a call: the
 * supervisor's thread does `Comlink.expose(side, here)` and posts the other end with the request; the worker does
 * `Comlink.wrap<CallSide>(there)`. Comlink lets both ends do both on one port, so `cancel` goes the other way on the
 * same one. `kill` ends the worker. Secrets travel with the job, as text, to the worker that serves it
 * (credentials.ts).
 */
export interface CallRequest {
  /** Name of the call in trace and inspection. */
  readonly capabilityId: string;
  /** The capability's own name. */
  readonly name: string;
  /** A JSON object that its schema admitted; of a model call without `model`. */
  readonly arguments: JsonText;
  /** Milliseconds until the supervisor gives the call up. */
  readonly deadlineMs: number;
  /** Canonical bytes of a result; reading stops beyond them (`too_large`). */
  readonly resultBytes: number;
  /** Of a call of `MODEL_CAPABILITY` or `DECISION_CAPABILITY`; null for every other one. */
  readonly model: ModelCall | null;
  /** Whether the messages of the call are kept for a private inspection; else `exchanges` stays empty. */
  readonly keepsExchanges: boolean;
}

/** What a call of a model brings beside its request. */
export interface ModelCall {
  /** Replay key: `sha256:` and 64 hex digits of the canonical request without `model` (providers.md §6). */
  readonly requestHash: string;
  /** What to send as `max_tokens` and to say about it; null for a model that is not live. */
  readonly outputLimit: OutputLimit | null;
  /**
   * What to send in a second try where a reasoning model spent the first one on thought alone (providers.md §5.4);
   * absent or null where no larger limit is reserved.
   */
  readonly largerLimit?: OutputLimit | null;
}

/** What a provider may ask of the supervisor while it serves one call. */
export interface CallSide {
  /** Whether the call may be sent, from now on. Answered once: a second question has the answer of the first. */
  openGate(): Promise<boolean>;
}

/** A call that is being served, in the supervisor's thread. */
export interface ServedCall {
  /** Settles once. A rejection is a bug of the adapter, and reported as a fault. */
  readonly answer: Promise<CallAnswer>;
  /** Asks it to stop. Nothing follows from it but an earlier answer. */
  cancel(): void;
  /** Ends what did not heed; settles when nothing of the call can reach the run, or the world, any more. */
  kill(): Promise<void>;
}

/**
 * What a call came to, in text, since it crosses threads; a provider of the supervisor's own thread may give the value
 * with its text.
 */
export interface CallAnswer {
  readonly outcome: ProviderOutcome<JsonText | SerializedJson>;
  /** Of an MCP call, in the order of their ids. */
  readonly exchanges: readonly Exchange<JsonText>[];
  /** Of a call that may be tried again, in order; absent: its provider does not count them. */
  readonly attempts?: readonly Attempt[];
  /** What people read about a failure, before credentials are taken out; absent: what the attempts say. */
  readonly words?: FailureWords;
}

/** One attempt of a call (world.md §1.4, §1.5): for private inspection, and for people where the run is normal. */
export interface Attempt {
  /** How it ended: `ok` with a status of success, whatever came of the answer. */
  readonly outcome: 'ok' | ProviderReason;
  /** Of HTTP; null where none came. */
  readonly status: number | null;
  /**
   * What the vendor said, or what happened on the way. The adapter leaves at most 1024 characters, and no credential
   * that it knows; the supervisor cuts it only when the others are out of it too.
   */
  readonly said: string | null;
  /** Milliseconds that were waited before it. */
  readonly waitedMs: number;
  /** What it costs: nothing, as long as no answer can have been made; all that was reserved; what the answer says. */
  readonly charge: 'none' | 'reserved' | 'reported';
}

/** Characters of what an attempt said that people and inspection are given. */
const SAID_LENGTH_MAX = 512;

/** What was said, cut to its bound: of a text without credentials. */
export function cutSaid(said: string): string {
  return Array.from(said).slice(0, SAID_LENGTH_MAX).join('');
}

/** One message of an MCP call and its answer, for private inspection (evidence.md §6, mcp-request). */
export interface Exchange<Json> {
  readonly transport: 'stdio' | 'streamable_http';
  /** JSON-RPC id, from 1. */
  readonly requestId: number;
  /** The JSON-RPC bodies; no header is ever among them. The response is null where none came. */
  readonly request: Json;
  readonly response: Json | null;
  /** What the child wrote on stderr meanwhile, at most 1,048,576 bytes; null where it wrote nothing. */
  readonly stderr: { readonly text: string; readonly isTruncated: boolean } | null;
}
