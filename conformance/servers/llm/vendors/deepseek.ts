/**
 * DeepSeek. Pages, as read on 2026-11-24: api-docs.deepseek.com/guides/thinking_mode, /guides/function_calling,
 * /guides/json_mode, and the errors that people report of its API.
 * `parallel_tool_calls` is in nothing that was found of it on 2026-11-28; of its reference of chat completions
 * (platform.deepseek.com/api-docs/api/create-chat-completion) only the beginning could be read. Refusing the member
 * here makes sure that it is not sent.
 */
import { answeredCalls, brokenChatRule, chatAnswer, chatCalls, CHAT_MEMBERS } from './chat-rules.ts';
import { changedTurn, memberOf, objectsIn, type Refusal, type VendorFake, shown } from './vendor.ts';

const EFFORTS: ReadonlySet<string> = new Set(['low', 'high', 'max']);

function refused(message: string): Refusal {
  return {
    status: 400,
    body: { error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error' } },
  };
}

export const DEEPSEEK: VendorFake = {
  name: 'DeepSeek',
  serves: (path) => path.endsWith('/chat/completions'),
  refuse: (request) => {
    const { body } = request;
    const rule = brokenChatRule(request, {
      members: [...CHAT_MEMBERS, 'max_tokens', 'thinking', 'reasoning_effort'],
      assistant: ['role', 'content', 'reasoning_content', 'tool_calls'],
    });
    if (rule !== null) return refused(rule);
    if (memberOf(body, 'response_format', 'type') === 'json_schema')
      return refused('This response_format type is unavailable now');
    if ('reasoning_effort' in body && !EFFORTS.has(shown(body['reasoning_effort'])))
      return refused(`reasoning_effort: Input should be ${[...EFFORTS].join(', ')}`);
    const thinks = memberOf(body, 'thinking', 'type') !== 'disabled' && body['model'] !== 'deepseek-chat';
    const calling = objectsIn(body['messages']).filter((message) => 'tool_calls' in message);
    const isMissing = calling.some((message) => typeof message['reasoning_content'] !== 'string');
    return thinks && (isMissing || changedTurn(request, answeredCalls(request)) !== undefined)
      ? refused('The `reasoning_content` in the thinking mode must be passed back to the API.')
      : null;
  },
  answer: (turn, request, id) => ({
    body: chatAnswer(turn, request, id, { reasoning_content: turn.thought ?? '' }),
    carried: [turn.thought ?? '', ...chatCalls(turn)],
  }),
};
