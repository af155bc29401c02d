import { randomFillSync } from 'node:crypto';
import { canonicalJson } from '../../../contract/json/canonical.ts';
import { newRunReference } from '../../../contract/run-reference.ts';
import { integerOf, isJsonObject } from '../../../contract/json/value.ts';
import { readTraceparent } from '../../../contract/traceparent.ts';
import type { OpenedProviders } from '../../service/embedding/types.ts';
import type { GatewayAnswer } from '../http/answers.ts';
import { META, metaOf } from '../../../contract/mcp/era.ts';
import { showsForms } from '../../code/asking/capability.ts';
import { readEarlierRound } from '../../code/asking/input-required.ts';
import type { RoundOwner } from '../../code/asking/round-state.ts';
import type { Message } from '../../../contract/mcp/message.ts';
import { parametersAgree } from '../protocol/parameter-headers.ts';
import { RPC } from '../../../contract/mcp/rpc.ts';
import { rpcError } from '../protocol/rpc-error.ts';
import type { CallAudit } from './audited-call.ts';
import { answerToKey, readCallKey } from './keyed-call.ts';
import type { CallServices, JoinableRun, RunnableCall, Tool, ToolCallRequest } from './call-services.ts';
import { ToolRun } from './tool-run.ts';

const NAME_LENGTH = 128;
const LONGEST_MS = 2_592_000_000;

/** Steps 1 to 13 of gateway.md §5; null: the answer was streamed, or nobody waits for it. */
export async function callTool(request: ToolCallRequest, services: CallServices): Promise<GatewayAnswer | null> {
  const read = readToolCall(request, services);
  if ('status' in read) return read;
  const { disconnected } = request;
  if ('joined' in read) return read.joined.answer(request);
  if (disconnected.aborted) {
    await read.ticket?.withdraw();
    return null;
  }
  return new ToolRun(request, read, services).answer(request);
}

/** Steps 1 to 4. */
function readToolCall(
  { message, era, headers }: ToolCallRequest,
  { tools, isDraining, audit, keyed, server, rounds, waiting, principal }: CallServices,
): RunnableCall | { readonly joined: JoinableRun } | GatewayAnswer {
  const { id, params } = message;
  const [name, input = new Map()] = [params?.get('name'), params?.get('arguments')];
  if (typeof name !== 'string' || name === '' || name.length > NAME_LENGTH)
    return rpcError(200, id, RPC.params, { reason: 'name' });
  const round = readEarlierRound(params);
  const isRoundOfNone =
    era === 'legacy' && (params?.has('requestState') === true || params?.has('inputResponses') === true);
  if (!isJsonObject(input) || round === 'unreadable' || isRoundOfNone)
    return rpcError(200, id, RPC.params, { reason: 'arguments' });
  const timeout = timeoutOf(message);
  const key = readCallKey(message);
  if (key === 'invalid') return rpcError(200, id, RPC.params, { reason: 'idempotency_key' });
  if (timeout === 'invalid') return rpcError(200, id, RPC.params, { reason: 'timeout' });
  const tool = tools.get(name);
  if (tool === undefined) return rpcError(200, id, RPC.params, { reason: 'unknown_tool' });
  if (era === 'modern' && !parametersAgree(tool.entry.headers, input, headers))
    return rpcError(400, id, RPC.headerMismatch, { reason: 'parameter_header' });
  if (isDraining()) return rpcError(503, id, RPC.unavailable, { reason: 'draining' });
  const canAsk = era === 'modern' && showsForms(metaOf(message)?.get(META.capabilities));
  const owner: RoundOwner = { principal, tool: name, arguments: canonicalJson(input) };
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
    key === null ? null : keyed.ask({ tool: name, key: key.key, input, runRef, mayBegin: !('reason' in able) });
  const answered = known === null ? null : answerToKey(known, { id, era, server });
  if (answered !== null) return answered;
  if ('reason' in able) return rpcError(503, id, RPC.unavailable, able);
  // What would ask has to have a place to wait in.
  if (canAsk && tool.asks && waiting.isFull) return rpcError(429, id, RPC.busy, { reason: 'run_capacity_exhausted' });
  const ticket = known?.kind === 'new' ? known.ticket : null;
  return {
    tool,
    providers: able.providers,
    input,
    runRef,
    ticket,
    canAsk,
    owner,
    timeoutMs: timeout,
    traceparent: traceparentOf(message),
  };
}

export function traceparentOf(message: Message): string | null {
  const input = metaOf(message)?.get('traceparent');
  return typeof input === 'string' && readTraceparent(input) !== null ? input : null;
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
  const input = metaOf(message)?.get('svc/timeout_ms');
  if (input === undefined) return null;
  const timeout = integerOf(input);
  return typeof timeout === 'number' && timeout >= 1 && timeout <= LONGEST_MS ? timeout : 'invalid';
}
