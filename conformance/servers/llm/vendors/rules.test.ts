import { expect } from 'chai';
import { VENDOR_FAKES, type VendorFakeName } from './vendors.ts';
import type { VendorRequest } from './vendor.ts';

const PATHS: Readonly<Record<VendorFakeName, string>> = {
  responses: '/v1/responses',
  chat: '/v1/chat/completions',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/gemini-3.6-flash:generateContent',
  deepseek: '/v1/chat/completions',
  openrouter: '/api/v1/chat/completions',
  bedrock: '/model/anthropic.claude/converse',
  groq: '/openai/v1/chat/completions',
  xai: '/v1/chat/completions',
  mistral: '/v1/chat/completions',
  ollama: '/api/chat',
  compatible: '/v1/chat/completions',
  vllm: '/v1/chat/completions',
  litellm: '/v1/chat/completions',
};

const USER = { role: 'user', content: 'x' };
const CALLING = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'callAAAA1', type: 'function', function: { name: 'find', arguments: '{}' } }],
};
const RESULT = { role: 'tool', tool_call_id: 'callAAAA1', content: 'x' };
const TOOL = { type: 'function', function: { name: 'find', parameters: { type: 'object' } } };
const OPEN = { type: 'object', properties: { n: { type: 'integer' } } };
const format = (schema: unknown) => ({ type: 'json_schema', json_schema: { name: 'r', strict: true, schema } });
const responses = (rest: object) => ({ model: 'gpt-5.6-sol', input: [USER], store: false, ...rest });
const claude = (rest: object) => ({ model: 'claude-haiku-4-5', max_tokens: 4096, messages: [], ...rest });

/** What a vendor refuses, and words of its error. */
const ROWS: readonly (readonly [VendorFakeName, string, object, RegExp])[] = [
  ['responses', 'a member that it does not know', responses({ messages: [] }), /Unknown parameter: 'messages'/],
  ['responses', 'fewer than 16 tokens', responses({ max_output_tokens: 1 }), />= 16/],
  ['responses', 'an effort of other models', responses({ reasoning: { effort: 'minimal' } }), /Supported values are/],
  [
    'responses',
    'a temperature of a model that thinks',
    responses({ temperature: 0.2 }),
    /'temperature' is not supported/,
  ],
  [
    'responses',
    'a strict schema that breaks the rules',
    responses({ text: { format: { type: 'json_schema', strict: true, schema: OPEN } } }),
    /'additionalProperties' is required/,
  ],
  [
    'responses',
    'a tool that is strict because nothing was said',
    responses({ tools: [{ type: 'function', name: 'find', parameters: OPEN }] }),
    /Invalid schema for function 'find'/,
  ],
  [
    'responses',
    'a result without its call',
    responses({ input: [{ type: 'function_call_output', call_id: 'c', output: 'x' }] }),
    /No tool call found/,
  ],
  [
    'responses',
    'a call without its result',
    responses({ input: [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' }] }),
    /No tool output found/,
  ],
  [
    'chat',
    'max_tokens of a model that thinks',
    { model: 'gpt-5', messages: [USER], max_tokens: 9 },
    /max_completion_tokens/,
  ],
  [
    'chat',
    'tools of GPT-5.6 that thinks',
    { model: 'gpt-5.6-sol', messages: [USER], tools: [TOOL] },
    /use \/v1\/responses/,
  ],
  [
    'chat',
    'an effort of a model without',
    { model: 'gpt-4o', messages: [USER], reasoning_effort: 'low' },
    /reasoning_effort/,
  ],
  ['chat', 'a temperature beside thought', { model: 'o3', messages: [USER], temperature: 1 }, /'temperature'/],
  ['chat', 'a strict schema', { model: 'gpt-4o', messages: [USER], response_format: format(OPEN) }, /Invalid schema/],
  [
    'chat',
    'JSON that nobody named',
    { model: 'gpt-4o', messages: [USER], response_format: { type: 'json_object' } },
    /'json'/,
  ],
  ['chat', 'a result without its call', { model: 'gpt-4o', messages: [USER, RESULT] }, /preceeding message/],
  [
    'chat',
    'a call without its result',
    { model: 'gpt-4o', messages: [CALLING, USER] },
    /must be followed by tool messages/,
  ],
  [
    'chat',
    'what it does not know',
    { model: 'gpt-4o', messages: [USER], thinking: {} },
    /Unrecognized request argument/,
  ],
  [
    'chat',
    'the switch for one call of a model of the o-series',
    { model: 'o3', messages: [USER], reasoning_effort: 'none', tools: [TOOL], parallel_tool_calls: false },
    /'parallel_tool_calls' is not supported/,
  ],
  [
    'chat',
    'the switch for one call without tools',
    { model: 'gpt-4o', messages: [USER], parallel_tool_calls: false },
    /only allowed when 'tools'/,
  ],
  ['responses', 'the same', responses({ model: 'o3', parallel_tool_calls: false }), /'parallel_tool_calls' is not/],
  [
    'deepseek',
    'the switch for one call, which it does not know',
    { model: 'deepseek-chat', messages: [USER], tools: [TOOL], parallel_tool_calls: false },
    /Unrecognized .*parallel_tool_calls/,
  ],
  [
    'anthropic',
    'a choice of tools without any',
    claude({ tool_choice: { type: 'auto', disable_parallel_tool_use: true } }),
    /while providing tools/,
  ],
  [
    'bedrock',
    'the switch for one call of an older Claude',
    {
      messages: [],
      additionalModelRequestFields: { tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    },
    /extraneous key/,
  ],
  ['anthropic', 'what it does not know', claude({ seed: 1 }), /seed: Extra inputs are not permitted/],
  [
    'anthropic',
    'a temperature beside thought',
    claude({ temperature: 0.5, thinking: { type: 'enabled', budget_tokens: 1024 } }),
    /may only be set to 1/,
  ],
  [
    'anthropic',
    'a budget beyond the room',
    claude({ thinking: { type: 'enabled', budget_tokens: 4096 } }),
    /greater than/,
  ],
  [
    'anthropic',
    'a budget of a model that adapts',
    claude({ model: 'claude-opus-4-8', thinking: { type: 'enabled', budget_tokens: 1024 } }),
    /thinking.type.adaptive/,
  ],
  [
    'anthropic',
    'no thought of a model that always thinks',
    claude({ model: 'claude-fable-5', thinking: { type: 'disabled' } }),
    /disabled/,
  ],
  [
    'anthropic',
    'a result without its call',
    claude({ messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'x' }] }] }),
    /unexpected `tool_use_id`/,
  ],
  ['gemini', 'what it does not know', { contents: [], messages: [] }, /Unknown name .*messages/],
  [
    'gemini',
    'a level and a budget',
    { contents: [], generationConfig: { thinkingConfig: { thinkingLevel: 'low', thinkingBudget: 1 } } },
    /only one/,
  ],
  [
    'gemini',
    'a call that is not signed',
    {
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'find', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'find', response: {} } }] },
      ],
    },
    /missing a thought_signature/,
  ],
  [
    'deepseek',
    'a turn without its thought',
    { model: 'deepseek-v4-pro', messages: [CALLING, RESULT] },
    /reasoning_content/,
  ],
  [
    'deepseek',
    'a schema',
    { model: 'deepseek-v4-pro', messages: [USER], response_format: format({}) },
    /response_format/,
  ],
  [
    'openrouter',
    'what it does not know',
    { model: 'm', messages: [USER], reasoning_effort: 'low' },
    /reasoning_effort/,
  ],
  ['bedrock', 'what it does not know', { messages: [], tools: [] }, /Extra inputs/],
  [
    'bedrock',
    'more results than calls',
    { messages: [{ role: 'user', content: [{ toolResult: { toolUseId: 'c', content: [] } }] }] },
    /exceeds the number of toolUse/,
  ],
  [
    'groq',
    'an effort of other models',
    { model: 'qwen/qwen3-32b', messages: [USER], reasoning_effort: 'high' },
    /must be one of/,
  ],
  [
    'groq',
    'a member of others',
    { model: 'm', messages: [{ ...CALLING, reasoning_content: 'x' }, RESULT] },
    /is unsupported/,
  ],
  ['xai', 'a penalty', { model: 'grok-4.6', messages: [USER], presence_penalty: 1 }, /not supported on this model/],
  [
    'mistral',
    'an id of other vendors',
    { model: 'm', messages: [{ ...CALLING, tool_calls: [{ id: 'c' }] }] },
    /length of 9/,
  ],
  ['mistral', 'an effort of others', { model: 'm', messages: [USER], reasoning_effort: 'low' }, /not supported/],
  ['ollama', 'a stream', { model: 'qwen3', messages: [USER] }, /stream/],
  [
    'ollama',
    'tools of a model without',
    { model: 'gemma3', messages: [USER], stream: false, tools: [TOOL] },
    /does not support tools/,
  ],
  [
    'ollama',
    'a prompt that it would cut',
    { model: 'qwen3', messages: [{ ...USER, content: 'x'.repeat(20_000) }], stream: false },
    /exceeds the context length/,
  ],
  ['ollama', 'arguments as a text', { model: 'qwen3', messages: [CALLING], stream: false }, /cannot unmarshal/],
  ['vllm', 'tools', { model: 'm', messages: [USER], tools: [TOOL] }, /requires --enable-auto-tool-choice/],
  [
    'vllm',
    'more tokens than the model has',
    { model: 'TinyLlama/TinyLlama-1.1B-Chat-v1.0', messages: [USER], max_tokens: 4096 },
    /maximum context length is 2048/,
  ],
  ['litellm', 'a seed', { model: 'm', messages: [USER], seed: 1 }, /does not support parameters: \['seed'\]/],
  ['compatible', 'what it does not know', { model: 'm', messages: [USER], reasoning: {} }, /reasoning/],
];

describe('rules that the fakes of vendors enforce', () => {
  for (const [name, title, body, words] of ROWS) {
    it(`${VENDOR_FAKES[name].name} refuses ${title}`, () => {
      const fake = VENDOR_FAKES[name];
      const members = { ...body };
      const request: VendorRequest = {
        path: PATHS[name],
        query: {},
        headers: { 'anthropic-version': '2023-06-01' },
        body: members,
        text: JSON.stringify(members),
        answered: [],
      };
      expect(fake.serves(request.path)).to.equal(true);
      const refusal = fake.refuse(request);
      expect(refusal).to.include({ status: 400 });
      expect(JSON.stringify(refusal?.body)).to.match(words);
    });
  }
});
