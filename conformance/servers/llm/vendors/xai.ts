/**
 * xAI, chat completions. Pages, as read on 2026-11-24: docs.x.ai/guides/reasoning, /docs/guides/chat,
 * /docs/guides/function-calling (the whole message goes back), /docs/api-reference.
 * `parallel_tool_calls`, of which false holds the model to one call: its own xai-proto, proto/xai/api/v1/chat.proto,
 * as read on 2026-11-28; that is its gRPC interface, and the HTTP reference could not be read for it.
 */
import { answeredCalls, brokenChatRule, chatAnswer, chatCalls, CHAT_MEMBERS, ONE_CALL_MEMBER } from './chat-rules.ts';
import { changedTurn, type Refusal, type VendorFake, shown } from './vendor.ts';

const EFFORTS: ReadonlySet<string> = new Set(['low', 'medium', 'high']);

function refused(error: string): Refusal {
  return { status: 400, body: { code: 'Client specified an invalid argument', error } };
}

export const XAI: VendorFake = {
  name: 'xAI',
  serves: (path) => path.endsWith('/chat/completions'),
  refuse: (request) => {
    const { body } = request;
    for (const name of ['presence_penalty', 'frequency_penalty', 'stop'])
      if (name in body) return refused(`Argument not supported on this model: ${name}`);
    if ('reasoning_effort' in body && !EFFORTS.has(shown(body['reasoning_effort'])))
      return refused(`Model ${shown(body['model'])} does not support this value of parameter reasoningEffort.`);
    const rule = brokenChatRule(request, {
      members: [...CHAT_MEMBERS, ONE_CALL_MEMBER, 'max_tokens', 'max_completion_tokens', 'reasoning_effort'],
      assistant: ['role', 'content', 'refusal', 'reasoning_content', 'tool_calls'],
    });
    if (rule !== null) return refused(rule);
    return changedTurn(request, answeredCalls(request)) === undefined
      ? null
      : refused('a turn is not as it was answered');
  },
  answer: (turn, request, id) => ({
    body: chatAnswer(turn, request, id, { reasoning_content: turn.thought ?? '', refusal: null }),
    carried: [turn.thought ?? '', ...chatCalls(turn)],
  }),
};
