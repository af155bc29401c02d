/**
 * Amazon Bedrock, Converse, with Claude behind it. Pages, as read on 2026-11-24:
 * docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html, API_runtime_ReasoningContentBlock.html,
 * API_runtime_ReasoningTextBlock.html, /userguide/claude-messages-adaptive-thinking.html, -extended-thinking.html.
 */
import { isObject } from '../../is-object.ts';
import { changedTurn, memberOf, objectsIn, unknownMember, shown, type Refusal, type VendorFake } from './vendor.ts';

const MEMBERS = [
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'additionalModelRequestFields',
  'additionalModelResponseFieldPaths',
] as const;
const FIELDS = [
  'thinking',
  'output_config',
  'reasoningConfig',
  'reasoning_effort',
  'reasoning',
  'tool_choice',
] as const;
/** Claude before 4.5 takes no choice of tools with the switch for one call. */
const WITH_SWITCH = /claude-(?:(?:opus|sonnet|haiku)-(?:4-[5-9]|[5-9])|fable)/;
const BUDGET_MIN = 1024;

function refused(message: string): Refusal {
  return { status: 400, body: { message } };
}

export const BEDROCK_CONVERSE: VendorFake = {
  name: 'Bedrock',
  serves: (path) => path.endsWith('/converse'),
  refuse: (request) => {
    const { body } = request;
    const fields = body['additionalModelRequestFields'];
    const unknown = unknownMember(body, MEMBERS) ?? (isObject(fields) ? unknownMember(fields, FIELDS) : undefined);
    if (unknown !== undefined)
      return refused(`The model returned the following errors: ${unknown}: Extra inputs are not permitted`);
    const choice = memberOf(fields, 'tool_choice');
    if (choice !== undefined && !WITH_SWITCH.test(request.path))
      return refused(
        'Malformed input request: #/tool_choice: extraneous key [disable_parallel_tool_use] is not permitted, please reformat your input and try again.',
      );
    if (choice !== undefined && memberOf(choice, 'type') === undefined)
      return refused('The model returned the following errors: tool_choice.type: Field required');
    const thinking = memberOf(fields, 'thinking', 'type');
    const budget = memberOf(fields, 'thinking', 'budget_tokens');
    const room = Number(memberOf(body, 'inferenceConfig', 'maxTokens'));
    if (typeof budget === 'number' && (budget < BUDGET_MIN || budget >= room))
      return refused(
        'The model returned the following errors: `max_tokens` must be greater than `thinking.budget_tokens`.',
      );
    if (
      thinking !== undefined &&
      thinking !== 'disabled' &&
      memberOf(body, 'inferenceConfig', 'temperature') !== undefined
    )
      return refused(
        'The model returned the following errors: `temperature` may only be set to 1 when thinking is enabled.',
      );
    const blocks = objectsIn(body['messages']).map((message) => objectsIn(message['content']));
    for (const [at, content] of blocks.entries()) {
      const called = (blocks[at - 1] ?? []).flatMap((block) => memberOf(block, 'toolUse', 'toolUseId') ?? []);
      const answered = content.flatMap((block) => memberOf(block, 'toolResult', 'toolUseId') ?? []);
      if (answered.length > called.length)
        return refused(
          `The number of toolResult blocks at messages.${at}.content exceeds the number of toolUse blocks of previous turn.`,
        );
      if (called.some((id) => !answered.includes(id)))
        return refused(
          `Expected toolResult blocks at messages.${at}.content for the following Ids: ${called.map(shown).join(', ')}`,
        );
    }
    const results = blocks.flat().flatMap((block) => memberOf(block, 'toolResult', 'toolUseId') ?? []);
    return changedTurn(request, results) === undefined
      ? null
      : refused(
          'The model returned the following errors: messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
        );
  },
  answer: ({ thought, text, calls = [], isCut = false }, _request, id) => {
    const content = [
      ...(thought === undefined
        ? []
        : [
            { reasoningContent: { reasoningText: { text: thought, signature: `Eq-${id}/+==` } } },
            { reasoningContent: { redactedContent: 'UmVkYWN0ZWQ=' } },
          ]),
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map((call) => ({ toolUse: { toolUseId: call.id, name: call.name, input: call.args } })),
    ];
    return {
      carried: content,
      body: {
        metrics: { latencyMs: 1 },
        output: { message: { role: 'assistant', content } },
        stopReason: isCut ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn',
        usage: { inputTokens: 20, outputTokens: 30, totalTokens: 50 },
      },
    };
  },
};
