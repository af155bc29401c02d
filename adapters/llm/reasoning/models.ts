import type { Route } from '../route.ts';
import { EFFORTS, type Effort } from './effort.ts';

/** What is known of how a model thinks, as its vendor documents it. */
export interface Reasoning {
  /** Efforts that it can be asked for; none for a model that has no such setting. */
  readonly efforts: readonly Effort[];
  /** Whether it thinks without being asked to. */
  readonly byDefault: boolean;
  /** The setting that Claude takes: an effort, or a budget of tokens. */
  readonly form?: 'adaptive' | 'budget';
}

type Rule = readonly [id: RegExp, reasoning: Reasoning];

const THREE = ['low', 'medium', 'high'] as const;
const TO_XHIGH = [...THREE, 'xhigh'] as const;
const TO_MAX = [...TO_XHIGH, 'max'] as const;
const NOTHING: Reasoning = { efforts: [], byDefault: false };

/** Reasoning guide and model pages of OpenAI, 2026-11. The first that fits holds. */
const OPENAI: readonly Rule[] = [
  [/^o1-(?:mini|preview)/, { efforts: [], byDefault: true }],
  [/^o\d/, { efforts: THREE, byDefault: true }],
  [/^gpt-5-chat/, NOTHING],
  [/^gpt-5[.-]\d+-chat/, { efforts: ['medium'], byDefault: true }],
  [/^gpt-5-pro/, { efforts: ['high'], byDefault: true }],
  [/^gpt-5[.-]\d-pro/, { efforts: ['medium', 'high', 'xhigh'], byDefault: true }],
  [/^gpt-5-codex|^gpt-5[.-]1-codex(?!-max)/, { efforts: THREE, byDefault: true }],
  [/^gpt-5[.-]\d-codex/, { efforts: TO_XHIGH, byDefault: true }],
  [/^gpt-5[.-]1(?!\d)/, { efforts: ['none', ...THREE], byDefault: false }],
  [/^gpt-5[.-][2-4](?!\d)/, { efforts: ['none', ...TO_XHIGH], byDefault: false }],
  [/^gpt-5[.-]5(?!\d)/, { efforts: ['none', ...TO_XHIGH], byDefault: true }],
  [/^gpt-5[.-]\d(?!\d)/, { efforts: ['none', ...TO_MAX], byDefault: true }],
  [/^gpt-5/, { efforts: ['minimal', ...THREE], byDefault: true }],
  [/^gpt-6-(?:sol|luna)/, { efforts: ['none', ...TO_MAX], byDefault: true }],
  [/^gpt-(?:[6-9]|\d\d)/, { efforts: TO_MAX, byDefault: true }],
  [/^(?:gpt-[34]|chatgpt|davinci|babbage)/, NOTHING],
];

/** Extended and adaptive thinking, and effort, of Anthropic's documentation, 2026-11; ids of Bedrock hold them too. */
const CLAUDE: readonly Rule[] = [
  [/claude-(?:(?:sonnet|opus)-5-5|fable-)/, { efforts: TO_MAX, byDefault: true, form: 'adaptive' }],
  [/claude-(?:sonnet|opus|haiku)-5/, { efforts: ['none', ...TO_MAX], byDefault: true, form: 'adaptive' }],
  [/claude-opus-4-[78]/, { efforts: ['none', ...TO_MAX], byDefault: false, form: 'adaptive' }],
  [/claude-(?:sonnet|opus)-4-6/, { efforts: ['none', ...THREE, 'max'], byDefault: false, form: 'adaptive' }],
  [/claude-(?:3-7|sonnet-4|opus-4|haiku-4)/, { efforts: EFFORTS, byDefault: false, form: 'budget' }],
  [/claude-(?:instant|v?[123])/, NOTHING],
];

/** Gemini API, "Thinking", 2026-11: levels from Gemini 3 on, budgets of tokens before. */
const GEMINI: readonly Rule[] = [
  [/^gemini-4-hydrogen/, { efforts: TO_XHIGH, byDefault: true }],
  [/^gemini-3-pro-preview/, { efforts: ['low', 'high'], byDefault: true }],
  [/^gemini-(?:[3-9](?:\.\d+)?-pro|pro-latest|flash-latest)/, { efforts: THREE, byDefault: true }],
  [/^gemini-(?:3\.[7-9]|3\.\d\d|[4-9]\.\d+)-flash(?!-lite)/, { efforts: THREE, byDefault: true }],
  [/^gemini-[3-9]/, { efforts: ['minimal', ...THREE], byDefault: true }],
  [/^gemini-2\.5-pro/, { efforts: EFFORTS.filter((effort) => effort !== 'none'), byDefault: true }],
  [/^gemini-2\.5-flash-lite/, { efforts: EFFORTS, byDefault: false }],
  [/^gemini-2\.5/, { efforts: EFFORTS, byDefault: true }],
  [/^(?:gemini|gemma)/, NOTHING],
];

/** DeepSeek, "Thinking Mode", 2026-11: on unless it is switched off; its API maps the efforts between its own. */
const DEEPSEEK: readonly Rule[] = [
  [/^deepseek-chat/, { efforts: ['none'], byDefault: false }],
  [/^deepseek/, { efforts: EFFORTS, byDefault: true }],
];

/** Groq, "Reasoning", 2026-11: Qwen takes `none` and `default`; medium becomes `default`. */
const GROQ: readonly Rule[] = [
  [/gpt-oss/, { efforts: THREE, byDefault: true }],
  [/qwen3/, { efforts: ['none', 'medium'], byDefault: true }],
  [/deepseek-r1/, { efforts: [], byDefault: true }],
  [/./, NOTHING],
];

/** xAI, "Reasoning", 2026-11. */
const XAI: readonly Rule[] = [
  [/non-reasoning/, NOTHING],
  [/^grok-3-mini/, { efforts: ['low', 'high'], byDefault: true }],
  [/^grok-4\.20-multi-agent/, { efforts: TO_XHIGH, byDefault: true }],
  [/^grok-4\.3/, { efforts: ['none', ...THREE], byDefault: true }],
  [/^grok-(?:latest|4\.[4-9]|[5-9])/, { efforts: THREE, byDefault: true }],
  [/^grok-(?:4|code|build)/, { efforts: [], byDefault: true }],
  [/^grok/, NOTHING],
];

/** Mistral, "Reasoning", 2026-11. */
const MISTRAL: readonly Rule[] = [
  [/^magistral/, { efforts: [], byDefault: true }],
  [/^mistral-(?:small-(?:latest|2603|4)|medium-(?:latest|3[.-]5))/, { efforts: ['none', 'high'], byDefault: false }],
  [/^mistral-large-4/, { efforts: THREE, byDefault: true }],
  [/./, NOTHING],
];

/** Converse: Amazon's Nova 2 at high effort refuses an output limit, so that one cannot be had. */
const BEDROCK: readonly Rule[] = [
  ...CLAUDE,
  [/amazon\.nova-2/, { efforts: ['none', 'low', 'medium'], byDefault: false }],
  [/openai\.gpt-oss/, { efforts: THREE, byDefault: true }],
  [/openai\.gpt-5\.[4-5]/, { efforts: ['none', ...TO_XHIGH], byDefault: false }],
  [/openai\.gpt-5/, { efforts: ['none', ...TO_MAX], byDefault: true }],
  [/deepseek\.r1/, { efforts: [], byDefault: true }],
  [/./, NOTHING],
];

/** Ollama, "Thinking", 2026-11: levels for gpt-oss, a switch for every other model; which ones think is not known. */
const OLLAMA: readonly Rule[] = [
  [/^(?:.*\/)?gpt-oss/, { efforts: THREE, byDefault: true }],
  [/./, { efforts: ['none', ...THREE], byDefault: false }],
];

const BY_PREFIX: ReadonlyMap<string, readonly Rule[]> = new Map([
  ['openai', OPENAI],
  ['anthropic', CLAUDE],
  ['google', GEMINI],
  ['deepseek', DEEPSEEK],
  ['groq', GROQ],
  ['xai', XAI],
  ['x-ai', XAI],
  ['mistral', MISTRAL],
  ['mistralai', MISTRAL],
  ['amazon_bedrock', BEDROCK],
  ['ollama', OLLAMA],
]);

/** Null for a model of which nothing is known: what is asked of it is passed on as it is. */
export function reasoningOf({ vendor, model }: Pick<Route, 'vendor' | 'model'>): Reasoning | null {
  if (vendor.prefix !== 'openrouter') return ruleFor(vendor.prefix, model);
  const [, prefix = '', id = ''] = /^([^/]+)\/(.+)$/.exec(model) ?? [];
  const behind = ruleFor(prefix, prefix === 'anthropic' ? id.replaceAll('.', '-') : id);
  // It maps every effort to what a model has.
  return behind === null ? null : { efforts: EFFORTS, byDefault: behind.byDefault };
}

function ruleFor(prefix: string, model: string): Reasoning | null {
  return BY_PREFIX.get(prefix)?.find(([id]) => id.test(model))?.[1] ?? null;
}

/** Whether a model thinks when it is asked with this effort, as far as anything is known of it. */
export function thinksWith(route: Pick<Route, 'vendor' | 'model'>, effort: Effort | null): boolean {
  const reasoning = reasoningOf(route);
  if (reasoning === null || effort === 'none') return false;
  return reasoning.byDefault || (effort !== null && reasoning.efforts.includes(effort));
}
