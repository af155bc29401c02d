import type { Effect } from './effect.ts';

/**
 * The words that the supervisor, a sandbox host and the guest inside an isolate exchange.
 *
 * Everything crosses as text: the supervisor sends one `GuestRequest` as JSON, the guest answers with one reply
 * as JSON, and a capability call made while the guest runs is a `CapabilityCall` answered by JSON text.
 * Program values inside these messages are canonical JSON text of their own (integer/float class is kept).
 */

/** Isolates of the two kinds never share a process (design.md §1.2). */
export type EnvironmentKind = 'workflow' | 'mission';

/** A part of a text in UTF-8 bytes: from `start_byte`, up to but not with `end_byte`. */
export interface ByteSpan {
  readonly start_byte: number;
  readonly end_byte: number;
}

/** A component as it is compiled: its text, and what it builds on. */
export interface ComponentSource {
  readonly id: string;
  readonly source: string;
  /** Ids of components of the same set, sorted by bytes and unique. */
  readonly dependencies: readonly string[];
  /** What the build compiled of it; of another compiler it counts as absent. */
  readonly ready?: string;
}

/** Compile a closed set of components into one bundle (language.md §13). Runs no initialiser with an effect. */
export interface CompileRequest {
  readonly operation: 'compile';
  readonly environment: EnvironmentKind;
  readonly components: readonly ComponentSource[];
}

/** What a compiled set says about one public name. */
export interface ExportFact {
  /** Qualified public name, `namespace/name`. */
  readonly ref: string;
  readonly kind: 'function' | 'constant';
  /** Fixed parameter counts that are accepted, ascending. */
  readonly arities: readonly number[];
  /** Least argument count of a variadic arity, null without one. */
  readonly variadic_from: number | null;
  /** Sorted names of reachable tools, written `tool:<name>`. */
  readonly requirements: readonly string[];
  /** Join over what is reachable (language.md §13, "Effects"). */
  readonly effect: Effect;
  /** What the export itself declares; absent or null when it declares nothing. */
  readonly declared_effect?: Effect | null;
  readonly visibility: 'prompt' | 'discoverable';
  readonly doc: string | null;
  /** Canonical text of a declared signature, or of a constant's type; absent or null without one (language.md §15). */
  readonly contract?: string | null;
}

/** A namespace of a bundle and what it says of itself. */
export interface NamespaceFact {
  readonly name: string;
  /** Id of the component that declares it. */
  readonly component: string;
  readonly doc: string | null;
}

/** Reasons are the compile reasons of language.md §13 and §17. */
export interface CompileFault {
  readonly reason: string;
  readonly message: string;
  /** Id of the component at fault; null for faults of the set or of dynamic source. */
  readonly component: string | null;
  readonly span: ByteSpan | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Compiled JavaScript with the facts of its exports, or why there is none. */
export type CompileReply =
  | {
      readonly status: 'compiled';
      readonly code: string;
      readonly exports: readonly ExportFact[];
      /** In the order of their declaration. */
      readonly namespaces?: readonly NamespaceFact[];
    }
  /**
   * `faults`: all that could be found in the components, that of the refusal among them; absent where nothing more is
   * known.
   */
  | { readonly status: 'refused'; readonly fault: CompileFault; readonly faults?: readonly CompileFault[] };

/** Attach a compiled bundle (the `code` of a compile reply) to the isolate; runs its initialisers. */
export interface LoadRequest {
  readonly operation: 'load';
  readonly code: string;
}

/** Whether an isolate holds a compiled bundle now. */
export type LoadReply = { readonly status: 'loaded' } | { readonly status: 'refused'; readonly fault: CompileFault };

/** Evaluate one program against the loaded bundle. */
export interface EvaluateRequest {
  readonly operation: 'evaluate';
  readonly environment: EnvironmentKind;
  readonly source: string;
  /** `data/<name>` grants: name to JSON text. */
  readonly data: Readonly<Record<string, string>>;
  /** Names callable as `tool/<name>`. */
  readonly tools: readonly string[];
  /** `recur` jumps of one loop activation; null is off. */
  readonly loop_iterations: number | null;
  /** How the final value leaves: the JSON boundary (language.md §19), `pr-str` text or a bounded preview (§18). */
  readonly projection: 'json' | 'printed' | 'preview';
  /** Length of a preview in UTF-16 units, notice included; absent: that of language.md §18. */
  readonly preview_characters?: number;
  /**
   * Characters of the text that shows value and prints to a model (agent-library.md §8). A plain value is then shown
   * and not projected; absent: no such text is made.
   */
  readonly observation_characters?: number;
  /** Whether the reply carries the generated code. */
  readonly show_code?: boolean;
  /**
   * What the program goes on from. Absent or `living`: from what this isolate holds, where earlier evaluations were
   * kept; null: from nothing, in a fresh isolate; texts: from these, in a fresh isolate.
   */
  readonly continuation?: Resumption;
  /**
   * With it a success is kept only within these limits, and the reply carries the continuation. Without it, as `living`
   * scratch.
   */
  readonly commit?: CommitLimits;
  /**
   * With `commit`, for a person who types: a success is kept in this isolate even where it cannot be written down (the
   * reply is then without `continuation`), and a failure puts back what it changed, so that the isolate is of use
   * whatever comes of it.
   */
  readonly keeps_isolate?: boolean;
  /**
   * Whether the asker has the definitions that the program goes on from and need not be sent them again as they were.
   */
  readonly omits_unchanged?: boolean;
  /** For a person who types: `*e` is the last error, and a failure becomes the next one. Without it `*e` is no name. */
  readonly last_error?: LastError;
  /** For a person who types: what earlier forms required. A success answers with what is required after it. */
  readonly required?: RequiredNames;
  /** Whether `pmap` and `pcalls` may ask for isolates; the pool sets it. */
  readonly branches?: boolean;
}

/**
 * What `*e` is: what the isolate holds; nothing; or an error of which only the message is left, as its isolate is lost.
 */
export type LastError = 'living' | null | { readonly message: string };

/** What `require` gave the forms after it: namespaces, by alias and by the name that is referred to. */
export interface RequiredNames {
  readonly aliases: Readonly<Record<string, string>>;
  readonly refers: Readonly<Record<string, string>>;
}

/** Aliases, and names referred to, that a session may have at a time: each so many. */
export const MOST_REQUIRED_NAMES = 1024;

/** From what an evaluation goes on: texts, in a fresh isolate; nothing, in a fresh isolate; what the isolate holds. */
export type Resumption = Continuation | null | 'living';

/**
 * What a mission keeps between evaluations (language.md §12), as a guest wrote it. The protocol:
 *
 * 1. A mission's first evaluation asks a fresh isolate (its bundle loaded) with `continuation: null`, a later one a
 *    fresh isolate with the texts of the last reply, or the isolate that gave them, still alive, with `living`. All
 *    need `commit`.
 * 2. `continued` and `returned` replies carry `continuation`: the texts to keep and their sizes. History has at most
 *    three texts, newest first; `returned` leaves it was. Nothing else changes what is kept.
 * 3. With `commit_refusal` instead, the value is valid but nothing was kept. An isolate whose last reply to a request
 *    with `commit` had no `continuation` is of no further use: it does not put back what the program changed.
 * 4. Values that belong to their evaluation (a transient, a reducing function under way) make it an `evaluation_error`
 *    with reason `value_error`. A text that no guest wrote makes it one with reason `continuation_invalid`.
 *
 * The texts are one: history builds on the definitions and on the history before it, so that what they share stays
 * shared. They are deterministic, and a restored continuation is written again as the same bytes.
 */
export interface Continuation {
  readonly definitions: string;
  readonly history: readonly string[];
}

/** UTF-8 bytes that the texts may have: what a run's limits leave to this mission beside all others (runtime.md §4). */
export interface CommitLimits {
  readonly memory_bytes: number;
  /** For all values of the history together, and so for each alone. */
  readonly history_bytes: number;
}

/** What a mission goes on from, and its sizes. */
export interface StoredContinuation extends Continuation {
  /** With it `definitions` is empty, and those that the program went on from hold: `omits_unchanged` asked for it. */
  readonly is_unchanged?: boolean;
  readonly defined_count: number;
  readonly history_count: number;
  /** UTF-8 bytes of `definitions`, and of all of `history`. */
  readonly memory_bytes: number;
  readonly history_bytes: number;
}

/** Compiles one program against the state of a mission and runs none of it (runtime.md §6, `kernel-check-source`). */
export interface CheckRequest {
  readonly operation: 'check';
  readonly source: string;
  readonly tools: readonly string[];
  /** Names of the granted `data/<name>`. */
  readonly data: readonly string[];
  /** Demands exactly one top-level `return` or `fail`. */
  readonly terminal: boolean;
  /**
   * As in `EvaluateRequest`: the definitions that the source may name. An evaluation may go on from them as `living`.
   */
  readonly continuation?: Resumption;
}

/** Whether a program would compile (runtime.md §4). */
export type CheckReply = { readonly status: 'valid' } | { readonly status: 'invalid'; readonly fault: EvaluationFault };

/** What a model is shown of a value and of what was printed on the way. */
export interface Observation {
  /** At most the characters that were asked for. */
  readonly text: string;
  readonly value_truncated: boolean;
  readonly prints_truncated: boolean;
  /** Of items, depth, nodes, string, output, prints; in this order. */
  readonly caps_hit: readonly string[];
  /** Printed keys of the first map in a value that was cut. */
  readonly sampled_keys: readonly string[];
}

/** An export that a program names. */
export interface PreludeCall {
  readonly ref: string;
  readonly component_id: string;
}

/** Whether a text is ready to be evaluated (cli.md §11, line loop); runs nothing. */
export interface ReadRequest {
  readonly operation: 'read';
  readonly source: string;
}

/** `incomplete`: further text could complete it. `empty`: nothing but space and comments. A bad text is `complete`. */
export interface ReadReply {
  readonly status: 'complete' | 'incomplete' | 'empty';
}

/** An error of the program (language.md §17): compile faults and run-time errors alike. */
export interface EvaluationFault {
  readonly reason: string;
  readonly message: string;
  readonly span: ByteSpan | null;
  /**
   * `line` and `column` of the span; what the reason says as well. An error raised in a component has its place there
   * as `in_component`: `component` (id), `ref` (the definition), line, column, start_byte and end_byte.
   */
  readonly details: Readonly<Record<string, unknown>>;
  /** Java class name of a run-time exception, null for limits and compile faults. */
  readonly exception_class: string | null;
  /** Built only from admitted facts, 1..1024 characters; null when language.md §17 gives none. */
  readonly public_error: { readonly kind: string; readonly message: string } | null;
  /** Of run-time errors and limits. */
  readonly report?: FaultReport;
}

/**
 * What the author of the code is shown of a run-time error, private definitions included; never what a caller is shown.
 */
export interface FaultReport {
  /** As `EvaluationFault.message`, with the names of private definitions. */
  readonly message: string;
  /** Where it was raised, then the calls that led there, innermost first, each place once; at most nine. */
  readonly trail: readonly FaultFrame[];
  /** Preview of the `ex-data` of an exception that the program made, at most 512 characters; null without. */
  readonly data: string | null;
  /** Message of the exception that the first cause of this one is; null without. */
  readonly cause: string | null;
}

/** A call on the way to a fault. */
export interface FaultFrame {
  /** Id of the component; null for the program itself. */
  readonly component: string | null;
  /** The definition that holds it, `namespace/name`; null where none does. */
  readonly ref: string | null;
  /** In the text of the component or of the program. */
  readonly span: ByteSpan;
}

/** How an evaluation ended: with a value, or with a fault of its program (runtime.md §4). */
export type EvaluateReply =
  | {
      readonly outcome: 'continued' | 'returned' | 'failed';
      /**
       * Projected value (JSON text or printed text); null when `projection_fault` is set, or an observation takes its
       * place.
       */
      readonly value: string | null;
      readonly projection_fault: EvaluationFault | null;
      readonly prints: readonly string[];
      /** Of a plain or returned value, when it was asked for. */
      readonly observation?: Observation;
      /** Set when the failed value is the very value that the last capability call answered. */
      readonly is_last_reply?: boolean;
      /** Exports that the program names, sorted. */
      readonly prelude_calls?: readonly PreludeCall[];
      /** Generated JavaScript, when it was asked for. */
      readonly code?: string;
      /** What is kept now: with `commit`, after `continued` and `returned`. */
      readonly continuation?: StoredContinuation;
      /** Why none of it is kept, in the order of the tests (runtime.md §4). */
      readonly commit_refusal?: 'memory_exceeded' | 'history_exceeded';
      /** With `memory_exceeded`, where the isolate is kept: the largest definitions, the largest first. */
      readonly largest?: readonly DefinitionSize[];
      /** Where the isolate is kept: what of it cannot be written down. */
      readonly unretainable?: string;
      /** What is required now: with `required`, after `continued` and `returned`. */
      readonly required?: RequiredNames;
      /** The namespace that the next program begins in (language.md §14): with `required` as well. */
      readonly namespace?: string;
    }
  | {
      readonly outcome: 'evaluation_error';
      readonly fault: EvaluationFault;
      readonly prints: readonly string[];
      /** As above; absent when the program did not compile. */
      readonly prelude_calls?: readonly PreludeCall[];
      /** As above; absent too when nothing was generated. */
      readonly code?: string;
    };

/** `bytes`: of its text alone; of one that is larger than all may be, what all may be. */
export interface DefinitionSize {
  readonly name: string;
  readonly bytes: number;
}

/**
 * One parallel branch, in an isolate with the caller's bundle loaded (language.md §16). The pool sends it; a supervisor
 * never does. An isolate that answered with a value may be asked for the next branch, its bundle loaded again before:
 * it then begins as a fresh one would.
 */
export interface BranchRequest {
  readonly operation: 'branch';
  readonly environment: EnvironmentKind;
  readonly data: Readonly<Record<string, string>>;
  readonly tools: readonly string[];
  readonly loop_iterations: number | null;
  readonly branches: boolean;
  /** As the calling guest wrote them: its definitions, and the call. */
  readonly shared: string;
  readonly call: string;
}

/**
 * How a branch ended; `value` is a value or an exception as only the calling guest can read it; `printed` what its
 * prints add to the caller's, by entry. `is_worn`: what it leaves behind is too much for a further branch in the same
 * isolate.
 */
export type BranchReply =
  | {
      readonly outcome: 'value';
      readonly value: string;
      readonly printed: readonly string[];
      readonly is_worn?: boolean;
    }
  | { readonly outcome: 'error' | 'failed'; readonly value: string; readonly printed: readonly string[] }
  | { readonly outcome: 'returned'; readonly printed: readonly string[] }
  | {
      readonly outcome: 'limit';
      readonly kind: string;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
      readonly printed: readonly string[];
    };

/** What a guest that asks for branches gets: up to and with the first that failed, in input order. */
export type ParallelAnswer =
  | { readonly reply: 'branches'; readonly branches: readonly BranchReply[] }
  /** No slot, or no isolate available: they are run where they are asked for. */
  | { readonly reply: 'sequential' }
  /** The operation took longer than it may. */
  | { readonly reply: 'limit'; readonly message: string; readonly details: Readonly<Record<string, unknown>> };

/** What supervisors ask. */
export type GuestRequest = CompileRequest | LoadRequest | EvaluateRequest | CheckRequest | ReadRequest;

/** The reply to each operation. */
export interface GuestReplies {
  readonly branch: BranchReply;
  readonly compile: CompileReply;
  readonly load: LoadReply;
  readonly evaluate: EvaluateReply;
  readonly check: CheckReply;
  readonly read: ReadReply;
}

/** All that a guest is asked. */
export type IsolateRequest = GuestRequest | BranchRequest;

/** The reply to this request. */
export type GuestReply<R extends IsolateRequest> = GuestReplies[R['operation']];

/** What the heap of an isolate holds, in 8-byte words, garbage included. A host that lies may say anything. */
export interface HeapFigure {
  readonly observedWords: number;
  /** Of one of its kind in which nothing was evaluated. */
  readonly baselineWords: number;
}

/** Guest to supervisor, while an evaluation runs. */
export interface CapabilityCall {
  readonly name: string;
  /** Canonical JSON text of the argument map. */
  readonly arguments: string;
  /** The parallel branch that makes it: places in input order, `0` or nested `2/0`. Absent outside of branches. */
  readonly branch?: string;
  /** Of how many branches each of these places is: `3`, or `3/2`. */
  readonly branchOf?: string;
  /** Whether the one that makes it says where it is when it is asked (contract/call-place.ts). */
  readonly saysPlace?: boolean;
  /** Aborted when the evaluation or branch that makes it has ended: nobody waits for the answer any more. */
  readonly ended?: AbortSignal;
}

/**
 * What the guest reads as the answer to a capability call, as JSON text. `value`: a bare value. `envelope`: the members
 * of runtime.md §5 (its keys, and the texts of status, kind, reason and mutation_state, become keywords; the value
 * keeps string keys). `error`: raises tool_error with this message. `closed`: ends the evaluation; nothing catches it.
 * Instead of any of these it may be asked where the call is (contract/call-place.ts).
 */
export type CapabilityReply =
  | { readonly reply: 'value'; readonly value: unknown }
  | { readonly reply: 'envelope'; readonly envelope: Readonly<Record<string, unknown>> }
  | { readonly reply: 'error'; readonly message: string }
  | { readonly reply: 'closed'; readonly reason: string };

/** What one request to an isolate came to. Every fault is a value; the host that saw one is not used again. */
export type GuestOutcome<T> =
  | { readonly status: 'replied'; readonly reply: T }
  /**
   * `isHostSilent`: nor did its process answer anything at that time. It was stopped, or the machine gave it no turn.
   */
  | { readonly status: 'timeout'; readonly isHostSilent?: true }
  | { readonly status: 'memory_exceeded' }
  | { readonly status: 'cancelled' }
  /** `signal`: by which its process ended, or was stopped, and nobody here sent it. */
  | { readonly status: 'host_lost'; readonly cause: LostHost; readonly signal?: NodeJS.Signals };

/**
 * How a host ended under a request. `neighbour`: through another program in it, as far as anyone can know. `image`: the
 * guest image is not the one that was built. `no_room`: there was none, as many waiting for one as may. `crashed`: by a
 * signal of a fault in memory, under this program alone; somebody else may have sent it.
 */
export type LostHost = 'exited' | 'killed' | 'neighbour' | 'protocol_violation' | 'image' | 'no_room' | 'crashed';
