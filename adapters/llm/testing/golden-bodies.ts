import type { JsonText } from '../../../contract/json/canonical.ts';
import type { ModelJob } from '../generate.ts';

/** A request, and the body that its vendor documents for it. */
interface Golden {
  readonly vendor: 'openai' | 'anthropic' | 'google' | 'bedrock';
  readonly title: string;
  readonly request: JsonText;
  readonly declaration?: Partial<ModelJob['declaration']>;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const CONVERSATION = JSON.stringify({
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'Find 7.' },
    { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'c1', name: 'find', args: { id: 7 } }] },
    { role: 'tool', tool_call_id: 'c1', content: 'a book', extra: 'dropped' },
    { role: 'user', content: 'Thanks.' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'find',
        description: 'Finds things.',
        parameters: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      },
    },
  ],
});
const OTHER_CALL_FORM = JSON.stringify({
  messages: [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"id":7}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'a book' },
  ],
});
const STRUCTURED = JSON.stringify({
  messages: [{ role: 'user', content: 'n?' }],
  schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false },
});
const SCHEMA = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };
const SCHEMA_TEXT =
  '{"additionalProperties":false,"properties":{"n":{"type":"integer"}},"required":["n"],"type":"object"}';
const PARAMETERS = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };

export const GOLDEN: readonly Golden[] = [
  {
    vendor: 'openai',
    title: 'a conversation with tools and every parameter',
    request: CONVERSATION,
    declaration: {
      params: {
        temperature: 0.2,
        top_p: 0.9,
        seed: 5,
        presence_penalty: 1,
        frequency_penalty: -1,
        reasoning_effort: 'low',
      },
    },
    body: {
      model: 'gpt-4o',
      max_completion_tokens: 64,
      temperature: 0.2,
      top_p: 0.9,
      seed: 5,
      presence_penalty: 1,
      frequency_penalty: -1,
      reasoning_effort: 'low',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Find 7.' },
        {
          role: 'assistant',
          content: 'I look.',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"id":7}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a book' },
        { role: 'user', content: 'Thanks.' },
      ],
      tools: [{ type: 'function', function: { name: 'find', description: 'Finds things.', parameters: PARAMETERS } }],
    },
  },
  {
    vendor: 'openai',
    title: 'calls that are written as OpenAI writes them',
    request: OTHER_CALL_FORM,
    body: {
      model: 'gpt-4o',
      max_completion_tokens: 64,
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"id":7}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a book' },
      ],
    },
  },
  {
    vendor: 'openai',
    title: 'a schema',
    request: STRUCTURED,
    declaration: { schemaMode: 'json_schema' },
    body: {
      model: 'gpt-4o',
      max_completion_tokens: 64,
      messages: [{ role: 'user', content: 'n?' }],
      response_format: { type: 'json_schema', json_schema: { name: 'response', strict: true, schema: SCHEMA } },
    },
  },
  {
    vendor: 'openai',
    title: 'a schema in mode json_object',
    request: STRUCTURED,
    declaration: { schemaMode: 'json_object' },
    body: {
      model: 'gpt-4o',
      max_completion_tokens: 64,
      messages: [
        {
          role: 'system',
          content: `Answer with one JSON object and nothing else. It must match this JSON Schema: ${SCHEMA_TEXT}`,
        },
        { role: 'user', content: 'n?' },
      ],
      response_format: { type: 'json_object' },
    },
  },
  {
    vendor: 'anthropic',
    title: 'a conversation with tools and cache marks',
    request: CONVERSATION,
    declaration: { params: { temperature: 0.2 }, cache: true },
    headers: { 'anthropic-version': '2023-06-01' },
    body: {
      model: 'claude-haiku-4-5',
      max_tokens: 64,
      temperature: 0.2,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Find 7.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look.' },
            { type: 'tool_use', id: 'c1', name: 'find', input: { id: 7 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'a book' },
            { type: 'text', text: 'Thanks.', cache_control: { type: 'ephemeral' } },
          ],
        },
      ],
      tools: [{ name: 'find', description: 'Finds things.', input_schema: PARAMETERS }],
    },
  },
  {
    vendor: 'anthropic',
    title: 'a schema',
    request: STRUCTURED,
    declaration: { schemaMode: 'json_schema' },
    body: {
      model: 'claude-haiku-4-5',
      max_tokens: 64,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'n?' }] }],
      output_config: { format: { type: 'json_schema', schema: SCHEMA } },
    },
  },
  {
    vendor: 'google',
    title: 'a conversation with tools',
    request: CONVERSATION,
    declaration: { params: { temperature: 0.2, top_p: 0.9 } },
    body: {
      generationConfig: { maxOutputTokens: 64, temperature: 0.2, topP: 0.9 },
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'Find 7.' }] },
        { role: 'model', parts: [{ text: 'I look.' }, { functionCall: { id: 'c1', name: 'find', args: { id: 7 } } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'c1', name: 'find', response: { name: 'find', content: 'a book' } } }],
        },
        { role: 'user', parts: [{ text: 'Thanks.' }] },
      ],
      tools: [
        { functionDeclarations: [{ name: 'find', description: 'Finds things.', parametersJsonSchema: PARAMETERS }] },
      ],
    },
  },
  {
    vendor: 'bedrock',
    title: 'a conversation with tools and cache points',
    request: CONVERSATION,
    declaration: { params: { temperature: 0.2 }, cache: true },
    body: {
      inferenceConfig: { maxTokens: 64, temperature: 0.2 },
      system: [{ text: 'Be brief.' }, { cachePoint: { type: 'default' } }],
      messages: [
        { role: 'user', content: [{ text: 'Find 7.' }] },
        {
          role: 'assistant',
          content: [{ text: 'I look.' }, { toolUse: { toolUseId: 'c1', name: 'find', input: { id: 7 } } }],
        },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 'c1', content: [{ text: 'a book' }] } },
            { text: 'Thanks.' },
            { cachePoint: { type: 'default' } },
          ],
        },
      ],
      toolConfig: {
        tools: [{ toolSpec: { name: 'find', description: 'Finds things.', inputSchema: { json: PARAMETERS } } }],
      },
      additionalModelResponseFieldPaths: ['/delta/stop_sequence'],
    },
  },
];
