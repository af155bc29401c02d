import type { EnvironmentKind, HeapFigure } from '../../contract/sandbox-protocol.ts';

/**
 * Every message between the supervisor and a sandbox host: `ToHost` in one direction, `FromHost` in the other, and
 * nothing else. codec.ts says how they travel. A host is hostile, so that what it sends is read by codec.ts alone, and
 * whether a message may come at this moment is for the reader to say.
 */

/** What the supervisor asks of a host. Each question is answered once; none fails but by an answer. */
export type Question = OpenIsolate | MakeRequest | AskHeapUse | DisposeIsolate;

/**
 * Make an isolate for an environment of this kind, under this name: `opened` or `ended`. Requests of it may follow at
 * once.
 */
export interface OpenIsolate {
  readonly type: 'open';
  readonly isolate: string;
  readonly environment: EnvironmentKind;
  /** 8-byte words beyond the idle baseline. */
  readonly heapWords: number;
}

/** Hand one request to the guest: `replied`, `not_loaded` or `ended`. One at a time for each isolate. */
export interface MakeRequest {
  readonly type: 'request';
  readonly isolate: string;
  /** A whole number; the isolate ends itself when it is over. */
  readonly timeoutMs: number;
  /** A load request, as JSON, which the guest gets first; empty: none. */
  readonly load: string;
  /** The request, as JSON. */
  readonly text: string;
  /** Whether the reply is to say what the heap holds after it, which takes the isolate's thread once more. */
  readonly wantsHeap: boolean;
}

/** Say how full an isolate is that runs nothing: `heap_use`. */
export interface AskHeapUse {
  readonly type: 'heap_use';
  readonly isolate: string;
}

/** End an isolate: `disposed`, once its thread has let go of it. */
export interface DisposeIsolate {
  readonly type: 'dispose';
  readonly isolate: string;
}

/** What a capability call came to. */
export interface CapabilityAnswer {
  readonly type: 'call_answer';
  readonly isolate: string;
  /** As the guest reads it: `CARRIED` and the result, or `REFUSED`. */
  readonly answer: string;
}

/** Supervisor to host. `id`: counts the questions to this host, from 1. */
export type ToHost = (Question & { readonly id: number }) | CapabilityAnswer;

/** What a host answers. */
export type Answer = Opened | Replied | NotLoaded | Ended | HeapUse | Disposed;

/** The isolate is made. */
export interface Opened {
  readonly type: 'opened';
}

/** The guest replied. */
export interface Replied {
  readonly type: 'replied';
  /** JSON, unread. */
  readonly text: string;
  /** After it; null: not asked for, or the isolate ended meanwhile. */
  readonly heap: HeapFigure | null;
}

/** The bundle that came with the request was not attached. */
export interface NotLoaded {
  readonly type: 'not_loaded';
  readonly load: Replied | Ended;
}

/** The isolate has ended, or could not be made. */
export interface Ended {
  readonly type: 'ended';
  readonly ending: Ending;
}

/** Percent of its heap limit that an isolate uses, garbage included. */
export interface HeapUse {
  readonly type: 'heap_use';
  readonly percent: number;
}

/** The isolate is gone. */
export interface Disposed {
  readonly type: 'disposed';
}

/** A capability call of an isolate that runs. Its thread stands still meanwhile, so that it has one open at most. */
export interface CapabilityCall {
  readonly type: 'call';
  readonly isolate: string;
  /** `MAX_NAME_LENGTH` UTF-16 units at most. */
  readonly name: string;
  /** One unit more than `MAX_ARGUMENTS_LENGTH` at most. */
  readonly argumentsText: string;
}

/** Host to supervisor. `id`: that of the question. */
export type FromHost = (Answer & { readonly id: number }) | CapabilityCall;

/** An answer to a question that is none of these. Who asked decides what a host is worth that gives it. */
export interface Unreadable {
  readonly type: 'unreadable';
}

/** First character of an answer that holds a capability's result (sandbox/guest/bridge.ts reads it too). */
export const CARRIED = '+';
export const REFUSED = '-';

/** How an isolate ended inside a host that still answers. */
export const ENDINGS = {
  /** The deadline passed; the isolate is stopped. */
  timeout: 'timeout',
  /** Its heap limit was reached; the isolate is stopped. */
  memory: 'memory',
  /**
   * V8 gave up on the isolate for want of memory: its thread never comes back, and its memory only with the host's end.
   */
  memoryFatal: 'memory-fatal',
  /** The isolate does not stop; the host can only be killed. */
  stuck: 'stuck',
  /** It was disposed of, by the supervisor. */
  disposed: 'disposed',
  /** The guest threw instead of answering. */
  broken: 'broken',
  /** There is no guest to make it with: the image cannot be read, or is none. */
  noImage: 'no-image',
} as const;

export type Ending = (typeof ENDINGS)[keyof typeof ENDINGS];

/** UTF-16 units of a capability's name: runtime.md §5 allows 128 bytes; more is no name. */
export const MAX_NAME_LENGTH = 128;

/**
 * Longest argument text that is carried whole: the ceiling of `capability_argument_bytes` (documents.md §5). A longer
 * one is over every limit; it is cut one character beyond, so that the supervisor sees and says so.
 */
export const MAX_ARGUMENTS_LENGTH = 4_000_000;
