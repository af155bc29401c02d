/**
 * OpenAI, Responses. Pages, as read on 2026-11-24: developers.openai.com/api/docs/guides/migrate-to-responses,
 * /guides/reasoning, /guides/structured-outputs, /api/reference/resources/responses, and the errors that people report
 * of it.
 */
import {
  brokenStrictRule,
  memberOf,
  objectsIn,
  unknownMember,
  type AnsweredTurn,
  type Refusal,
  type VendorFake,
  type VendorRequest,
  shown,
} from './vendor.ts';

const MEMBERS = [
  'model',
  'input',
  'instructions',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning',
  'text',
  'max_output_tokens',
  'include',
  'store',
  'temperature',
  'top_p',
  'metadata',
] as const;
const OUTPUT_TOKENS_MIN = 16;
const EFFORTS: ReadonlySet<string> = new Set(['none', 'low', 'medium', 'high', 'xhigh', 'max']);

function refused(message: string, param: string | null, code: string | null = null): Refusal {
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param, code } } };
}

export const OPENAI_RESPONSES: VendorFake = {
  name: 'OpenAI Responses',
  serves: (path) => path.endsWith('/responses'),
  refuse: (request) => brokenMember(request) ?? brokenTools(request) ?? brokenInput(request),
  answer: (turn, { body }, id) => {
    const { thought, text, calls = [], isCut = false } = turn;
    const output = [
      ...(thought === undefined
        ? []
        : [{ id: `rs_${id}`, type: 'reasoning', summary: [], encrypted_content: `gAAAA-${id}/+${thought}=` }]),
      ...(text === undefined
        ? []
        : [
            {
              id: `msg_${id}`,
              type: 'message',
              status: 'completed',
              role: 'assistant',
              phase: calls.length > 0 ? 'commentary' : 'final_answer',
              content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
            },
          ]),
      ...calls.map((call) => ({
        id: `fc_${call.id}`,
        type: 'function_call',
        status: 'completed',
        call_id: call.id,
        name: call.name,
        arguments: JSON.stringify(call.args).replace(':', ': '),
      })),
    ];
    return {
      carried: output,
      body: {
        id: `resp_${id}`,
        object: 'response',
        created_at: 1_780_000_000,
        status: isCut ? 'incomplete' : 'completed',
        error: null,
        incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
        model: body['model'],
        output,
        usage: {
          input_tokens: 20,
          input_tokens_details: { cached_tokens: 5 },
          output_tokens: 30,
          output_tokens_details: { reasoning_tokens: 10 },
          total_tokens: 50,
        },
      },
    };
  },
};

function brokenMember({ body }: VendorRequest): Refusal | null {
  const unknown = unknownMember(body, MEMBERS);
  if (unknown !== undefined) return refused(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter');
  const room = body['max_output_tokens'];
  if (typeof room === 'number' && room < OUTPUT_TOKENS_MIN)
    return refused(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= ${OUTPUT_TOKENS_MIN}, but got ${room} instead.`,
      'max_output_tokens',
      'integer_below_min_value',
    );
  const effort = memberOf(body, 'reasoning', 'effort');
  if (effort !== undefined && !EFFORTS.has(shown(effort)))
    return refused(
      `Unsupported value: '${shown(effort)}' is not supported with the '${shown(body['model'])}' model. Supported values are: ${[...EFFORTS].join(', ')}.`,
      'reasoning.effort',
      'unsupported_value',
    );
  for (const name of ['temperature', 'top_p'] as const)
    if (name in body && effort !== 'none')
      return refused(`Unsupported parameter: '${name}' is not supported with this model.`, name);
  if (/^o\d/.test(shown(body['model'])) && 'parallel_tool_calls' in body)
    return refused(
      "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
      'parallel_tool_calls',
      'unsupported_parameter',
    );
  if (body['store'] !== false) return refused('This organisation keeps nothing: set store to false.', 'store');
  return null;
}

function brokenTools({ body }: VendorRequest): Refusal | null {
  for (const tool of objectsIn(body['tools'])) {
    // Left out, it is true here, and the schema is changed to keep its rules.
    const rule = tool['strict'] === false ? null : brokenStrictRule(tool['parameters']);
    if (rule !== null)
      return refused(`Invalid schema for function '${shown(tool['name'])}': ${rule}`, 'tools[0].parameters');
  }
  const format = memberOf(body, 'text', 'format');
  const rule = memberOf(format, 'strict') === true ? brokenStrictRule(memberOf(format, 'schema')) : null;
  if (rule !== null)
    return refused(
      `Invalid schema for response_format 'response': ${rule}`,
      'text.format.schema',
      'invalid_json_schema',
    );
  return null;
}

function brokenInput({ body, text, answered: input }: VendorRequest): Refusal | null {
  const items = objectsIn(body['input']);
  const called = items.filter((item) => item['type'] === 'function_call').map((item) => item['call_id']);
  const answered = items.filter((item) => item['type'] === 'function_call_output').map((item) => item['call_id']);
  const orphan = answered.find((id) => !called.includes(id));
  if (orphan !== undefined)
    return refused(`No tool call found for function call output with call_id ${shown(orphan)}.`, 'input');
  const silent = called.find((id) => !answered.includes(id));
  if (silent !== undefined) return refused(`No tool output found for function call ${shown(silent)}.`, 'input');
  const isWhole = ({ pieces }: AnsweredTurn): boolean => pieces.every((piece) => text.includes(piece));
  const changed = input.find((turn) => turn.calls.some((id) => answered.includes(id)) && !isWhole(turn));
  if (changed === undefined) return null;
  return items.some((item) => item['type'] === 'reasoning')
    ? refused(
        'The encrypted content could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
        'input',
        'invalid_encrypted_content',
      )
    : refused(
        `Item 'fc_${changed.calls[0] ?? ''}' of type 'function_call' was provided without its required 'reasoning' item.`,
        'input',
      );
}
