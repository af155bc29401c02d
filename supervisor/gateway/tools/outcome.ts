import type { Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { canonicalString } from '../../../contract/json/canonical.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { visibleText } from '../../../contract/visible-text.ts';
import type { RunEffects, RunRefused, RunResult, RetryAdvice } from '../../service/embedding/types.ts';
import type { OutcomeCode } from '../audit/record.ts';
import { plainJson } from '../../../contract/mcp/plain-json.ts';
import { GATEWAY_ANSWER_BYTES } from '../http/answers.ts';
import type { Era } from '../../../contract/mcp/era.ts';
import { errorText, resultText, RPC, type RequestId } from '../../../contract/mcp/rpc.ts';

/** A run that came to an end, whichever it was. */
export type RunEnded = Exclude<RunResult, RunRefused>;

/** Who ended a call before its run had ended: its client, who is gone, or the gateway, which stops; null: nobody. */
export type CancelledBy = 'client' | 'gateway' | null;

/** What a client reads of calls that it could not be asked about; empty: there were none. */
export function unaskedText(tools: readonly string[]): string {
  if (tools.length === 0) return '';
  return (
    `approval_unavailable: ${tools.map(visibleText).join(', ')} needs a person's yes, and this client cannot be asked ` +
    '(client_without_elicitation): it declares no elicitation, or speaks an older revision'
  );
}

/** The last message of a call. */
export interface ToolCallEnd {
  readonly outcome: OutcomeCode;
  readonly text: string;
}

/** What a tool error says of itself; what nobody knows is left out. */
interface ToolFailure {
  readonly code: string;
  readonly message: string;
  readonly phase: string;
  readonly retryable: boolean;
  readonly runRef: string | null;
  readonly effects: RunEffects;
  readonly retry: RetryAdvice;
  readonly usage: Usage | null;
}

interface Usage {
  readonly duration_ms: number;
  readonly capability_calls: number;
  /** Tokens; null where not every model reported them. */
  readonly llm_input: number | null;
  readonly llm_output: number | null;
  readonly cost_microusd: number | null;
}

/** How a call is answered. */
export interface Answering {
  /** Tools that nobody could be asked about. */
  readonly refusedTools?: readonly string[];
  readonly id: RequestId;
  readonly era: Era;
  /** `_meta` of every result by name, canonical JSON. */
  readonly server: string;
}

const REPEATED = 'it may have had effects: look before it is repeated';
const CANCELLED: Readonly<Record<'client' | 'gateway', Pick<ToolFailure, 'code' | 'message' | 'phase' | 'retryable'>>> =
  {
    client: {
      code: 'cancelled',
      message: 'the client closed the stream before the run had ended',
      phase: 'execution',
      retryable: false,
    },
    gateway: {
      code: 'cancelled',
      message: 'the gateway was stopped before the run had ended',
      phase: 'execution',
      retryable: false,
    },
  };
const TOO_LARGE: Omit<ToolFailure, 'runRef' | 'effects' | 'retry' | 'usage'> = {
  code: 'result_limit_exceeded',
  message: 'the result is larger than an answer of the gateway may be',
  phase: 'result',
  retryable: false,
};
const DOUBLED = 'the result is in structuredContent, and too large to stand here once more';

/**
 * The answer to a run that came to an end. Where somebody cancelled it, and it has no other end than that, the call is
 * cancelled (gateway.md §16): its envelope says `internal_error`, since the code it has to have is that.
 */
export function endOf(
  run: RunEnded,
  answering: Answering & {
    readonly durationMs: number;
    readonly cancelledBy: CancelledBy;
  },
): ToolCallEnd {
  const { envelope, runRef, effects, retry, valueText } = run;
  const facts = { runRef, effects, retry, usage: usageOf(run, answering.durationMs) };
  if (envelope.status === 'error') {
    const { error } = envelope;
    if (isCancelled(run, answering.cancelledBy)) {
      return {
        outcome: isUncleaned(run) ? 'cleanup_failed' : 'cancelled',
        text: failureText(answering, { ...facts, ...CANCELLED[answering.cancelledBy] }),
      };
    }
    if (error.code === 'internal_error' && envelope.execution.state === 'not_started')
      return { outcome: 'internal_error', text: errorText(answering.id, RPC.internal) };
    return {
      outcome: isUncleaned(run) ? 'cleanup_failed' : outcomeOf(error),
      text: failureText(answering, {
        ...facts,
        code: error.code,
        message: error.message,
        phase: error.phase,
        retryable: error.retryable,
      }),
    };
  }
  const text = valueText === null ? null : successText(answering, valueText, facts);
  if (text !== null) return { outcome: 'success', text };
  return {
    outcome: 'invalid_result',
    text: failureText(answering, {
      ...TOO_LARGE,
      ...facts,
      retry: effects === 'none' || effects === 'read' ? 'no' : 'unsafe',
    }),
  };
}

/** Whether nothing else ended it: an exception in a step is a fault of ours, no matter who left. */
function isCancelled({ envelope, unexpected }: RunEnded, by: CancelledBy): by is 'client' | 'gateway' {
  return by !== null && unexpected === null && envelope.status === 'error' && envelope.error.code === 'internal_error';
}

/** The answer to a run that ended and of whose end there is no record: it may have had effects. */
export function unaudited({ runRef, effects }: RunEnded, answering: Answering): string {
  return failureText(answering, {
    code: 'audit_unavailable',
    message: 'how the call ended could not be put on record',
    phase: 'publication',
    retryable: false,
    runRef,
    effects,
    retry: 'unsafe',
    usage: null,
  });
}

/** The answer to arguments that break the contract, or are too large: nothing ran. */
export function argumentsRefused(answering: Answering, diagnostic: Diagnostic | null): string {
  const { code, message, phase, path } = diagnostic ?? {
    code: 'input_invalid',
    message: 'the arguments are larger than 2000000 bytes',
    phase: 'application',
    path: null,
  };
  const place = path === null || path === '' ? '' : ` (at ${path})`;
  return failureText(answering, {
    code,
    message: `${message}${place}`,
    phase,
    retryable: false,
    runRef: null,
    effects: 'none',
    retry: 'after_fix',
    usage: null,
  });
}

/** The answer to a call whose time was over before it could begin. */
export function tooLate(answering: Answering): string {
  return failureText(answering, {
    code: 'run_timeout',
    message: 'the run duration limit was exceeded',
    phase: 'execution',
    retryable: false,
    runRef: null,
    effects: 'none',
    retry: 'safe',
    usage: null,
  });
}

/**
 * The answer to a call of which an earlier one had the same key, and no answer is kept; `isKnown`: it came to an end of
 * its own.
 */
export function repeatedCall(
  answering: Answering,
  { runRef, isKnown }: { readonly runRef: string; readonly isKnown: boolean },
): string {
  const facts = { phase: 'execution', retryable: false, runRef, usage: null } as const;
  if (isKnown)
    return failureText(answering, {
      ...facts,
      code: 'answer_not_kept',
      message: `the call of this key has ended, and its answer is not kept; it was run ${runRef}`,
      effects: 'indeterminate',
      retry: 'no',
    });
  return failureText(answering, {
    ...facts,
    code: 'call_indeterminate',
    message: `nobody knows how the call of this key ended; it was run ${runRef}`,
    effects: 'indeterminate',
    retry: 'unsafe',
  });
}

/** Whether nothing ran, since what it leaves has no place. */
export function isRefusedPlace({ envelope }: RunEnded): boolean {
  return (
    envelope.status === 'error' && envelope.error.phase === 'destination' && envelope.execution.state === 'not_started'
  );
}

/** Whether the end of what it had opened could not be proved. */
export function isUncleaned({ envelope }: RunEnded): boolean {
  if (envelope.status !== 'error') return false;
  return [envelope.error, ...envelope.secondary_errors].some(({ code }) => code.startsWith('provider_cleanup_'));
}

const INVALID_RESULTS: ReadonlySet<string> = new Set([
  'result_invalid',
  'result_contract_failed',
  'result_limit_exceeded',
]);
const PUBLICATION = /^(?:trace|inspection|artifact|result_publication|result_destination|evidence)_/;

function outcomeOf({ code }: Diagnostic): OutcomeCode {
  if (code === 'run_timeout') return 'cancelled';
  if (PUBLICATION.test(code)) return 'publication_failed';
  if (code === 'internal_error') return 'internal_error';
  return INVALID_RESULTS.has(code) ? 'invalid_result' : 'execution_failed';
}

function usageOf({ envelope: { execution } }: RunEnded, durationMs: number): Usage | null {
  if (execution.state === 'not_started' || execution.usage === null) return null;
  const { capability_calls: calls, llm_spend: spend } = execution.usage;
  const [input, output] =
    'input' in spend ? [spend.input, spend.output] : spend.state === 'empty' ? [0, 0] : [null, null];
  return {
    duration_ms: durationMs,
    capability_calls: Object.values(calls).reduce((sum, count) => sum + count, 0),
    llm_input: input,
    llm_output: output,
    cost_microusd: spend.state === 'available' ? spend.total_cost.microunits : spend.state === 'empty' ? 0 : null,
  };
}

function successText(
  { id, era, server, refusedTools = [] }: Answering,
  value: string,
  { runRef, effects, retry, usage }: Pick<ToolFailure, 'runRef' | 'effects' | 'retry' | 'usage'>,
): string | null {
  const call = plainJson({ effects, retry, run_ref: runRef, usage });
  const meta = era === 'modern' ? `{${server.slice(1, -1)},"svc/call":${call}}` : `{"svc/call":${call}}`;
  const shape = era === 'modern' ? '"resultType":"complete",' : '';
  const unasked = unaskedText(refusedTools);
  const note = unasked === '' ? '' : `,{"text":${canonicalString(unasked)},"type":"text"}`;
  const withText = (text: string): string =>
    resultText(
      id,
      `{"_meta":${meta},"content":[{"text":${canonicalString(text)},"type":"text"}${note}],"isError":false,${shape}"structuredContent":${value}}`,
    );
  return [withText(value), withText(DOUBLED)].find((text) => utf8Length(text) <= GATEWAY_ANSWER_BYTES) ?? null;
}

function failureText(
  { id, era, server, refusedTools = [] }: Answering,
  { code, message, phase, retryable, runRef, effects, retry, usage }: ToolFailure,
): string {
  const call = plainJson({
    code,
    effects,
    phase,
    retry,
    retryable,
    ...(runRef === null ? {} : { run_ref: runRef }),
    usage,
  });
  const meta = era === 'modern' ? `{${server.slice(1, -1)},"svc/call":${call}}` : `{"svc/call":${call}}`;
  const unasked = unaskedText(refusedTools);
  const text = `${code}: ${message}${retry === 'unsafe' ? `; ${REPEATED}` : ''}${unasked === '' ? '' : `\n${unasked}`}`;
  return resultText(
    id,
    `{"_meta":${meta},"content":[{"text":${canonicalString(text)},"type":"text"}],"isError":true${era === 'modern' ? ',"resultType":"complete"' : ''}}`,
  );
}
