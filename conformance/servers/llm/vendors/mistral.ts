/**
 * Mistral. Pages, as read on 2026-11-24: docs.mistral.ai/capabilities/reasoning (thinking chunks, reasoning_effort),
 * /capabilities/function_calling, /api (chat), and the errors that people report of its API.
 * `parallel_tool_calls`: the request of chat completions in its own client, @mistralai/mistralai 2.7.0, as read on
 * 2026-11-28.
 */
import { answeredCalls, brokenChatRule, chatAnswer, chatCalls, CHAT_MEMBERS, ONE_CALL_MEMBER } from './chat-rules.ts';
import { changedTurn, memberOf, objectsIn, type Refusal, type VendorFake, shown } from './vendor.ts';

const EFFORTS: ReadonlySet<string> = new Set(['none', 'high']);
const CALL_ID = /^[a-zA-Z0-9]{9}$/;

function refused(message: string, code: string): Refusal {
  return { status: 400, body: { object: 'error', message, type: 'invalid_request_error', param: null, code } };
}

export const MISTRAL: VendorFake = {
  name: 'Mistral',
  serves: (path) => path.endsWith('/chat/completions'),
  refuse: (request) => {
    const { body } = request;
    if ('reasoning_effort' in body && !EFFORTS.has(shown(body['reasoning_effort'])))
      return refused(`reasoning_effort ${shown(body['reasoning_effort'])} is not supported by this model`, '3051');
    const calls = objectsIn(body['messages']).flatMap((message) => objectsIn(message['tool_calls']));
    const badId = calls.find((call) => !CALL_ID.test(shown(call['id'])));
    if (badId !== undefined)
      return refused(`Tool call id was ${shown(badId['id'])} but must be a-z, A-Z, 0-9, with a length of 9.`, '3280');
    const rule = brokenChatRule(request, {
      members: [...CHAT_MEMBERS, ONE_CALL_MEMBER, 'max_tokens', 'random_seed', 'reasoning_effort'],
      assistant: ['role', 'content', 'prefix', 'tool_calls'],
    });
    if (rule !== null) return refused(rule, '3000');
    const isKnown = objectsIn(body['messages']).every(({ role, content }) =>
      objectsIn(content).every(
        (chunk) =>
          chunk['type'] === 'text' ||
          (role === 'user' ? chunk['type'] === 'image_url' : Array.isArray(memberOf(chunk, 'thinking'))),
      ),
    );
    return isKnown && changedTurn(request, answeredCalls(request)) === undefined
      ? null
      : refused('a thinking chunk is not as it was answered', '3000');
  },
  answer: (turn, request, id) => {
    const { thought, text } = turn;
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: thought ?? '' }], closed: true },
      ...(text === undefined ? [] : [{ type: 'text', text }]),
    ];
    return thought === undefined
      ? { body: chatAnswer(turn, request, id, {}), carried: [] }
      : { body: chatAnswer(turn, request, id, { content }), carried: [content, ...chatCalls(turn)] };
  },
};
