/**
 * Where each vendor is, and how it turns down a key or a model that it does not know. Seen on 2026-11-24 in the errors
 * pages of the vendors, and where those give no words, in what people report of their APIs.
 */
import { createHash } from 'node:crypto';
import { memberOf, shown, type Refusal, type VendorRequest } from './vendor.ts';
import type { VendorFakeName } from './vendors.ts';

export interface VendorAccount {
  /** Where programs look for the vendor; a server of one's own has the port of its documentation. */
  readonly origin: string;
  /** Where its API begins. */
  readonly base: string;
  /** Header of the key; null where there is none. */
  readonly keyHeader: 'authorization' | 'x-api-key' | 'x-goog-api-key' | null;
  readonly refuseKey: (key: string) => Refusal;
  readonly refuseModel: (model: string) => Refusal;
  readonly refusePath: (path: string) => Refusal;
  /** Of an account without money; absent where there is none to be without. */
  readonly refuseSpent?: Refusal;
}

/** As most of them write errors. */
function openAi(status: number, message: string, type: string, code: string | null = null): Refusal {
  return { status, body: { error: { message, type, param: null, code } } };
}

/** As vendors show a key that they do not know. */
function masked(key: string): string {
  return `${key.slice(0, 3)}***${key.slice(-2)}`;
}

const noSuchPath = (path: string): Refusal => openAi(404, `Invalid URL (POST ${path})`, 'invalid_request_error');
/** Of servers that are written with FastAPI. */
const notFound = (): Refusal => ({ status: 404, body: { detail: 'Not Found' } });

const OPENAI: VendorAccount = {
  origin: 'https://api.openai.com',
  base: '/v1',
  keyHeader: 'authorization',
  refuseKey: (key) =>
    openAi(
      401,
      `Incorrect API key provided: ${masked(key)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
      'invalid_request_error',
      'invalid_api_key',
    ),
  refuseModel: (model) =>
    openAi(
      404,
      `The model \`${model}\` does not exist or you do not have access to it.`,
      'invalid_request_error',
      'model_not_found',
    ),
  refusePath: noSuchPath,
  refuseSpent: openAi(
    429,
    'You exceeded your current quota, please check your plan and billing details.',
    'insufficient_quota',
    'insufficient_quota',
  ),
};

const VLLM: VendorAccount = {
  origin: 'http://127.0.0.1:8000',
  base: '/v1',
  keyHeader: 'authorization',
  refuseKey: () => ({ status: 401, body: { error: 'Unauthorized' } }),
  refuseModel: (model) => ({
    status: 404,
    body: {
      error: { message: `The model \`${model}\` does not exist.`, type: 'NotFoundError', param: 'model', code: 404 },
    },
  }),
  refusePath: notFound,
};

export const VENDOR_ACCOUNTS: Readonly<Record<VendorFakeName, VendorAccount>> = {
  responses: OPENAI,
  chat: OPENAI,
  anthropic: {
    origin: 'https://api.anthropic.com',
    base: '/v1',
    keyHeader: 'x-api-key',
    refuseKey: () => anthropic(401, 'authentication_error', 'invalid x-api-key'),
    refuseModel: (model) => anthropic(404, 'not_found_error', `model: ${model}`),
    refusePath: () => anthropic(404, 'not_found_error', 'Not found'),
    refuseSpent: anthropic(
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
    ),
  },
  gemini: {
    origin: 'https://generativelanguage.googleapis.com',
    base: '/v1beta',
    keyHeader: 'x-goog-api-key',
    refuseKey: () => ({
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'API key not valid. Please pass a valid API key.',
          status: 'INVALID_ARGUMENT',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: 'API_KEY_INVALID',
              domain: 'googleapis.com',
            },
          ],
        },
      },
    }),
    refuseModel: (model) => ({
      status: 404,
      body: {
        error: {
          code: 404,
          message: `models/${model} is not found for API version v1beta, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.`,
          status: 'NOT_FOUND',
        },
      },
    }),
    refusePath: () => ({ status: 404, body: {} }),
  },
  deepseek: {
    origin: 'https://api.deepseek.com',
    base: '/v1',
    keyHeader: 'authorization',
    refuseKey: (key) =>
      openAi(
        401,
        `Authentication Fails, Your api key: ****${key.slice(-4)} is invalid`,
        'authentication_error',
        'invalid_request_error',
      ),
    refuseModel: () => openAi(400, 'Model Not Exist', 'invalid_request_error', 'invalid_request_error'),
    refusePath: noSuchPath,
    refuseSpent: openAi(402, 'Insufficient Balance', 'unknown_error', 'invalid_request_error'),
  },
  openrouter: {
    origin: 'https://openrouter.ai',
    base: '/api/v1',
    keyHeader: 'authorization',
    refuseKey: () => ({ status: 401, body: { error: { message: 'User not found.', code: 401 } } }),
    refuseModel: (model) => ({
      status: 400,
      body: { error: { message: `${model} is not a valid model ID`, code: 400 } },
    }),
    refusePath: () => ({ status: 404, body: { error: { message: 'Not Found', code: 404 } } }),
    refuseSpent: {
      status: 402,
      body: {
        error: {
          message:
            'Insufficient credits. This account never purchased credits. Make sure your key is on the correct account or org, and if so, purchase more at https://openrouter.ai/settings/credits',
          code: 402,
        },
      },
    },
  },
  bedrock: {
    origin: 'https://bedrock-runtime.eu-north-1.amazonaws.com',
    base: '',
    keyHeader: 'authorization',
    // The member begins with a capital where the request does not reach the model.
    refuseKey: () => ({
      status: 403,
      body: { Message: 'Authentication failed: Please make sure your API Key is valid.' },
    }),
    refuseModel: () => ({ status: 400, body: { message: 'The provided model identifier is invalid.' } }),
    refusePath: () => ({ status: 404, body: { Message: 'UnknownOperationException' } }),
  },
  groq: {
    origin: 'https://api.groq.com',
    base: '/openai/v1',
    keyHeader: 'authorization',
    refuseKey: () => openAi(401, 'Invalid API Key', 'invalid_request_error', 'invalid_api_key'),
    refuseModel: (model) =>
      openAi(
        404,
        `The model \`${model}\` does not exist or you do not have access to it.`,
        'invalid_request_error',
        'model_not_found',
      ),
    refusePath: (path) => openAi(404, `Unknown request URL: POST ${path}`, 'invalid_request_error', 'unknown_url'),
  },
  xai: {
    origin: 'https://api.x.ai',
    base: '/v1',
    keyHeader: 'authorization',
    refuseKey: (key) => ({
      status: 400,
      body: {
        code: 'Client specified an invalid argument',
        error: `Incorrect API key provided: ${masked(key)}. You can obtain an API key from https://console.x.ai.`,
      },
    }),
    refuseModel: (model) => ({
      status: 404,
      body: {
        code: 'Some requested entity was not found',
        error: `The model ${model} does not exist or your team does not have access to it.`,
      },
    }),
    refusePath: () => ({ status: 404, body: { code: 'Some requested entity was not found', error: 'Not found' } }),
  },
  mistral: {
    origin: 'https://api.mistral.ai',
    base: '/v1',
    keyHeader: 'authorization',
    refuseKey: () => ({ status: 401, body: { detail: 'Unauthorized' } }),
    refuseModel: (model) => ({
      status: 400,
      body: { object: 'error', message: `Invalid model: ${model}`, type: 'invalid_model', param: null, code: '1500' },
    }),
    refusePath: () => ({ status: 404, body: { message: 'no Route matched with those values' } }),
  },
  ollama: {
    origin: 'http://127.0.0.1:11434',
    base: '',
    keyHeader: null,
    refuseKey: () => ({ status: 401, body: { error: 'unauthorized' } }),
    refuseModel: (model) => ({ status: 404, body: { error: `model '${model}' not found` } }),
    refusePath: () => ({ status: 404, body: '404 page not found' }),
  },
  compatible: VLLM,
  vllm: VLLM,
  litellm: {
    origin: 'http://127.0.0.1:4000',
    base: '/v1',
    keyHeader: 'authorization',
    refuseKey: (key) =>
      key.startsWith('sk-')
        ? {
            status: 401,
            body: {
              error: {
                message: `Authentication Error, Invalid proxy server token passed. Received API Key = sk-...${key.slice(-4)}, Key Hash (Token) =${createHash('sha256').update(key).digest('hex')}. Unable to find token in cache or \`LiteLLM_VerificationTokenTable\``,
                type: 'token_not_found_in_db',
                param: 'key',
                code: '401',
              },
            },
          }
        : {
            status: 401,
            body: {
              error: {
                message: `Authentication Error, LiteLLM Virtual Key expected. Received=${masked(key)}, expected to start with 'sk-'.`,
                type: 'auth_error',
                param: 'None',
                code: '401',
              },
            },
          },
    refuseModel: (model) => ({
      status: 400,
      body: {
        error: {
          message: `{'error': '/chat/completions: Invalid model name passed in model=${model}. Call \`/v1/models\` to view available models for your key.'}`,
          type: 'None',
          param: 'None',
          code: '400',
        },
      },
    }),
    refusePath: notFound,
  },
};

function anthropic(status: number, type: string, message: string): Refusal {
  return { status, body: { type: 'error', error: { type, message }, request_id: 'req_1' } };
}

/** Who may ask a vendor, and for what. */
export interface Access {
  readonly account: VendorAccount;
  /** Null: any key, but there has to be one. */
  readonly key: string | null;
  /** None: any model. */
  readonly models: readonly string[];
  /** Whether the money of the account is spent. */
  readonly isSpent: boolean;
}

/** What a vendor has against the key, the account or the model of a request; null: nothing. */
export function refusedAccess({ account, key, models, isSpent }: Access, request: VendorRequest): Refusal | null {
  if (account.keyHeader !== null) {
    const input = keyOf(request.headers[account.keyHeader] ?? '');
    if (input === '' || (key !== null && input !== key)) return account.refuseKey(input);
  }
  if (isSpent && account.refuseSpent !== undefined) return account.refuseSpent;
  const model = modelOf(request);
  return models.length === 0 || models.includes(model) ? null : account.refuseModel(model);
}

/** A bearer or a key as it stands; of a signed request, which holds no secret, the name of its key. */
function keyOf(header: string): string {
  const [, signer] = /^AWS4-HMAC-SHA256 Credential=([^/]+)\//.exec(header) ?? [];
  return signer ?? header.replace(/^Bearer /, '');
}

function modelOf({ path, body }: VendorRequest): string {
  const [, named] = /\/models?\/([^:/]+(?::\d+)?)(?::generateContent|\/converse)$/.exec(decodeURIComponent(path)) ?? [];
  return named ?? shown(memberOf(body, 'model') ?? '');
}
