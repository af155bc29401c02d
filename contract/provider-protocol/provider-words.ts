/** What happened on the way to a provider, or what it said of it (world.md §1.5, §2.4). */
export interface FailureWords {
  readonly said: string;
  /** The end of what a child wrote on its standard error; absent where it wrote nothing, or is none. */
  readonly stderr?: StderrEnd;
  /** The setting by which a call had no more time; absent where something else failed. */
  readonly late?: LateCall;
}

/** A call that had no answer in time, by the setting that gave it the time. */
export interface LateCall {
  readonly setting: 'llm_request_timeout_ms' | 'request_timeout_ms' | 'timeout_ms';
  readonly ms: number;
}

/** At most `STDERR_END_BYTES` of it. */
export interface StderrEnd {
  readonly text: string;
  /** Whether something was before it. */
  readonly isTruncated: boolean;
}

/** Bytes that people are shown of the standard error of a server that did not start, or died (world.md §2.4). */
export const STDERR_END_BYTES = 2048;

/** The same, of the provider under an alias. No credential is in it. */
export interface ProviderWords extends FailureWords {
  readonly alias: string;
}
