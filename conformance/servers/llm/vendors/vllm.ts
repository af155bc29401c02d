/**
 * vLLM, started by `vllm serve MODEL` alone, so that it reads no calls of tools. Pages, as read on 2026-11-24:
 * docs.vllm.ai/en/latest/serving/openai_compatible_server, /features/tool_calling, /features/structured_outputs, and
 * `entrypoints/openai` of vllm-project/vllm for its errors.
 */
import { brokenChatRule, chatAnswer, CHAT_MEMBERS, ONE_CALL_MEMBER } from './chat-rules.ts';
import { shown, type Refusal, type VendorFake } from './vendor.ts';

function refused(message: string, param: string | null = null): Refusal {
  return { status: 400, body: { error: { message, type: 'BadRequestError', param, code: 400 } } };
}

/** Tokens of prompt and answer together, by model; what is not listed has room. */
const CONTEXT: ReadonlyMap<string, number> = new Map([['TinyLlama/TinyLlama-1.1B-Chat-v1.0', 2048]]);
/** Of any prompt here: nobody counts them. */
const PROMPT_TOKENS = 20;

export const VLLM: VendorFake = {
  name: 'vLLM',
  serves: (path) => path === '/v1/chat/completions',
  refuse: (request) => {
    const { body } = request;
    if (Array.isArray(body['tools']))
      return refused('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set');
    const context = CONTEXT.get(shown(body['model']));
    const room = Number(body['max_tokens'] ?? body['max_completion_tokens'] ?? 0);
    if (context !== undefined && room > context - PROMPT_TOKENS)
      return refused(
        `'max_tokens' or 'max_completion_tokens' is too large: ${room}. This model's maximum context length is ${context} tokens and your request has ${PROMPT_TOKENS} input tokens (${room} > ${context} - ${PROMPT_TOKENS}).`,
        'max_tokens',
      );
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
    return rule === null ? null : refused(rule);
  },
  answer: (turn, request, id) => ({ body: chatAnswer(turn, request, id, { reasoning_content: null }), carried: [] }),
};
