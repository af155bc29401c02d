import { ANTHROPIC_MESSAGES } from './anthropic.ts';
import { BEDROCK_CONVERSE } from './bedrock.ts';
import { COMPATIBLE } from './compatible.ts';
import { DEEPSEEK } from './deepseek.ts';
import { GEMINI } from './gemini.ts';
import { GROQ } from './groq.ts';
import { LITELLM } from './litellm.ts';
import { MISTRAL } from './mistral.ts';
import { OLLAMA_CHAT } from './ollama.ts';
import { OPENAI_CHAT } from './openai-chat.ts';
import { OPENAI_RESPONSES } from './openai-responses.ts';
import { OPENROUTER } from './openrouter.ts';
import { VLLM } from './vllm.ts';
import { XAI } from './xai.ts';

/** Vendors whose rules are enforced, by the names that a caller gives them. */
export const VENDOR_FAKES = {
  responses: OPENAI_RESPONSES,
  chat: OPENAI_CHAT,
  anthropic: ANTHROPIC_MESSAGES,
  gemini: GEMINI,
  deepseek: DEEPSEEK,
  openrouter: OPENROUTER,
  bedrock: BEDROCK_CONVERSE,
  groq: GROQ,
  xai: XAI,
  mistral: MISTRAL,
  ollama: OLLAMA_CHAT,
  compatible: COMPATIBLE,
  vllm: VLLM,
  litellm: LITELLM,
} as const;
export type VendorFakeName = keyof typeof VENDOR_FAKES;

/** Whether there is a fake of that name. */
export function isVendorFake(name: string): name is VendorFakeName {
  return Object.hasOwn(VENDOR_FAKES, name);
}

/** The names of all fakes. */
export const VENDOR_FAKE_NAMES: readonly VendorFakeName[] = Object.keys(VENDOR_FAKES).filter(isVendorFake);
