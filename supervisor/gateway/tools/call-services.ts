import type { JsonObject } from '../../../contract/json/value.ts';
import type { Era } from '../../../contract/mcp/era.ts';
import type { Message } from '../../../contract/mcp/message.ts';
import type { RunReference } from '../../../contract/run-reference.ts';
import type { Round, RoundOwner, RoundSeal } from '../../code/asking/round-state.ts';
import type { QuestionCounter, QuestionTimers } from '../../code/asking/run-questions.ts';
import type { OpenedProviders, PreparedApplication, Supervisor } from '../../service/embedding/types.ts';
import type { OutcomeCode } from '../audit/record.ts';
import type { GatewayAnswer } from '../http/answers.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { RawHeaders } from '../http/raw-headers.ts';
import type { KeyTicket, KeyedCalls } from '../repeated/keyed-calls.ts';
import type { WaitingRun, WaitingRuns } from '../rounds/waiting-runs.ts';
import type { CallAudit } from './audited-call.ts';
import type { ToolEntry } from './catalogue.ts';
import type { ToolProviders } from './providers.ts';

/** A tool that may be called. */
export interface Tool {
  readonly entry: ToolEntry;
  readonly application: PreparedApplication;
  /** The tenant that its runs are of. */
  readonly tenant: string;
  readonly providers: ToolProviders;
  /** Whether its runs may ask a person about a call. */
  readonly asks: boolean;
}

/** A run of a tool that later requests come back to (approvals.md §6, "retry"). */
export interface JoinableRun extends WaitingRun {
  /** Answers one more request; null: the answer was streamed, or nobody waits for it. */
  answer(request: ToolCallRequest): Promise<GatewayAnswer | null>;
  /** Takes what a client answered to a round of questions. */
  takeAnswers(round: Round, answers: JsonObject): void;
}

/** What calls are answered with. */
export interface CallServices {
  readonly supervisor: Pick<Supervisor, 'run'>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly isDraining: () => boolean;
  /** Called with each run that came to its end, with the milliseconds of its call. */
  readonly onRun: (tool: string, outcome: OutcomeCode, durationMs: number) => void;
  /** Of calls that may write; null where no tool may. */
  readonly audit: CallAudit | null;
  readonly rounds: RoundSeal;
  readonly waiting: WaitingRuns<JoinableRun>;
  readonly questionTimers: QuestionTimers;
  /** Null: nobody counts them. */
  readonly questionCounter: QuestionCounter | null;
  /** Name of the binding that every caller shows. */
  readonly principal: string;
  /** Calls that were made with a key. */
  readonly keyed: Pick<KeyedCalls, 'ask'>;
  /** Whether runs leave a trace, an inspection file. */
  readonly artifacts: { readonly trace: boolean; readonly inspection: boolean } | null;
  /** `_meta` of every result, canonical JSON. */
  readonly server: string;
  /** Milliseconds of the monotonic clock. */
  readonly now: () => number;
  /** Called with exceptions. */
  readonly reportBug: (error: unknown) => void;
}

/** A request to call a tool, and what is known of its sender. */
export interface ToolCallRequest {
  readonly message: Message;
  readonly era: Era;
  readonly headers: RawHeaders;
  /** Raised when nobody waits for the answer. */
  readonly disconnected: AbortSignal;
  /** Begins the stream of an answer. */
  readonly open: (headers: Readonly<Record<string, string>>) => EventStream;
}

/** A call whose request is right, and which may run. */
export interface RunnableCall {
  readonly tool: Tool;
  /** Null: the run opens them itself. */
  readonly providers: OpenedProviders | null;
  readonly input: JsonObject;
  readonly runRef: RunReference;
  /** Null: it has no key. */
  readonly ticket: KeyTicket | null;
  /** Whether its client can be asked. */
  readonly canAsk: boolean;
  readonly owner: RoundOwner;
  readonly timeoutMs: number | null;
  /** Null: the caller names no trace of its own, or nothing that is well formed. */
  readonly traceparent: string | null;
}
