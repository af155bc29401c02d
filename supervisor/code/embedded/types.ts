import type { ApprovalAnswer, ApprovalCallback, ApprovalRequest } from '../../../contract/approval.ts';
import type { Usage } from '../../../contract/envelope/usage.ts';
import type { WrittenLimits } from '../../../contract/limits/effective.ts';
import type { RunEventListener } from '../../evidence/run-events/run-events.ts';
import type { RefusalCode, RunArtifact, RunEffects } from '../../run/reported-end.ts';
import type { ProgramError, ToolCalls } from '../session/program-end.ts';

/**
 * JSON Schema as plain data, or a schema of any library that follows Standard Schema and gives JSON Schema: `~standard`
 * with `jsonSchema`. Arguments are given to such a schema before the tool sees them, so that its defaults hold.
 */
export type ToolSchema = boolean | Readonly<Record<string, unknown>> | StandardToolSchema;

/** What this package asks of a Standard Schema (standardschema.dev). */
export interface StandardToolSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => unknown;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => unknown;
      readonly output: (options: { readonly target: 'draft-2020-12' }) => unknown;
    };
  };
}

/** What a tool is given beside its arguments. */
export interface ToolCallFacts {
  /** Aborted at the deadline of the call, and when its program is cancelled or over. */
  readonly signal: AbortSignal;
  /** Name of the call in trace and inspection, unique within its run. */
  readonly callRef: string;
  /** 64 hex digits, another for every call: a service that is sent it twice knows that it is one call. */
  readonly idempotencyKey: string;
}

/** One function of the embedding program that programs of a session may call as `(tool/<name> {...})`. */
export interface SessionTool {
  /** 1 to 4096 bytes. */
  readonly description: string;
  /** Of the argument object. */
  readonly inputSchema: ToolSchema;
  /** Of the answer; by default any JSON. */
  readonly outputSchema?: ToolSchema;
  /** `read` for a tool that changes nothing; `write` by default. */
  readonly effect?: 'read' | 'write';
  /**
   * Which calls a person has to allow; `never` by default. A function is asked with the arguments. `onApproval` of the
   * session decides, else `approvals` of the supervisor; where there is neither, the call is not made, and answers
   * `approval_unavailable`.
   */
  readonly approval?: 'never' | 'writes' | 'always' | ToolApproval;
  /**
   * Whether the same call twice changes no more than once; false by default. Shown to anyone who describes the tool.
   */
  readonly idempotent?: boolean;
  /**
   * Plain JSON data. What it throws is an error whose message, at most 1024 characters, the program is given; what it
   * answers after its deadline is dropped.
   */
  readonly execute: (input: Readonly<Record<string, unknown>>, call: ToolCallFacts) => unknown;
}

/** Whether a person has to allow this call. What it throws counts as yes. */
export type ToolApproval = (input: Readonly<Record<string, unknown>>) => boolean | Promise<boolean>;

/** A part of the program that every evaluation can use. */
export type RoomComponent =
  | { readonly library: string }
  | { readonly id: string; readonly source: string; readonly dependencies?: readonly string[] };

/** What the programs of a session may reach (code-mode.md §6). An empty one: the language and its libraries. */
export interface CodeRoom {
  /** By name; programs see it in kebab-case, `getWeather` as `(tool/get-weather {...})`. At most 4096. */
  readonly tools?: Readonly<Record<string, SessionTool>>;
  /** Plain JSON data by name, as `data/<name>`. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly components?: readonly RoomComponent[];
  /** By the names of docs/reference/limits.md; by default the longest times and the largest sizes. */
  readonly limits?: WrittenLimits;
}

/** What a session is opened with. */
export interface CodeSessionOptions {
  /** Whose session it is; as of a run. */
  readonly tenant?: string;
  /** Whose grants its tools use; the tenant's own by default. */
  readonly principal?: string;
  /** Which mission of an application; the only one, else `default`, where it is left out. */
  readonly mission?: string;
  /** What each evaluation leaves below the supervisor's `artifacts`; by default what a project asks for. */
  readonly artifacts?: { readonly trace?: boolean; readonly inspection?: boolean };
  /** Called with every event of every evaluation. */
  readonly onEvent?: RunEventListener;
  /**
   * Who is asked about calls that need a person's yes; wins over that of the supervisor. `wait`: an evaluation that
   * needs one ends as `waiting`, and goes on once it is decided.
   */
  readonly onApproval?: ApprovalCallback | 'wait';
  /** Aborted to close the session. */
  readonly signal?: AbortSignal;
  /** Its name in evidence, 1 to 128 letters, digits, dots, dashes and underscores; by default a new one. */
  readonly sessionRef?: string;
}

/** What a saved session is opened with. */
export interface RestoreOptions extends CodeSessionOptions, SealingOptions {}

/** The key of `save` and `restoreSession`. */
export interface SealingOptions {
  /** 32 bytes, in place of the keys of the supervisor. */
  readonly key?: Uint8Array;
}

/** How one program is evaluated. */
export interface EvaluateOptions {
  /** Aborted to give the program up: what was defined before it stays. */
  readonly signal?: AbortSignal;
  /** Called with each line that the program printed, in order. What it throws is dropped. */
  readonly onPrint?: (line: string) => unknown;
  /** 1 to the room's `evaluation_timeout_ms`, which is the default. */
  readonly timeoutMs?: number;
  /** 256 to 65,536 characters of its value; 8192 by default. */
  readonly valueChars?: number;
  /**
   * `json` (default): numbers as JSON.parse reads them. `exact`: integers beyond 2^53 are bigint. `text` is exact in
   * both.
   */
  readonly numbers?: 'json' | 'exact';
}

interface Ran {
  readonly runRef: string;
  /** At most 4096 characters, head and tail. */
  readonly printed: string;
  /** In the order of their first call. */
  readonly calls: readonly ToolCalls[];
  /** What its run used; null where nothing ran, or it is not known. */
  readonly usage: Usage | null;
  /** What its run may have done to the world. */
  readonly effects: RunEffects;
  /** What its run left. */
  readonly artifacts: readonly RunArtifact[];
}

/** Why a program came to no value. */
export interface EvaluationFailure {
  /** A reason of the language, a limit, `cancelled`, or a code of the run. */
  readonly kind: string;
  readonly message: string;
  /** In the program, from 1, in characters; null where it has no particular place. */
  readonly place: ProgramError['place'];
  /** The line at fault with a mark below the place; null without a place. */
  readonly excerpt: string | null;
  /** What to do about it; null where the message says all. */
  readonly hint: string | null;
  /** Whether the same program may succeed when it is evaluated again. */
  readonly retryable: boolean;
}

/** A question that a person has to answer before the program goes on. */
export interface PendingApproval {
  readonly approval: string;
  readonly tool: string;
  /** As the tool would be given them; numbers as the evaluation asks for. */
  readonly arguments: unknown;
  /** All that a person may be shown. */
  readonly request: ApprovalRequest;
  /** Whether it counts: false where the question has an end already. Throws TypeError for what is no answer. */
  readonly decide: (answer: ApprovalAnswer) => boolean;
}

/** How one evaluation ended (code-mode.md §6). */
export type Evaluation =
  | (Ran & {
      readonly kind: 'value';
      /** Of the last form; null where it is no JSON, or longer than was asked for. */
      readonly value: unknown;
      /** Its JSON, or a preview that is as long as was asked for at most. */
      readonly text: string;
      /** What of it the preview shows, by unit, each as [shown, all]; null: all. */
      readonly cut: Readonly<Record<string, readonly [shown: number, all: number]>> | null;
      /** How a program gets at the whole; null where `text` is it. */
      readonly how: string | null;
    })
  /** The program said `(fail v)`; definitions are unchanged. */
  | (Ran & { readonly kind: 'failed'; readonly value: unknown; readonly text: string })
  /** Definitions are unchanged. */
  | (Ran & { readonly kind: 'error'; readonly error: EvaluationFailure })
  /** The program waits for people, and has no result yet: `onApproval` of its session is `wait`. */
  | {
      readonly kind: 'waiting';
      readonly approvals: readonly PendingApproval[];
      /** Waits for the end, or for further questions; called again, it gives the same. */
      readonly resume: () => Promise<Evaluation>;
    }
  /** Nothing ran. */
  | {
      readonly kind: 'refused';
      readonly code: RefusalCode | 'session_busy' | 'session_closed';
      /** When to come again, milliseconds from now; null: it is refused again. */
      readonly retryAfterMs: number | null;
    };

/** What `search` finds. */
export interface RoomHits {
  /** Best first; of no words: servers and namespaces, with how much is in each. */
  readonly hits: readonly RoomHit[];
  readonly total: number;
  /** Servers that nothing can be said of now, and why. */
  readonly unready?: readonly { readonly server: string; readonly reason: string }[];
}

/** One tool, function or value. */
export interface RoomHit {
  readonly name: string;
  readonly kind: string;
  readonly call?: string;
  readonly doc?: string;
  readonly effect?: string;
  readonly approval?: string;
  readonly count?: number;
}

/** What `describe` says of one name. */
export interface RoomDescription {
  readonly name: string;
  readonly call?: string;
  readonly args?: string;
  readonly result?: string;
  readonly doc?: string;
  readonly effect?: string;
  readonly approval?: string;
  readonly example?: string;
  readonly unknown?: true;
  /** Of an unknown name. */
  readonly nearest?: readonly string[];
}

/** Programs that see each other's definitions, in a sandbox of their own (code-mode.md §6). */
export interface CodeSession {
  readonly sessionRef: string;
  /**
   * Evaluates one program as a run of its own. One at a time; eight wait, and a tenth is refused as `session_busy`.
   * Throws TypeError for arguments that are none, and never rejects for what the program, its tools or the machine do.
   */
  evaluate(program: string, options?: EvaluateOptions): Promise<Evaluation>;
  /** Tools, functions and data that have to do with some words, at most 400 characters. */
  search(
    words: string,
    options?: { readonly in?: 'all' | 'tools' | 'functions' | 'core' | 'data'; readonly limit?: number },
  ): Promise<RoomHits>;
  /** All that is known of 1 to 20 names. */
  describe(names: readonly string[]): Promise<readonly RoomDescription[]>;
  /** What a model has to know to write programs for this session: at most 8192 bytes, or fewer. */
  prompt(options?: { readonly maxBytes?: number }): string;
  /**
   * Definitions and the last three values, sealed: for `restoreSession`, in this process or in another. Rejects with
   * `SessionNotSaved`, and with TypeError where there is no key.
   */
  save(options?: SealingOptions): Promise<Uint8Array>;
  /** Forgets all definitions and values, after what waits has been evaluated. */
  reset(): Promise<void>;
  /** Cancels what is evaluated, refuses what waits, and ends everything of it. */
  close(): Promise<void>;
}

/** Keys that saved sessions are sealed with, by tenant and epoch: the highest seals, the others open. */
export interface SealingKeys {
  /** 32 bytes each, by epoch from 1; empty: the tenant has none. */
  tenantKeys(tenant: string): Promise<ReadonlyMap<number, Uint8Array>>;
}
