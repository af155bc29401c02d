import type { JsonText } from '../../contract/json/canonical.ts';
import type { CallRequest, CallSide, Exchange, ServedCall } from '../../contract/provider-protocol/call.ts';
import type { FailureWords } from '../../contract/provider-protocol/provider-words.ts';
import type { ProviderFailure, ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import { callTimeoutMs, servedCall } from '../served-call.ts';
import type { ServerDeclaration, OfferedTool } from './declaration.ts';
import type { PendingServerRequest, OpenServer, ServerTools } from './open-server.ts';
import { callFailure } from './protocol/call-failure.ts';
import { callRequest, traceparent } from './protocol/request.ts';
import type { TransportFault } from './exchanged.ts';
import { transportFailure } from './transport-failure.ts';
import { failureWords } from './failure-words.ts';

/** What the calls of one session share. */
export interface Calling {
  readonly server: OpenServer;
  readonly tools: ServerTools;
  readonly declaration: ServerDeclaration;
  readonly traceId: string;
}

/** One call of a program, behind its gate (providers.md §14). */
export function serve(calling: Calling, tool: OfferedTool | undefined, call: CallRequest, side: CallSide): ServedCall {
  const unsent: ProviderFailure = callFailure('mcp_transport_error', { proof: 'not_dispatched' });
  return servedCall(async (ended) => {
    if (tool === undefined || ended.aborted || !(await side.openGate())) return { outcome: unsent, exchanges: [] };
    const called = await callTool(calling, tool, call, callTimeoutMs(call), ended);
    const { outcome, exchanges, words } = called;
    return { outcome, exchanges: call.keepsExchanges ? exchanges : [], ...(words === null ? {} : { words }) };
  });
}

interface Called {
  readonly outcome: ProviderOutcome<JsonText>;
  readonly exchanges: readonly Exchange<JsonText>[];
  /** Why there is no answer; null where there is one, or nobody left to report on it. */
  readonly fault: TransportFault | null;
  /** What people read about that; null for nothing. */
  readonly words: FailureWords | null;
}

/** One call of a tool: what it came to, and the messages of it. Never rejects but over a bug (providers.md §7.5). */
export async function callTool(
  { server, tools: { workers }, declaration, traceId }: Calling,
  { declared, listed }: OfferedTool,
  { capabilityId, arguments: input }: Pick<CallRequest, 'capabilityId' | 'arguments'>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Called> {
  const pendingServerRequest = await server.ask(
    (id, meta) => callRequest(id, meta, listed, input),
    timeoutMs,
    signal,
    traceparent(traceId, capabilityId),
  );
  const { request, exchanged } = pendingServerRequest;
  if (exchanged === 'lost')
    return {
      outcome: { kind: 'fault', reason: 'provider_exit', exception: null },
      exchanges: [],
      fault: null,
      words: null,
    };
  if (exchanged.kind === 'failed') {
    // The supervisor keeps the time of a call, and reports it.
    const isEnded = exchanged.fault === 'cancelled' || exchanged.fault === 'timeout';
    const words = isEnded ? null : failureWords(exchanged, await server.lastWords(), null);
    return { outcome: transportFailure(exchanged), exchanges: [], fault: exchanged.fault, words };
  }
  const observed = { exchanges: exchangesOf(server.transport, pendingServerRequest), fault: null, words: null };
  const terms = {
    revision: request.revision,
    hasOutputSchema: listed.outputSchema !== null,
    errorFeedback: declared.errorFeedback,
    isInline: declared.isInline,
    maxBytes: declaration.maxResultBytes,
  };
  const read = await workers.result({ bytes: exchanged.bytes, id: request.id }, terms, signal);
  switch (read.kind) {
    case 'done':
      return { outcome: read.value, ...observed };
    case 'cancelled':
      return { outcome: callFailure('mcp_transport_error'), ...observed };
    case 'heap_exceeded':
      return { outcome: { kind: 'fault', reason: 'provider_heap_exceeded', exception: null }, ...observed };
    case 'lost':
      return { outcome: { kind: 'fault', reason: 'provider_exit', exception: null }, ...observed };
    case 'threw':
      return { outcome: { kind: 'fault', reason: 'exception', exception: null }, ...observed };
  }
}

/** Only what was answered is kept: of every message that inspection reports there is an answer (evidence.md §6). */
function exchangesOf(
  transport: OpenServer['transport'],
  { request: { id, text }, exchanged }: PendingServerRequest,
): readonly Exchange<JsonText>[] {
  if (exchanged === 'lost' || exchanged.kind === 'failed') return [];
  return [
    {
      transport,
      requestId: id,
      request: text,
      response: new TextDecoder().decode(exchanged.bytes),
      stderr: exchanged.stderr,
    },
  ];
}
