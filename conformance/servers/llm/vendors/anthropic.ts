/**
 * Anthropic, Messages. Pages, as read on 2026-11-24: platform.claude.com/docs/en/build-with-claude/extended-thinking,
 * /adaptive-thinking, /effort, /agents-and-tools/tool-use (parallel tool use), /api/messages, /api/errors, and
 * `packages/anthropic` of vercel/ai for what each model takes.
 */
import {
  changedTurn,
  memberOf,
  objectsIn,
  unknownMember,
  type Refusal,
  type VendorFake,
  type VendorRequest,
  shown,
} from './vendor.ts';

const MEMBERS = [
  'model',
  'messages',
  'max_tokens',
  'system',
  'tools',
  'tool_choice',
  'temperature',
  'top_p',
  'stop_sequences',
  'thinking',
  'output_config',
] as const;
const EFFORTS: ReadonlySet<string> = new Set(['low', 'medium', 'high', 'xhigh', 'max']);
const CHOICES: ReadonlySet<string> = new Set(['auto', 'any', 'tool', 'none']);
const ALWAYS = /fable|(?:sonnet|opus)-5-5/;
const ADAPTIVE_ONLY = /fable|-5-5|opus-4-[78]|(?:sonnet|opus)-5/;
const BUDGET_MIN = 1024;

function refused(message: string): Refusal {
  return {
    status: 400,
    body: { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_1' },
  };
}

export const ANTHROPIC_MESSAGES: VendorFake = {
  name: 'Anthropic',
  serves: (path) => path.endsWith('/messages'),
  refuse: (request) => brokenSetting(request) ?? brokenTurn(request),
  answer: (turn, { body }, id) => {
    const { thought, text, calls = [], isCut = false } = turn;
    const content = [
      ...(thought === undefined
        ? []
        : [
            { type: 'thinking', thinking: thought, signature: `Eq-${id}/+==` },
            { type: 'redacted_thinking', data: `Em-${id}+/=` },
          ]),
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: call.args })),
    ];
    return {
      carried: content,
      body: {
        id: `msg_${id}`,
        type: 'message',
        role: 'assistant',
        model: body['model'],
        content,
        stop_reason: isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 20, output_tokens: 30 },
      },
    };
  },
};

function brokenSetting({ body, headers }: VendorRequest): Refusal | null {
  const unknown = unknownMember(body, MEMBERS);
  if (unknown !== undefined) return refused(`${unknown}: Extra inputs are not permitted`);
  if (headers['anthropic-version'] === undefined) return refused('anthropic-version: header is required');
  const room = body['max_tokens'];
  if (typeof room !== 'number') return refused('max_tokens: Field required');
  const model = shown(body['model']);
  const thinking = memberOf(body, 'thinking', 'type');
  const budget = memberOf(body, 'thinking', 'budget_tokens');
  if (thinking === 'disabled' && ALWAYS.test(model))
    return refused('thinking.type: "disabled" is not supported for this model.');
  if (thinking === 'enabled' && ADAPTIVE_ONLY.test(model))
    return refused(
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
    );
  if (thinking === 'adaptive' && !ADAPTIVE_ONLY.test(model) && !/-4-6/.test(model))
    return refused('adaptive thinking is not supported on this model');
  if (typeof budget === 'number' && budget < BUDGET_MIN)
    return refused(`thinking.enabled.budget_tokens: Input should be greater than or equal to ${BUDGET_MIN}`);
  if (typeof budget === 'number' && budget >= room)
    return refused('`max_tokens` must be greater than `thinking.budget_tokens`.');
  const effort = memberOf(body, 'output_config', 'effort');
  if (effort !== undefined && !EFFORTS.has(shown(effort)))
    return refused('output_config.effort: Input should be low, medium, high, xhigh or max');
  const choice = body['tool_choice'];
  if (choice !== undefined && objectsIn(body['tools']).length === 0)
    return refused('tool_choice: may only be specified while providing tools');
  if (choice !== undefined && !CHOICES.has(shown(memberOf(choice, 'type'))))
    return refused(
      "tool_choice: Input tag 'type' does not match any of the expected tags: 'auto', 'any', 'tool', 'none'",
    );
  const isThinking = thinking === 'enabled' || thinking === 'adaptive' || ALWAYS.test(model);
  if ('temperature' in body && (isThinking || ADAPTIVE_ONLY.test(model)))
    return refused('`temperature` may only be set to 1 when thinking is enabled.');
  return null;
}

function brokenTurn(request: VendorRequest): Refusal | null {
  const blocks = objectsIn(request.body['messages']).map((message) => objectsIn(message['content']));
  for (const [at, content] of blocks.entries()) {
    const before = (blocks[at - 1] ?? []).filter(({ type }) => type === 'tool_use').map(({ id }) => id);
    const results = content.filter(({ type }) => type === 'tool_result').map((block) => block['tool_use_id']);
    const orphan = results.find((id) => !before.includes(id));
    if (orphan !== undefined)
      return refused(
        `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${shown(orphan)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    const silent = before.find((id) => !results.includes(id));
    if (silent !== undefined)
      return refused(
        `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${shown(silent)}.`,
      );
  }
  const answered = blocks.flat().flatMap((block) => (block['type'] === 'tool_result' ? [block['tool_use_id']] : []));
  return changedTurn(request, answered) === undefined
    ? null
    : refused(
        'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
      );
}
