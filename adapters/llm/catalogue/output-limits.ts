/**
 * Most tokens that a model answers with, as its vendor documents them; the price list does not say so. By vendor, then
 * exact id.
 */
export const OUTPUT_LIMITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  openai: {
    'gpt-4o': 16_384,
    'gpt-4o-mini': 16_384,
    'gpt-4.1': 32_768,
    'gpt-4.1-mini': 32_768,
    'gpt-4.1-nano': 32_768,
    'gpt-5': 128_000,
    'gpt-5-mini': 128_000,
    'gpt-5-nano': 128_000,
  },
  anthropic: { 'claude-haiku-4-5': 64_000, 'claude-sonnet-4-5': 64_000, 'claude-opus-4-5': 64_000 },
  google: { 'gemini-2.5-pro': 65_536, 'gemini-2.5-flash': 65_536, 'gemini-2.5-flash-lite': 65_536 },
};
