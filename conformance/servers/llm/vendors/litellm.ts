/**
 * LiteLLM, the proxy, with a model of Anthropic behind it. Pages, as read on 2026-11-24: docs.litellm.ai/docs/proxy/
 * configs, /docs/proxy/user_keys, /docs/completion/input (parameters that a model does not take, `drop_params`), and
 * the errors that people report of it.
 */
import { answeredCalls, brokenChatRule, chatAnswer, CHAT_MEMBERS, ONE_CALL_MEMBER } from './chat-rules.ts';
import { changedTurn, shown, type Refusal, type VendorFake } from './vendor.ts';

function refused(message: string): Refusal {
  return { status: 400, body: { error: { message, type: null, param: null, code: '400' } } };
}

/** What Anthropic lacks and LiteLLM does not leave out by itself. */
const FOREIGN = ['seed', 'presence_penalty', 'frequency_penalty'] as const;

export const LITELLM: VendorFake = {
  name: 'LiteLLM',
  serves: (path) => path.endsWith('/chat/completions'),
  refuse: (request) => {
    const { body } = request;
    const foreign = FOREIGN.find((name) => name in body);
    if (foreign !== undefined)
      return refused(
        `litellm.UnsupportedParamsError: anthropic does not support parameters: ['${foreign}'], for model=${shown(body['model'])}. To drop these, set \`litellm.drop_params=True\` or for proxy:\n\n\`litellm_settings:\n drop_params: true\`\n`,
      );
    const rule = brokenChatRule(request, {
      members: [
        ...CHAT_MEMBERS,
        ONE_CALL_MEMBER,
        'max_tokens',
        'max_completion_tokens',
        'reasoning_effort',
        'metadata',
        'user',
      ],
      assistant: ['role', 'content', 'reasoning_content', 'thinking_blocks', 'tool_calls'],
    });
    if (rule !== null) return refused(`litellm.BadRequestError: AnthropicException - ${rule}`);
    return changedTurn(request, answeredCalls(request)) === undefined
      ? null
      : refused('litellm.BadRequestError: AnthropicException - a turn is not as it was answered');
  },
  answer: (turn, request, id) => ({ body: chatAnswer(turn, request, id, {}), carried: [] }),
};
