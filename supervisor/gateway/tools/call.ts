import { randomFillSync } from 'node:crypto';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { newRunReference, type RunReference } from '../../../contract/run-reference.ts';
import { integerOf, isJsonObject, type JsonObject } from '../../../contract/json/value.ts';
import { readTraceparent } from '../../../contract/traceparent.ts';
import type { OpenedProviders, PreparedApplication, RunRefused, Supervisor } from '../../service/embedding/types.ts';
import { renderJsonAnswer, type GatewayAnswer } from '../http/answers.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { RawHeaders } from '../http/raw-headers.ts';
import { MODERN_VERSION, metaOf, type Era } from '../../../contract/mcp/era.ts';
import type { Message } from '../../../contract/mcp/message.ts';
import { parametersAgree } from '../protocol/parameter-headers.ts';
import { RPC } from '../../../contract/mcp/rpc.ts';
import { rpcError } from '../protocol/rpc-error.ts';
import type { ToolEntry } from './catalogue.ts';
import type { KeyTicket, KeyedCalls } from '../repeated/keyed-calls.ts';
import { auditedCall, type CallAudit } from './audited-call.ts';
import type { OutcomeCode } from '../audit/record.ts';
import { answerToKey, readCallKey, keyedWitness } from './keyed-call.ts';
import {
  argumentsRefused,
  endOf,
  isRefusedPlace,
  isUncleaned,
  tooLate,
  unaudited,
  type Answering,
  type ToolCallEnd,
  type CancelledBy,
  type RunEnded,
} from './outcome.ts';
import type { ToolProviders } from './providers.ts';
import { progressOf, type ProgressToken } from './progress.ts';

/** A tool that may be called. */
export interface Tool {
  readonly entry: ToolEntry;
  readonly application: PreparedApplication;
  /** The tenant that its runs are of. */
  readonly tenant: string;
  readonly providers: ToolProviders;
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

interface AskedCall {
  readonly tool: Tool;
  /** Null: the run opens them itself. */
  readonly providers: OpenedProviders | null;
  readonly given: JsonObject;
  readonly runRef: RunReference;
  /** Null: it has no key. */
  readonly ticket: KeyTicket | null;
  readonly timeoutMs: number | null;
  readonly progressToken: ProgressToken | null;
  /** Null: the caller says nothing of a trace of its own, or nothing that is well formed. */
  readonly traceparent: string | null;
}

const NAME_LENGTH = 128;
/** A client that hears nothing for longer may think that nobody is there. */
const COMMIT_MS = 1000;
/** For a place for its run. */
const WAIT_MS = 2000;
const LONGEST_MS = 2_592_000_000;
/** What a run whose client is gone is stopped with. */
const GONE = 'SIGINT';

/** Steps 1 to 13 of gateway.md §5; null: the answer was streamed, or nobody waits for it. */
export async function callTool(request: ToolCallRequest, services: CallServices): Promise<GatewayAnswer | null> {
  const asked = askedOf(request, services);
  return 'status' in asked ? asked : performCall(request, asked, services);
}

/** Steps 1 to 4. */
function askedOf(
  { message, era, headers }: ToolCallRequest,
  { tools, isDraining, audit, keyed, server }: CallServices,
): AskedCall | GatewayAnswer {
  const { id, params } = message;
  const [name, given = new Map()] = [params?.get('name'), params?.get('arguments')];
  if (typeof name !== 'string' || name === '' || name.length > NAME_LENGTH)
    return rpcError(200, id, RPC.params, { reason: 'name' });
  if (!isJsonObject(given) || params?.has('requestState') === true || params?.has('inputResponses') === true)
    return rpcError(200, id, RPC.params, { reason: 'arguments' });
  const timeout = timeoutOf(message);
  const progressToken = metaOf(message)?.get('progressToken');
  const key = readCallKey(message);
  if (key === 'invalid') return rpcError(200, id, RPC.params, { reason: 'idempotency_key' });
  if (timeout === 'invalid') return rpcError(200, id, RPC.params, { reason: 'timeout' });
  const tool = tools.get(name);
  if (tool === undefined) return rpcError(200, id, RPC.params, { reason: 'unknown_tool' });
  if (era === 'modern' && !parametersAgree(tool.entry.headers, given, headers))
    return rpcError(400, id, RPC.headerMismatch, { reason: 'parameter_header' });
  if (isDraining()) return rpcError(503, id, RPC.unavailable, { reason: 'draining' });
  const runRef = newRunReference(randomFillSync);
  const able = providersOf(tool, audit);
  const known =
    key === null ? null : keyed.ask({ tool: name, key: key.key, given, runRef, mayBegin: !('reason' in able) });
  const answered = known === null ? null : answerToKey(known, { id, era, server });
  if (answered !== null) return answered;
  if ('reason' in able) return rpcError(503, id, RPC.unavailable, able);
  const ticket = known?.kind === 'new' ? known.ticket : null;
  return {
    tool,
    providers: able.providers,
    given,
    runRef,
    ticket,
    timeoutMs: timeout,
    traceparent: traceparentOf(message),
    progressToken: typeof progressToken === 'string' || typeof progressToken === 'number' ? progressToken : null,
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

/** Steps 5 to 13. */
async function performCall(
  { message: { id }, era, gone, open }: ToolCallRequest,
  { tool, providers, given, runRef, ticket, timeoutMs, progressToken, traceparent }: AskedCall,
  services: CallServices,
): Promise<GatewayAnswer | null> {
  const { supervisor, artifacts, server, now } = services;
  const answering: Answering = { id, era, server };
  const { run_duration_ms: longest } = tool.application.limits;
  const deadlineMs = Math.min(timeoutMs ?? LONGEST_MS, longest ?? LONGEST_MS);
  const stop = new AbortController();
  const begunAt = now();
  const leave = (): void => {
    stop.abort(GONE);
  };
  if (gone.aborted) {
    await ticket?.forget();
    return null;
  }
  gone.addEventListener('abort', leave, { once: true });
  let stream: EventStream | null = null;
  const progress =
    progressToken === null
      ? null
      : progressOf(
          progressToken,
          (text) => {
            stream?.notify(text);
          },
          now,
        );
  const begun = (): EventStream => {
    stream ??= open(era === 'modern' ? { 'mcp-protocol-version': MODERN_VERSION } : {});
    progress?.begin();
    return stream;
  };
  const commit = (): void => {
    if (!gone.aborted) begun();
  };
  let committing: NodeJS.Timeout | undefined;
  const told = Promise.withResolvers<undefined>();
  const cancelledBy = (): CancelledBy => (stop.signal.aborted ? 'client' : services.isDraining() ? 'gateway' : null);
  let asTold: ToolCallEnd | null = null;
  // Once, so that all who tell of it tell the same.
  const endedAs = (end: RunEnded): ToolCallEnd =>
    (asTold ??= endOf(end, { ...answering, durationMs: Math.round(now() - begunAt), cancelledBy: cancelledBy() }));
  const audited =
    services.audit === null || tool.application.effect !== 'write'
      ? null
      : auditedCall(services.audit, {
          toolName: tool.entry.name,
          contentDigest: tool.application.contentDigest,
          runRef,
          isGone: () => gone.aborted,
          endedAs,
        });
  const witness =
    ticket === null
      ? audited?.witness
      : keyedWitness(ticket, audited?.witness ?? null, {
          answering,
          endedAs,
          isKnown: () => audited === null || audited.state() === 'on_record',
        });
  const run = supervisor.run(tool.application, {
    runRef,
    input: new TextEncoder().encode(canonicalJson(given)),
    tenant: tool.tenant,
    deadlineMs,
    startWithinMs: WAIT_MS,
    signal: stop.signal,
    ...(traceparent === null ? {} : { traceparent }),
    ...(providers === null ? {} : { providers }),
    ...(witness === undefined ? {} : { witness }),
    ...(artifacts === null ? {} : { artifacts }),
    onEvent: ({ event, data }) => {
      if (event === 'finished') told.resolve(undefined);
      // Nothing is committed before the run begins, or takes long to: until then it may be refused.
      else if (event === 'admitted') committing = setTimeout(commit, COMMIT_MS);
      else if (event !== 'queued') commit();
      if (event !== 'finished') progress?.told(event, data);
    },
  });
  try {
    const end = await run.result;
    // What may still be at work is given nothing more to do (gateway.md §15).
    if (end.kind !== 'refused' && isUncleaned(end)) tool.providers.fence();
    if (end.kind !== 'refused') services.onRun(tool.entry.name, endedAs(end).outcome, now() - begunAt);
    if (gone.aborted) return null;
    if (end.kind === 'refused')
      return audited?.state() === 'not_begun'
        ? rpcError(503, id, RPC.unavailable, { reason: 'writes_fenced' })
        : refusedCall(end, answering);
    if (end.unexpected !== null) services.reportBug(end.unexpected);
    if (stream === null && isRefusedPlace(end))
      return rpcError(503, id, RPC.unavailable, { reason: 'artifact_unavailable' });
    // Events come in their own time; the last message comes behind all of them.
    await told.promise;
    progress?.end();
    await begun().end(audited?.state() === 'not_ended' ? unaudited(end, answering) : endedAs(end).text);
    return null;
  } finally {
    clearTimeout(committing);
    progress?.end();
    gone.removeEventListener('abort', leave);
    await ticket?.forget();
  }
}

function refusedCall({ code, diagnostic }: RunRefused, answering: Answering): GatewayAnswer {
  const { id } = answering;
  switch (code) {
    case 'input_invalid':
      return renderJsonAnswer(200, argumentsRefused(answering, diagnostic));
    case 'deadline_unreachable':
      return renderJsonAnswer(200, tooLate(answering));
    case 'queue_full':
    case 'tenant_quota':
      return rpcError(429, id, RPC.busy, { reason: 'run_capacity_exhausted' });
    case 'draining':
      return rpcError(503, id, RPC.unavailable, { reason: 'draining' });
    case 'unavailable':
      return rpcError(503, id, RPC.unavailable, { reason: 'tool_unavailable' });
    case 'tenant_unknown':
    case 'prepared_stale':
    case 'run_ref_conflict':
      return rpcError(500, id, RPC.internal);
  }
}
