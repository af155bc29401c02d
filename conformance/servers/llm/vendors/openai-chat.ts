/**
 * OpenAI, chat completions. Pages, as read on 2026-11-24: developers.openai.com/api/reference/resources/chat,
 * /api/docs/guides/reasoning, /guides/structured-outputs, and the errors that people report of GPT-5.4 to 5.6.
 */
import { answeredCalls, brokenChatRule, chatAnswer, CHAT_MEMBERS, ONE_CALL_MEMBER } from './chat-rules.ts';
import { changedTurn, type Refusal, type VendorFake, shown } from './vendor.ts';

const THINKS = /^(?:o\d|gpt-[5-9](?!-chat))/;

/** The o-series takes `parallel_tool_calls` with no value at all. */
const WITHOUT_SWITCH = /^o\d/;

function refused(message: string, param: string | null, code: string | null = null): Refusal {
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param, code } } };
}

export const OPENAI_CHAT: VendorFake = {
  name: 'OpenAI chat',
  serves: (path) => path.endsWith('/chat/completions'),
  refuse: (request) => {
    const { body } = request;
    const model = shown(body['model']);
    const thinks = THINKS.test(model);
    if (thinks && 'max_tokens' in body)
      return refused(
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        'max_tokens',
        'unsupported_parameter',
      );
    if (!thinks && 'reasoning_effort' in body)
      return refused('Unrecognized request argument supplied: reasoning_effort', null);
    if (thinks && Array.isArray(body['tools']) && body['reasoning_effort'] !== 'none')
      return refused(
        `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
        'reasoning_effort',
      );
    for (const name of ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'])
      if (thinks && name in body && body['reasoning_effort'] !== 'none')
        return refused(
          `Unsupported parameter: '${name}' is not supported with this model.`,
          name,
          'unsupported_parameter',
        );
    if (WITHOUT_SWITCH.test(model) && ONE_CALL_MEMBER in body)
      return refused(
        `Unsupported parameter: '${ONE_CALL_MEMBER}' is not supported with this model.`,
        ONE_CALL_MEMBER,
        'unsupported_parameter',
      );
    const rule = brokenChatRule(request, {
      members: [
        ...CHAT_MEMBERS,
        ONE_CALL_MEMBER,
        'max_tokens',
        'max_completion_tokens',
        'reasoning_effort',
        'store',
        'verbosity',
      ],
      assistant: ['role', 'content', 'refusal', 'name', 'tool_calls'],
    });
    if (rule !== null) return refused(rule, null);
    return changedTurn(request, answeredCalls(request)) === undefined ? null : refused('Invalid messages.', 'messages');
  },
  // This API returns no reasoning, so there is nothing to carry.
  answer: (turn, request, id) => ({
    body: chatAnswer(turn, request, id, { refusal: null, annotations: [] }),
    carried: [],
  }),
};
