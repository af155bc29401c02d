/**
 * Groq. Pages, as read on 2026-11-24: console.groq.com/docs/reasoning, /docs/api-reference (chat completions),
 * /docs/structured-outputs, and the errors that people report of its API. What it says of waiting with 429
 * (console.groq.com/docs/rate-limits, as read on 2026-11-28) is in adapters/llm/retry/requested-wait.test.ts.
 * `parallel_tool_calls`: the request of chat completions in its own client, groq-sdk 1.6.0, as read on 2026-11-28.
 */
import { answeredCalls, brokenChatRule, chatAnswer, chatCalls, CHAT_MEMBERS, ONE_CALL_MEMBER } from './chat-rules.ts';
import { changedTurn, type Refusal, type VendorFake, shown } from './vendor.ts';

function refused(message: string): Refusal {
  return { status: 400, body: { error: { message, type: 'invalid_request_error' } } };
}

export const GROQ: VendorFake = {
  name: 'Groq',
  serves: (path) => path.endsWith('/chat/completions'),
  refuse: (request) => {
    const { body } = request;
    const isQwen = shown(body['model']).includes('qwen3');
    const efforts = isQwen ? ['none', 'default'] : ['low', 'medium', 'high'];
    if ('reasoning_effort' in body && !efforts.includes(shown(body['reasoning_effort'])))
      return refused(`\`reasoning_effort\` must be one of \`${efforts.join('`, `')}\``);
    if ('reasoning_format' in body && !isQwen) return refused('`reasoning_format` is not supported with this model');
    if (body['reasoning_format'] === 'raw' && Array.isArray(body['tools']))
      return refused('`reasoning_format` raw is not supported with tool use');
    const rule = brokenChatRule(request, {
      members: [
        ...CHAT_MEMBERS,
        ONE_CALL_MEMBER,
        'max_tokens',
        'max_completion_tokens',
        'reasoning_effort',
        'reasoning_format',
      ],
      assistant: ['role', 'content', 'reasoning', 'tool_calls'],
    });
    if (rule !== null) return refused(rule);
    return changedTurn(request, answeredCalls(request)) === undefined
      ? null
      : refused('the reasoning of a turn was lost');
  },
  answer: (turn, request, id) => ({
    body: chatAnswer(turn, request, id, { reasoning: turn.thought ?? '' }),
    carried: [turn.thought ?? '', ...chatCalls(turn)],
  }),
};
