import { canonicalJson } from '../../../contract/json/canonical.ts';
import { documentLimits, parseJsonText } from '../../../contract/json/parse.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { RunWitness } from '../../service/embedding/types.ts';
import { renderJsonAnswer, type GatewayAnswer } from '../http/answers.ts';
import { metaOf, type Era } from '../../../contract/mcp/era.ts';
import type { Message } from '../../../contract/mcp/message.ts';
import { RPC, resultOf, resultText } from '../../../contract/mcp/rpc.ts';
import { rpcError } from '../protocol/rpc-error.ts';
import type { KeyState, KeyTicket } from '../repeated/keyed-calls.ts';
import { STORED_ANSWER_BYTES, type StoredAnswer } from '../repeated/lines.ts';
import { repeatedCall, type Answering, type ToolCallEnd, type RunEnded } from './outcome.ts';

/** Characters of a key (gateway.md §12). */
const KEY_LENGTH = 128;

/** The key of a call; null without one, `invalid` for what none may be. */
export function readCallKey(message: Message): { readonly key: string } | 'invalid' | null {
  const key = metaOf(message)?.get('svc/idempotency_key');
  if (key === undefined) return null;
  return typeof key === 'string' && key !== '' && key.length <= KEY_LENGTH ? { key } : 'invalid';
}

/** The answer to a call whose key is known, or cannot be known; null: it is not. */
export function answerToKey(keyState: KeyState, answering: Answering): GatewayAnswer | null {
  const { id, era } = answering;
  switch (keyState.kind) {
    case 'new':
    case 'absent':
      return null;
    case 'running':
      return rpcError(429, id, RPC.busy, { reason: 'duplicate_in_progress' });
    case 'full':
      return rpcError(429, id, RPC.busy, { reason: 'keys_exhausted' });
    case 'fenced':
      return rpcError(503, id, RPC.unavailable, { reason: 'keys_unavailable' });
    case 'other_arguments':
      return rpcError(200, id, RPC.params, { reason: 'idempotency_key' });
    case 'ended':
      return renderJsonAnswer(
        200,
        keyState.answer === null ? repeatedCall(answering, keyState) : resultText(id, answeredIn(era, keyState.answer)),
      );
  }
}

const LIMITS = documentLimits(STORED_ANSWER_BYTES);

/** As a client of this revision is answered. */
function answeredIn(era: Era, { era: stored, result }: StoredAnswer): string {
  const parsed = era === stored ? null : parseJsonText(result, LIMITS);
  const value = parsed?.ok === true ? valueOf(parsed.root) : undefined;
  if (!isJsonObject(value)) return result;
  const members = new Map<string, JsonValue>(value);
  if (era === 'modern') members.set('resultType', 'complete');
  else members.delete('resultType');
  return canonicalJson(members);
}

/**
 * Puts on record how a call with a key ended, behind what else is put on record of it; `isKnown`: whether that says how
 * it ended.
 */
export function keyedWitness(
  ticket: KeyTicket,
  inner: RunWitness | null,
  {
    answering,
    endedAs,
    isKnown,
  }: {
    readonly answering: Answering;
    readonly endedAs: (end: RunEnded) => ToolCallEnd;
    readonly isKnown: () => boolean;
  },
): RunWitness {
  return {
    begins: async () => (await ticket.begins()) && (inner === null || (await inner.begins())),
    ended: async (end) => {
      await inner?.ended(end);
      if (end.kind === 'refused' || (end.envelope.execution.state === 'not_started' && end.effects === 'none')) {
        await ticket.withdraw();
        return;
      }
      const { outcome, text } = endedAs(end);
      await ticket.ended(
        outcome === 'internal_error' || !isKnown()
          ? null
          : { era: answering.era, result: resultOf(answering.id, text) },
      );
    },
  };
}
