import type { Selector } from './selector.ts';

/** Form of requests and answers that a vendor speaks. */
export type WireName = 'chat' | 'responses' | 'anthropic' | 'google' | 'bedrock' | 'ollama';
/** What an installation may ask for: chat completions or Responses, where a vendor has both. */
export type WireChoice = 'auto' | 'chat' | 'responses';
export type SchemaMode = 'json_schema' | 'json_object' | 'unsupported';
export type ParamName =
  | 'temperature'
  | 'seed'
  | 'max_tokens'
  | 'top_p'
  | 'presence_penalty'
  | 'frequency_penalty'
  | 'reasoning_effort';

/** One vendor, as data: a new one of a known wire is a row (providers.md §5.1, §5.2). */
export interface Vendor {
  readonly prefix: string;
  readonly wire: WireName;
  /** Without the path of the operation. `REGION` means the region of Bedrock. */
  readonly baseUrl: string;
  /** Whether selectors of it may be shown. */
  readonly isPublic: boolean;
  /** Parameters that reach the model as they were written. */
  readonly params: ReadonlySet<ParamName>;
  readonly schemaModes: ReadonlySet<SchemaMode>;
  readonly cache: 'none' | 'anthropic' | 'bedrock' | 'openrouter';
  /** Member that carries the output limit of a request on the OpenAI wire. */
  readonly outputLimitMember: 'max_tokens' | 'max_completion_tokens';
  /** Vendor's own name in the price list; null where nothing is catalogued. */
  readonly priceList: string | null;
  /** Whether reported input tokens include those that were read from a cache. */
  readonly inputIncludesCached: boolean;
  /** Which models use the Responses API by default. `on_request`: those whose `wire` asks for it; `never`: none. */
  readonly responses: 'reasoning_models' | 'on_request' | 'never';
  /** Whether the vendor says itself that it takes `parallel_tool_calls`, for chat completions and Responses. */
  readonly takesSingleCall: boolean;
  /** Members of an assistant message of chat completions that carry reasoning, and go back as they came. */
  readonly carried: readonly string[];
}

const SAMPLING = ['temperature', 'top_p', 'max_tokens'] as const;
const OPENAI_PARAMS: readonly ParamName[] = [...SAMPLING, 'seed', 'presence_penalty', 'frequency_penalty'];
const OPENAI_MODES: readonly SchemaMode[] = ['json_schema', 'json_object', 'unsupported'];

const OPENAI_STYLE = {
  wire: 'chat',
  isPublic: true,
  params: new Set(OPENAI_PARAMS),
  schemaModes: new Set(OPENAI_MODES),
  cache: 'none',
  outputLimitMember: 'max_tokens',
  inputIncludesCached: true,
  responses: 'never',
  takesSingleCall: false,
  carried: ['reasoning_content', 'reasoning'],
} as const;
const NO_CHAT = { responses: 'never', takesSingleCall: false, carried: [] } as const;
/**
 * Where each says so, and when it was read, is at the head of its fake (conformance/servers/llm/vendors/). Nothing of
 * the kind was found of DeepSeek, and of servers of one's own nothing is known.
 */
const WITH_SINGLE_CALL = { takesSingleCall: true } as const;
const WITH_EFFORT = { params: new Set<ParamName>([...OPENAI_PARAMS, 'reasoning_effort']) };
const OBJECTS_ONLY = { schemaModes: new Set<SchemaMode>(['json_object', 'unsupported']) };

const VENDORS: readonly Vendor[] = [
  {
    ...OPENAI_STYLE,
    ...WITH_EFFORT,
    ...WITH_SINGLE_CALL,
    prefix: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    priceList: 'openai',
    outputLimitMember: 'max_completion_tokens',
    responses: 'reasoning_models',
    carried: [],
  },
  {
    ...OPENAI_STYLE,
    ...WITH_EFFORT,
    ...WITH_SINGLE_CALL,
    prefix: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    priceList: 'openrouter',
    cache: 'openrouter',
    carried: ['reasoning_details', 'reasoning'],
  },
  {
    ...OPENAI_STYLE,
    ...WITH_EFFORT,
    ...WITH_SINGLE_CALL,
    prefix: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    priceList: 'groq',
    carried: ['reasoning'],
  },
  {
    ...OPENAI_STYLE,
    ...WITH_EFFORT,
    ...WITH_SINGLE_CALL,
    prefix: 'xai',
    baseUrl: 'https://api.x.ai/v1',
    priceList: 'x-ai',
    responses: 'on_request',
    carried: ['reasoning_content'],
  },
  {
    ...OPENAI_STYLE,
    ...OBJECTS_ONLY,
    ...WITH_EFFORT,
    prefix: 'deepseek',
    baseUrl: 'https://api.deepseek.com/v1',
    priceList: 'deepseek',
    carried: ['reasoning_content'],
  },
  {
    ...OPENAI_STYLE,
    ...WITH_EFFORT,
    ...WITH_SINGLE_CALL,
    prefix: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    priceList: 'mistral',
    carried: [],
  },
  { ...OPENAI_STYLE, prefix: 'together', baseUrl: 'https://api.together.xyz/v1', priceList: 'together' },
  { ...OPENAI_STYLE, prefix: 'fireworks', baseUrl: 'https://api.fireworks.ai/inference/v1', priceList: 'fireworks' },
  { ...OPENAI_STYLE, prefix: 'cerebras', baseUrl: 'https://api.cerebras.ai/v1', priceList: 'cerebras' },
  {
    ...NO_CHAT,
    prefix: 'anthropic',
    wire: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    isPublic: true,
    params: new Set([...SAMPLING, 'reasoning_effort']),
    schemaModes: new Set(['json_schema', 'unsupported']),
    cache: 'anthropic',
    outputLimitMember: 'max_tokens',
    priceList: 'anthropic',
    inputIncludesCached: false,
  },
  {
    ...NO_CHAT,
    prefix: 'google',
    wire: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    isPublic: true,
    params: new Set([...SAMPLING, 'reasoning_effort']),
    schemaModes: new Set(['json_schema', 'unsupported']),
    cache: 'none',
    outputLimitMember: 'max_tokens',
    priceList: 'google',
    inputIncludesCached: true,
  },
  {
    ...NO_CHAT,
    prefix: 'amazon_bedrock',
    wire: 'bedrock',
    baseUrl: 'https://bedrock-runtime.REGION.amazonaws.com',
    isPublic: true,
    params: new Set([...SAMPLING, 'reasoning_effort']),
    schemaModes: new Set(['unsupported']),
    cache: 'bedrock',
    outputLimitMember: 'max_tokens',
    priceList: 'aws',
    inputIncludesCached: false,
  },
  {
    ...OPENAI_STYLE,
    ...NO_CHAT,
    prefix: 'ollama',
    wire: 'ollama',
    baseUrl: 'http://127.0.0.1:11434',
    isPublic: false,
    params: new Set([...SAMPLING, 'seed', 'reasoning_effort']),
    schemaModes: new Set(['unsupported']),
    priceList: null,
  },
];

const COMPATIBLE: Omit<Vendor, 'baseUrl'> = {
  ...OPENAI_STYLE,
  ...WITH_EFFORT,
  prefix: 'openai-compat',
  isPublic: false,
  priceList: null,
  responses: 'on_request',
  carried: ['reasoning_content', 'reasoning', 'reasoning_details'],
};

const BY_PREFIX: ReadonlyMap<string, Vendor> = new Map(VENDORS.map((vendor) => [vendor.prefix, vendor]));

/** The row that serves a selector; null where no route does. */
export function vendorOf(selector: Selector): Vendor | null {
  return selector.kind === 'compatible'
    ? { ...COMPATIBLE, baseUrl: selector.baseUrl }
    : (BY_PREFIX.get(selector.prefix) ?? null);
}

/** Every prefix that a selector may have. */
export const SELECTOR_PREFIXES: readonly string[] = [...BY_PREFIX.keys(), COMPATIBLE.prefix];
