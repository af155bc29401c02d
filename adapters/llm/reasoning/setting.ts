import type { JSONObject, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { Route } from '../route.ts';
import type { Effort } from './effort.ts';
import { reasoningOf } from './models.ts';

/** The setting by which a vendor takes a reasoning effort (providers.md §5.2). */
export interface ReasoningSetting {
  /** For its library. */
  readonly options: SharedV4ProviderOptions;
  /** Members of a body that no library writes. */
  readonly members: JSONObject;
  /** Tokens of the output limit that its library adds by itself, because they are for thinking. */
  readonly budget: number;
}

const UNREPORTED: ReasoningSetting = { options: {}, members: {}, budget: 0 };

/** `room`: output tokens of the request, thought and answer together. */
export function reasoningSetting(route: Route, effort: Effort | null, room: number): ReasoningSetting {
  switch (route.wire) {
    case 'chat':
      return { ...UNREPORTED, members: chatMembers(route, effort) };
    case 'responses':
      return { ...UNREPORTED, options: { openai: responsesOptions(route, effort) } };
    case 'anthropic':
      return effort === null ? UNREPORTED : anthropicSetting(route, effort, room);
    case 'google':
      return effort === null ? UNREPORTED : { ...UNREPORTED, options: { google: geminiOptions(route, effort, room) } };
    case 'bedrock':
      return effort === null ? UNREPORTED : bedrockSetting(route, effort, room);
    case 'ollama':
      return effort === null ? UNREPORTED : { ...UNREPORTED, members: { think: ollamaThink(route, effort) } };
  }
}

/** What DeepSeek maps each effort to, by its own documentation. */
const DEEPSEEK_EFFORT: Readonly<Record<Exclude<Effort, 'none'>, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'high',
  high: 'high',
  xhigh: 'high',
  max: 'max',
};

function chatMembers({ vendor, model }: Route, effort: Effort | null): JSONObject {
  // Without it Qwen thinks within its answer, between tags.
  const format: JSONObject = vendor.prefix === 'groq' && model.includes('qwen3') ? { reasoning_format: 'parsed' } : {};
  if (effort === null) return format;
  switch (vendor.prefix) {
    case 'openrouter':
      return { reasoning: { effort } };
    case 'deepseek':
      return effort === 'none'
        ? { thinking: { type: 'disabled' } }
        : { thinking: { type: 'enabled' }, reasoning_effort: DEEPSEEK_EFFORT[effort] };
    case 'groq':
      return { ...format, reasoning_effort: 'reasoning_format' in format && effort !== 'none' ? 'default' : effort };
    default:
      return { reasoning_effort: effort };
  }
}

/** Nothing is stored at the vendor's; a summary is not asked for, since some organisations may not have one. */
function responsesOptions(route: Route, effort: Effort | null): JSONObject {
  const isKnown = route.vendor.prefix === 'openai';
  const thinks = reasoningOf(route)?.efforts.length !== 0;
  return {
    store: false,
    reasoningSummary: null,
    ...(thinks && { include: ['reasoning.encrypted_content'] }),
    ...(effort !== null && { reasoningEffort: effort }),
    // The library knows the models of OpenAI alone.
    ...(!isKnown && effort !== null && { forceReasoning: true }),
  };
}

/** For each effort, the share of the output limit that Claude gets as its thinking budget. */
const SHARE: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: 0,
  low: 0.2,
  medium: 0.4,
  high: 0.6,
  xhigh: 0.75,
  max: 0.9,
};
/** Least budget that Claude takes; it has to be less than the whole room. */
const CLAUDE_BUDGET_MIN = 1024;

function claudeBudget(effort: Exclude<Effort, 'none'>, room: number): number | null {
  return room > CLAUDE_BUDGET_MIN ? Math.max(CLAUDE_BUDGET_MIN, Math.floor(room * SHARE[effort])) : null;
}

function anthropicSetting(route: Route, effort: Effort, room: number): ReasoningSetting {
  if (effort === 'none') return { ...UNREPORTED, options: { anthropic: { thinking: { type: 'disabled' } } } };
  if (reasoningOf(route)?.form === 'budget') {
    const budget = claudeBudget(effort, room);
    // No room for the least of thoughts: the answer is given without one.
    if (budget === null) return UNREPORTED;
    return { ...UNREPORTED, options: { anthropic: { thinking: { type: 'enabled', budgetTokens: budget } } }, budget };
  }
  return { ...UNREPORTED, options: { anthropic: { thinking: { type: 'adaptive', display: 'summarized' }, effort } } };
}

function bedrockSetting(route: Route, effort: Effort, room: number): ReasoningSetting {
  const form = reasoningOf(route)?.form;
  const fields = (additionalModelRequestFields: JSONObject): ReasoningSetting => ({
    ...UNREPORTED,
    options: { bedrock: { additionalModelRequestFields } },
  });
  if (form === undefined && effort === 'none')
    return route.model.includes('openai.gpt-5') ? fields({ reasoning: { effort } }) : UNREPORTED;
  if (effort === 'none') return fields({ thinking: { type: 'disabled' } });
  if (form === undefined)
    return {
      ...UNREPORTED,
      options: { bedrock: { reasoningConfig: { type: 'enabled', maxReasoningEffort: effort } } },
    };
  if (form === 'adaptive')
    return {
      ...UNREPORTED,
      options: {
        bedrock: { reasoningConfig: { type: 'adaptive', display: 'summarized', maxReasoningEffort: effort } },
      },
    };
  const budget = claudeBudget(effort, room);
  if (budget === null) return UNREPORTED;
  return {
    ...UNREPORTED,
    options: { bedrock: { reasoningConfig: { type: 'enabled', budgetTokens: budget } } },
    budget,
  };
}

/** Tokens that Gemini before 3 may think for. */
const GEMINI_BUDGET: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 512,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_768,
};
/** Most of them for any model but 2.5 Pro, and the least that all take. */
const GEMINI_FLASH_MAX = 24_576;
const GEMINI_BUDGET_MIN = 512;
/** Share of the room that a budget may take, so that an answer has some of it. */
const GEMINI_SHARE = 0.8;

function geminiOptions({ model }: Route, effort: Effort, room: number): JSONObject {
  if (!model.startsWith('gemini-2.5')) return { thinkingConfig: { thinkingLevel: effort, includeThoughts: true } };
  if (effort === 'none') return { thinkingConfig: { thinkingBudget: 0 } };
  const most = model.startsWith('gemini-2.5-pro') ? GEMINI_BUDGET.max : GEMINI_FLASH_MAX;
  const wanted = Math.min(GEMINI_BUDGET[effort], most, Math.floor(room * GEMINI_SHARE));
  return { thinkingConfig: { thinkingBudget: Math.max(GEMINI_BUDGET_MIN, wanted), includeThoughts: true } };
}

function ollamaThink({ model }: Route, effort: Effort): string | boolean {
  return /(?:^|\/)gpt-oss/.test(model) ? effort : effort !== 'none';
}
