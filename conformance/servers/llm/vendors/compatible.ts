/**
 * A server of one's own that speaks chat completions, as vLLM does with a thinking model of DeepSeek or Moonshot.
 * Pages, as read on 2026-11-24: docs.vllm.ai/en/latest/features/reasoning_outputs, /serving/openai_compatible_server,
 * platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model (reasoning_content goes back).
 */
import { answeredCalls, brokenChatRule, chatAnswer, chatCalls, CHAT_MEMBERS, ONE_CALL_MEMBER } from './chat-rules.ts';
import { changedTurn, type Refusal, type VendorFake } from './vendor.ts';

function refused(message: string): Refusal {
  return { status: 400, body: { error: { message, type: 'BadRequestError', param: null, code: 400 } } };
}

export const COMPATIBLE: VendorFake = {
  name: 'openai-compat',
  serves: (path) => path.endsWith('/chat/completions'),
  refuse: (request) => {
    const rule = brokenChatRule(request, {
      members: [
        ...CHAT_MEMBERS,
        ONE_CALL_MEMBER,
        'max_tokens',
        'max_completion_tokens',
        'reasoning_effort',
        'chat_template_kwargs',
      ],
      assistant: ['role', 'content', 'reasoning', 'reasoning_content', 'tool_calls'],
    });
    if (rule !== null) return refused(rule);
    return changedTurn(request, answeredCalls(request)) === undefined
      ? null
      : refused('thinking is enabled but reasoning_content is missing in assistant tool call message');
  },
  answer: (turn, request, id) => ({
    body: chatAnswer(turn, request, id, { reasoning_content: turn.thought ?? null }),
    carried: [...(turn.thought === undefined ? [] : [turn.thought]), ...chatCalls(turn)],
  }),
};
