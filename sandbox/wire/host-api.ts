/**
 * What the supervisor may call. Every argument and answer is a text; the last argument is the long one. No method ever
 * rejects: what goes wrong in an isolate is an answer.
 */

/** Exposed by the host, called by the supervisor. */
export interface HostApi {
  /**
   * Makes an isolate for an environment of this kind; `heapWords` are 8-byte words beyond the idle baseline. Answers
   * `OPENED` or an `Ending`.
   */
  open(isolate: string, environment: string, heapWords: string): Promise<string>;
  /**
   * Hands one request to the guest: what follows the first `loadLength` units of the text, which are a load request
   * that is handed over before. Answers `REPLIED` and the guest's text, or an `Ending` of the isolate; after
   * `NOT_LOADED` what the load came to, when the bundle was not attached.
   */
  request(isolate: string, timeoutMs: string, loadLength: string, text: string): Promise<string>;
  /** Answers how many percent of its heap limit an isolate uses that runs nothing, garbage included. */
  heapUse(isolate: string): Promise<string>;
  /** Ends an isolate; answers (empty text) once its thread has let go of it. */
  dispose(isolate: string): Promise<string>;
}

export const HOST_METHODS: readonly string[] = [
  'open',
  'request',
  'heapUse',
  'dispose',
] satisfies readonly (keyof HostApi)[];

export const OPENED = 'opened';
/** First character of an answer that holds the guest's reply. */
export const REPLIED = 'r';
/** First character of an answer that holds what a load came to that attached nothing. */
export const NOT_LOADED = 'l';
/** First character of an answer that holds a capability's result. */
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

/** An answer read back, or null for a text that is none. */
export function parseEnding(answer: string): Ending | null {
  return Object.values(ENDINGS).find((ending) => ending === answer) ?? null;
}

/** Bytes of a capability's name: runtime.md §5 allows 128; more is no name. */
export const MAX_NAME_LENGTH = 128;

/**
 * Longest argument text that is carried whole: the ceiling of `capability_argument_bytes` (documents.md §5). A longer
 * one is over every limit; it is cut one character beyond, so that the supervisor sees and says so.
 */
export const MAX_ARGUMENTS_LENGTH = 4_000_000;
