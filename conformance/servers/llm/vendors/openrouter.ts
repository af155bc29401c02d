/**
 * OpenRouter with a model of Anthropic behind it. Pages, as read on 2026-11-24:
 * openrouter.ai/docs/use-cases/reasoning-tokens ("Preserving reasoning"), /docs/api-reference/errors,
 * /docs/api-reference/chat-completion.
 */
import { answeredCalls, brokenChatRule, chatAnswer, chatCalls, CHAT_MEMBERS, ONE_CALL_MEMBER } from './chat-rules.ts';
import { changedTurn, memberOf, type Refusal, type VendorFake, shown } from './vendor.ts';

const EFFORTS: ReadonlySet<string> = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

/** Models that no vendor offers with tools. */
const WITHOUT_TOOLS = /distill/;

function refused(message: string): Refusal {
  return { status: 400, body: { error: { code: 400, message, metadata: { provider_name: 'Anthropic' } } } };
}

export const OPENROUTER: VendorFake = {
  name: 'OpenRouter',
  serves: (path) => path.endsWith('/chat/completions'),
  refuse: (request) => {
    const { body } = request;
    if (WITHOUT_TOOLS.test(shown(body['model'])) && Array.isArray(body['tools']))
      return { status: 404, body: { error: { message: 'No endpoints found that support tool use.', code: 404 } } };
    const rule = brokenChatRule(request, {
      members: [
        ...CHAT_MEMBERS,
        ONE_CALL_MEMBER,
        'max_tokens',
        'max_completion_tokens',
        'reasoning',
        'usage',
        'provider',
      ],
      assistant: ['role', 'content', 'reasoning', 'reasoning_details', 'tool_calls'],
    });
    if (rule !== null) return refused(rule);
    const effort = memberOf(body, 'reasoning', 'effort');
    if (effort !== undefined && !EFFORTS.has(shown(effort))) return refused('reasoning.effort: Invalid option');
    return changedTurn(request, answeredCalls(request)) === undefined
      ? null
      : refused('messages.1.content.0: `thinking` blocks in the latest assistant message cannot be modified.');
  },
  answer: (turn, request, id) => {
    const { thought } = turn;
    const details =
      thought === undefined
        ? []
        : [
            {
              type: 'reasoning.text',
              text: thought,
              signature: `sig-${id}/+=`,
              format: 'anthropic-claude-v1',
              index: 0,
            },
            { type: 'reasoning.encrypted', data: `enc-${id}`, id: `r-${id}`, format: 'anthropic-claude-v1', index: 1 },
          ];
    return {
      body: chatAnswer(turn, request, id, { refusal: null, reasoning: thought ?? null, reasoning_details: details }),
      carried: [details, ...chatCalls(turn)],
    };
  },
};
