import { randomFillSync } from 'node:crypto';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { newRunReference, type RunReference } from '../../../contract/run-reference.ts';
import { integerOf, isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { readTraceparent } from '../../../contract/traceparent.ts';
import type { OpenedProviders, PreparedApplication, Supervisor } from '../../service/embedding/types.ts';
import type { GatewayAnswer } from '../http/answers.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { RawHeaders } from '../http/raw-headers.ts';
import { META, metaOf, type Era } from '../../../contract/mcp/era.ts';
import { showsForms } from '../../mcp/asking/capability.ts';
import { readGivenRound } from '../../mcp/asking/input-required.ts';
import type { RoundOwner, RoundSeal } from '../../mcp/asking/round-state.ts';
import type { QuestionTimers } from '../../mcp/asking/run-questions.ts';
import type { WaitingRuns } from '../rounds/waiting-runs.ts';
import type { Message } from '../../../contract/mcp/message.ts';
import { parametersAgree } from '../protocol/parameter-headers.ts';
import { RPC } from '../../../contract/mcp/rpc.ts';
import { rpcError } from '../protocol/rpc-error.ts';
import type { ToolEntry } from './catalogue.ts';
import type { KeyTicket, KeyedCalls } from '../repeated/keyed-calls.ts';
import type { CallAudit } from './audited-call.ts';
import type { OutcomeCode } from '../audit/record.ts';
import { answerToKey, readCallKey } from './keyed-call.ts';
import type { ToolProviders } from './providers.ts';
import { ToolRun } from './tool-run.ts';

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

/** What calls are answered with. */
export interface CallServices {
  readonly supervisor: Pick<Supervisor, 'run'>;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly isDraining: () => boolean;
  /** Told of each run that came to its end, with the milliseconds of its call. */
  readonly onRun: (tool: string, outcome: OutcomeCode, durationMs: number) => void;
  /** Of calls that may write; null where no tool may. */
  readonly audit: CallAudit | null;
  readonly rounds: RoundSeal;
  readonly waiting: WaitingRuns<ToolRun>;
  readonly questionTimers: QuestionTimers;
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
  /** Told of exceptions. */
  readonly reportBug: (error: unknown) => void;
}

/** A request to call a tool, and whoever sent it. */
export interface ToolCallRequest {
  readonly message: Message;
  readonly era: Era;
  readonly headers: RawHeaders;
  /** Raised when nobody waits for the answer. */
  readonly gone: AbortSignal;
  /** Begins the stream of an answer. */
  readonly open: (headers: Readonly<Record<string, string>>) => EventStream;
}

/** A call whose request is right, and which may run. */
export interface RunnableCall {
  readonly tool: Tool;
  /** Null: the run opens them itself. */
  readonly providers: OpenedProviders | null;
  readonly given: JsonObject;
  readonly runRef: RunReference;
  /** Null: it has no key. */
  readonly ticket: KeyTicket | null;
  /** Whether its client can be asked. */
  readonly canAsk: boolean;
  readonly owner: RoundOwner;
  readonly timeoutMs: number | null;
  /** Null: the caller says nothing of a trace of its own, or nothing that is well formed. */
  readonly traceparent: string | null;
}

const NAME_LENGTH = 128;
const LONGEST_MS = 2_592_000_000;

/** Steps 1 to 13 of gateway.md §5; null: the answer was streamed, or nobody waits for it. */
export async function callTool(request: ToolCallRequest, services: CallServices): Promise<GatewayAnswer | null> {
  const asked = askedOf(request, services);
  if ('status' in asked) return asked;
  const { gone } = request;
  if ('joined' in asked) return asked.joined.answer(request);
  if (gone.aborted) {
    await asked.ticket?.forget();
    return null;
  }
  return new ToolRun(request, asked, services).answer(request);
}

/** Steps 1 to 4. */
function askedOf(
  { message, era, headers }: ToolCallRequest,
  { tools, isDraining, audit, keyed, server, rounds, waiting, principal }: CallServices,
): RunnableCall | { readonly joined: ToolRun } | GatewayAnswer {
  const { id, params } = message;
  const [name, given = new Map()] = [params?.get('name'), params?.get('arguments')];
  if (typeof name !== 'string' || name === '' || name.length > NAME_LENGTH)
    return rpcError(200, id, RPC.params, { reason: 'name' });
  const round = readGivenRound(params);
  const isRoundOfNone =
    era === 'legacy' && (params?.has('requestState') === true || params?.has('inputResponses') === true);
  if (!isJsonObject(given) || round === 'unreadable' || isRoundOfNone)
    return rpcError(200, id, RPC.params, { reason: 'arguments' });
  const timeout = timeoutOf(message);
  const key = readCallKey(message);
  if (key === 'invalid') return rpcError(200, id, RPC.params, { reason: 'idempotency_key' });
  if (timeout === 'invalid') return rpcError(200, id, RPC.params, { reason: 'timeout' });
  const tool = tools.get(name);
  if (tool === undefined) return rpcError(200, id, RPC.params, { reason: 'unknown_tool' });
  if (era === 'modern' && !parametersAgree(tool.entry.headers, given, headers))
    return rpcError(400, id, RPC.headerMismatch, { reason: 'parameter_header' });
  if (isDraining()) return rpcError(503, id, RPC.unavailable, { reason: 'draining' });
  const canAsk = era === 'modern' && showsForms(metaOf(message)?.get(META.capabilities));
  const owner: RoundOwner = { principal, tool: name, arguments: canonicalJson(given) };
  if (round !== null) {
    const opened = canAsk ? rounds.open(owner, round.state) : null;
    const joined = opened === null ? null : waiting.find(opened.run);
    if (opened === null || joined === null) return rpcError(200, id, RPC.params, { reason: 'state_invalid' });
    joined.takeAnswers(opened, round.answers);
    return { joined };
  }
  const runRef = newRunReference(randomFillSync);
  const able = providersOf(tool, audit);
  const known =
    key === null ? null : keyed.ask({ tool: name, key: key.key, given, runRef, mayBegin: !('reason' in able) });
  const answered = known === null ? null : answerToKey(known, { id, era, server });
  if (answered !== null) return answered;
  if ('reason' in able) return rpcError(503, id, RPC.unavailable, able);
  // What would ask has to have a place to wait in.
  if (canAsk && tool.asks && waiting.isFull) return rpcError(429, id, RPC.busy, { reason: 'run_capacity_exhausted' });
  const ticket = known?.kind === 'new' ? known.ticket : null;
  return {
    tool,
    providers: able.providers,
    given,
    runRef,
    ticket,
    canAsk,
    owner,
    timeoutMs: timeout,
    traceparent: traceparentOf(message),
  };
}

export function traceparentOf(message: Message): string | null {
  const given = metaOf(message)?.get('traceparent');
  return typeof given === 'string' && readTraceparent(given) !== null ? given : null;
}

/** What a run of the tool is lent, or why there can be none now. */
function providersOf(
  { application, providers }: Tool,
  audit: CallAudit | null,
): { readonly providers: OpenedProviders | null } | { readonly reason: 'writes_fenced' | 'tool_unavailable' } {
  if (application.effect === 'write' && audit?.isFenced() !== false) return { reason: 'writes_fenced' };
  const current = providers.current();
  return current === 'unavailable' ? { reason: 'tool_unavailable' } : { providers: current };
}

export function timeoutOf(message: Message): number | null | 'invalid' {
  const given = metaOf(message)?.get('svc/timeout_ms');
  if (given === undefined) return null;
  const timeout = integerOf(given);
  return typeof timeout === 'number' && timeout >= 1 && timeout <= LONGEST_MS ? timeout : 'invalid';
}
