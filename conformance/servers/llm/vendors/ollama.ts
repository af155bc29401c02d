/**
 * Ollama, /api/chat. Pages, as read on 2026-11-24: docs.ollama.com/api/chat, /capabilities/thinking,
 * /capabilities/tool-calling, /context-length, and `api/types.go` of ollama/ollama.
 */
import { memberOf, objectsIn, unknownMember, type Refusal, type VendorFake, shown } from './vendor.ts';

const MEMBERS = [
  'model',
  'messages',
  'tools',
  'format',
  'options',
  'stream',
  'think',
  'keep_alive',
  'truncate',
  'shift',
] as const;
const OPTIONS: ReadonlySet<string> = new Set(['num_predict', 'num_ctx', 'temperature', 'top_p', 'seed', 'stop']);
/** Of a machine with less than 24 GiB for models. */
const CONTEXT_TOKENS = 4096;
const BYTES_A_TOKEN = 4;
/** Models whose template has no place for tools. */
const WITHOUT_TOOLS = /^(?:gemma3|deepseek-r1)\b/;
const THINK: ReadonlySet<unknown> = new Set([true, false, 'low', 'medium', 'high']);

function refused(error: string): Refusal {
  return { status: 400, body: { error } };
}

export const OLLAMA_CHAT: VendorFake = {
  name: 'Ollama',
  serves: (path) => path === '/api/chat',
  refuse: ({ body, text, answered }) => {
    const model = shown(body['model']);
    const unknown = unknownMember(body, MEMBERS);
    if (unknown !== undefined) return refused(`unknown field ${unknown}`);
    if (body['stream'] !== false) return refused('this client reads one answer: set stream to false');
    const option = Object.keys(Object(body['options'])).find((name) => !OPTIONS.has(name));
    if (option !== undefined) return refused(`invalid option provided: ${option}`);
    const tokens = Math.ceil(JSON.stringify([body['messages'], body['tools']]).length / BYTES_A_TOKEN);
    const room = Number(memberOf(body, 'options', 'num_ctx') ?? CONTEXT_TOKENS);
    // A prompt that is cut is seen by its answers alone, and here at once; with `truncate` false there too.
    if (tokens + Number(memberOf(body, 'options', 'num_predict') ?? 0) > room)
      return refused('the input length exceeds the context length');
    if (WITHOUT_TOOLS.test(model) && Array.isArray(body['tools']))
      return refused(`registry.ollama.ai/library/${model} does not support tools`);
    if ('think' in body && !THINK.has(body['think']))
      return refused(
        `invalid think value: "${shown(body['think'])}" (must be "high", "medium", "low", true, or false)`,
      );
    const messages = objectsIn(body['messages']);
    const isCall = (call: Record<string, unknown>): boolean =>
      typeof memberOf(call, 'function', 'arguments') === 'object';
    if (!messages.every((message) => objectsIn(message['tool_calls']).every(isCall)))
      return refused('json: cannot unmarshal string into Go struct field ToolCallFunction.arguments');
    const results = messages.filter(({ role }) => role === 'tool');
    if (results.some((result) => typeof result['tool_name'] !== 'string'))
      return refused('a tool result names its tool');
    // A server of one's own keeps nothing: that a thought is lost is seen by its answers alone, and here at once.
    const turns = messages.filter(({ role }) => role === 'assistant').length;
    const before = answered.slice(0, Math.max(results.length, turns));
    return before.every(({ pieces }) => pieces.every((piece) => text.includes(piece)))
      ? null
      : refused('the thinking of a turn was lost');
  },
  answer: ({ thought, text, calls = [], isCut = false }, { body }) => {
    const called = calls.map(({ name, args }, index) => ({ function: { index, name, arguments: args } }));
    return {
      carried: [...(thought === undefined ? [] : [thought]), ...called],
      body: {
        model: body['model'],
        created_at: '2026-11-24T00:00:00Z',
        message: {
          role: 'assistant',
          content: text ?? '',
          ...(thought !== undefined && { thinking: thought }),
          ...(called.length > 0 && { tool_calls: called }),
        },
        done: true,
        done_reason: isCut ? 'length' : 'stop',
        prompt_eval_count: 20,
        eval_count: 30,
      },
    };
  },
};
