import type {
  CapabilityCall,
  EnvironmentKind,
  GuestOutcome,
  GuestReply,
  GuestRequest,
  HeapFigure,
  LoadReply,
} from '../../contract/sandbox-protocol.ts';
import type { RequestTime } from './request-time.ts';

/**
 * All that the supervisor knows of the sandbox. `pool.ts` implements it with child processes; tests of the
 * supervisor use a fake. Implementations never throw for what a guest or a host does: that is a `GuestOutcome`.
 */
export interface Sandbox {
  /**
   * A fresh isolate in a host of this trust domain, perhaps still being made, or waiting for a process: its first
   * request need not wait for that, is given up at its own deadline, and reports if it could not be. Isolates of
   * different domains never share a process.
   */
  openIsolate(options: IsolateOptions): Promise<Isolate>;
  /**
   * Ends the hosts of a domain of which nothing further will be asked, with what is still in them; waits for their
   * deaths.
   */
  endDomain(domain: Pick<IsolateOptions, 'environment' | 'trustDomain'>): Promise<void>;
  /** Ends every host and waits for their deaths. */
  close(): Promise<void>;
}

export interface IsolateOptions {
  readonly environment: EnvironmentKind;
  /** Isolates share a process only with isolates of an equal domain: one tenant's workflows, one run's missions. */
  readonly trustDomain: string;
  /** 8-byte words beyond the idle baseline. */
  readonly heapWords: number;
  /**
   * Whose it is, where several share the sandbox: none of them can keep the others from processes and processors,
   * whatever it asks for. Absent or null: it is shared by nobody, and who asks may have all.
   */
  readonly tenant?: string | null;
}

/** A sandbox with a bound on its processes. */
export interface BoundedSandbox extends Sandbox {
  /**
   * When a tenant may ask again, milliseconds from now: as many of its isolates wait for a process as may. Null: it may
   * ask.
   */
  readonly retryAfterMs: (tenant: string | null) => number | null;
  /** What its processes hold now; 0 where the system does not report. */
  readonly residentBytes: () => number;
  /**
   * Ends the process that holds the most, with what runs in it, because there is no memory; does nothing where none is
   * in use.
   */
  endLargest(): void;
}

export interface RequestOptions {
  /** From now, milliseconds; at the deadline the isolate is ended, if need be with its host. */
  readonly timeoutMs: number;
  /** Absent: the machine's time, which always runs. */
  readonly time?: RequestTime;
  /** Answers capability calls: JSON text in, JSON text out. Absent: calls are refused. */
  readonly onCapabilityCall?: (call: CapabilityCall) => Promise<string>;
  /**
   * Takes the heap of its isolate, which comes with the reply; those of its branches do not. Must not throw.
   */
  readonly onHeap?: (heap: HeapFigure) => void;
  readonly signal?: AbortSignal;
  /** What `pmap` and `pcalls` of the program may have; absent, their branches run in the isolate itself. */
  readonly parallel?: ParallelOptions;
}

/** Parallel branches of one evaluation (runtime.md §8). */
export interface ParallelOptions {
  /** `parallel_timeout_ms`: of one outermost operation; those inside share what is left of it. */
  readonly timeoutMs: number;
  /** Of so many wanted slots of the run those that are free, taken at once. */
  readonly takeBranches: (wanted: number) => number;
  readonly releaseBranches: (count: number) => void;
}

/** What a load and the request after it came to. */
export type LoadedOutcome<T> =
  | { readonly attached: true; readonly outcome: GuestOutcome<T> }
  /** What the load came to; nothing was asked after it. */
  | { readonly attached: false; readonly outcome: GuestOutcome<Extract<LoadReply, { readonly status: 'refused' }>> };

export interface Isolate {
  /** One request at a time. */
  request<R extends GuestRequest>(request: R, options: RequestOptions): Promise<GuestOutcome<GuestReply<R>>>;
  /**
   * Attaches a compiled bundle and, if it could be attached, makes the request: one message, one turn, one deadline.
   */
  loadAndRequest<R extends GuestRequest>(
    code: string,
    request: R,
    options: RequestOptions,
  ): Promise<LoadedOutcome<GuestReply<R>>>;
  /** Whether it can take a request: it lives and runs none. */
  isUsable(): boolean;
  dispose(): Promise<void>;
}
