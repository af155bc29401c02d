/** What a new application writes for a model (docs/guides/using-models.md has the same table). */
export interface ModelChoice {
  /** As in the field `model` of an installation: `VENDOR:NAME`. */
  readonly selector: string;
  /** Environment variable of the credential. */
  readonly variable: string;
  readonly schemaMode: 'json_schema' | 'json_object' | 'unsupported';
  /** Whether it asks for no key, so that any text will do. */
  readonly isKeyless: boolean;
}

type Vendor = Pick<ModelChoice, 'variable' | 'schemaMode'>;

const MODEL_VENDORS: Readonly<Record<string, Vendor>> = {
  openai: { variable: 'OPENAI_API_KEY', schemaMode: 'json_schema' },
  anthropic: { variable: 'ANTHROPIC_API_KEY', schemaMode: 'json_schema' },
  google: { variable: 'GEMINI_API_KEY', schemaMode: 'json_schema' },
  deepseek: { variable: 'DEEPSEEK_API_KEY', schemaMode: 'json_object' },
  openrouter: { variable: 'OPENROUTER_API_KEY', schemaMode: 'json_schema' },
  amazon_bedrock: { variable: 'AWS_BEARER_TOKEN_BEDROCK', schemaMode: 'unsupported' },
  groq: { variable: 'GROQ_API_KEY', schemaMode: 'json_schema' },
  xai: { variable: 'XAI_API_KEY', schemaMode: 'json_schema' },
  mistral: { variable: 'MISTRAL_API_KEY', schemaMode: 'json_schema' },
  ollama: { variable: 'OLLAMA_API_KEY', schemaMode: 'unsupported' },
  'openai-compat': { variable: 'MODEL_KEY', schemaMode: 'json_schema' },
};

/** Names before the colon of a selector. */
export const MODEL_PREFIXES: readonly string[] = Object.keys(MODEL_VENDORS);

/** Bytes of a selector, as the host document bounds it. */
const MOST_BYTES = 256;
/** A server of one's own has its address and the name of the model. */
const COMPATIBLE = /^https?:\/\/[^\s|]+\|[^\s|]+$/;
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)[:/|]/;

/** What a selector asks for; null for one that names no vendor or no model. */
export function modelChoice(selector: string): ModelChoice | null {
  const colon = selector.indexOf(':');
  const [prefix, name] = [selector.slice(0, colon), selector.slice(colon + 1)];
  const vendor = Object.hasOwn(MODEL_VENDORS, prefix) ? MODEL_VENDORS[prefix] : undefined;
  const isNamed = prefix === 'openai-compat' ? COMPATIBLE.test(name) : /^[^\s|]+$/.test(name);
  if (vendor === undefined || !isNamed || Buffer.byteLength(selector) > MOST_BYTES) return null;
  return { selector, ...vendor, isKeyless: prefix === 'ollama' || LOOPBACK.test(name) };
}
