import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** The one capability that reaches every selected model; `model` of its argument names an alias (providers.md §5.3). */
export const MODEL_CAPABILITY = 'llm-request';

/**
 * What bounded the output of a model call, in the order in which several of equal size are reported (providers.md
 * §5.4).
 */
export const OUTPUT_BINDINGS = [
  'application_limit',
  'installation_param',
  'model_output_limit',
  'remaining_context',
] as const;
/** Which bound decides how much a model may answer (providers.md §5.6). */
export type OutputBinding = (typeof OUTPUT_BINDINGS)[number];

/** The output tokens that a request asks for, at least 1, and every bound that is equal to them. */
export interface OutputLimit {
  readonly value: number;
  readonly bindings: readonly OutputBinding[];
}

/** An installed model, as its adapter describes it when it is acquired. */
export interface ModelFacts {
  /** Public name of the model, `provider:id`, 1 to 256 bytes; null where it may not be shown (providers.md §5.1). */
  readonly resolvedModel: string | null;
  /** Calls that the selection allows. */
  readonly maxCalls: number;
  /** False: replay, which takes no slot of admission, and touches no budget but by fixed terms. */
  readonly isLive: boolean;
  /** What one call can use at most; null where nobody can say, which refuses it while a budget is on. */
  readonly terms: ModelTerms | null;
}

/**
 * The bound of one call as data, from which the supervisor reserves without asking the adapter: a pure function of the
 * request (runtime.md §11, attestation; providers.md §5.6 "Budgets").
 */
export type ModelTerms =
  /**
   * The same for every request: what a decision's installation declares (providers.md §11); a run may authorise less
   * output.
   */
  | {
      readonly kind: 'fixed';
      readonly outputTokens: number | null;
      readonly tokens: number;
      readonly costMicrousd: number;
    }
  | RequestTerms;

/** What a call can be charged at most, in microdollars. */
export interface RequestPrices {
  readonly perMillionInput: number;
  readonly perMillionOutput: number;
  readonly perRequest: number;
}

/** The terms of a model that is asked live: what decides the reservation of a request (providers.md §5.6). */
export interface RequestTerms {
  readonly kind: 'request';
  /** `params.max_tokens` of the installation, and the catalogued output limit; null without one. */
  readonly installationTokens: number | null;
  readonly modelTokens: number | null;
  /** Catalogued context; null without one. */
  readonly contextTokens: number | null;
  /** Highest rates, rounded up (world.md §1.8); null without a price. */
  readonly prices: RequestPrices | null;
  /** Whether an answer that is cut within its thought is tried again with more room; absent: it is not. */
  readonly thinks?: boolean;
}

/** What a live model call asks of both budgets at most (runtime.md §11). */
export interface ModelReservation {
  /** Null where the request authorises no number; such a call is refused. */
  readonly outputTokens: number | null;
  /** At least the authorised output tokens. */
  readonly tokens: number;
  readonly costMicrousd: number;
}

/** Tokens that a request can have beyond one for each of its bytes (providers.md §5.4). */
const REQUEST_OVERHEAD_TOKENS = 256;
/** Tokens of an image, at most, for today's vendors: they follow from its width and height, and not from its bytes. */
const IMAGE_TOKENS = 8192;
const MILLION = 1_000_000n;
const MOST = Number.MAX_SAFE_INTEGER;

/** What fixed terms say of the output of a request: all of their tokens may be that. */
function fixedOutput(
  outputTokens: number | null,
): Pick<RequestTerms, 'installationTokens' | 'modelTokens' | 'contextTokens'> {
  return { installationTokens: outputTokens, modelTokens: null, contextTokens: null };
}

/**
 * Tokens that a request of so many canonical bytes can have, but for the overhead of each: one for each byte, and for
 * an image those of an image.
 */
export function requestTokensOf(request: JsonObject, bytes: number): number {
  const messages = request.get('messages');
  return (isJsonArray(messages) ? messages : [])
    .flatMap(imagesIn)
    .reduce((tokens, data) => tokens - data.length + IMAGE_TOKENS, bytes);
}

/** Data of the images of a message; only users show any. */
function imagesIn(message: JsonValue): readonly string[] {
  const content = isJsonObject(message) && message.get('role') === 'user' ? message.get('content') : null;
  return (isJsonArray(content) ? content : []).flatMap((part) => {
    const data = isJsonObject(part) && part.get('type') === 'image' ? part.get('data') : null;
    return typeof data === 'string' ? [data] : [];
  });
}

/**
 * The output limit that is sent with a request of so many tokens at most; `applicationTokens` is
 * `llm_request_output_tokens`.
 */
export function outputLimitOf(terms: ModelTerms, applicationTokens: number, requestTokens: number): OutputLimit {
  const { installationTokens, modelTokens, contextTokens } =
    terms.kind === 'fixed' ? fixedOutput(terms.outputTokens) : terms;
  const bounds: Readonly<Record<OutputBinding, number | null>> = {
    application_limit: applicationTokens,
    installation_param: installationTokens,
    model_output_limit: modelTokens,
    remaining_context: contextTokens === null ? null : contextTokens - requestTokens - REQUEST_OVERHEAD_TOKENS,
  };
  const least = Math.min(...Object.values(bounds).filter((bound) => bound !== null));
  return { value: Math.max(1, least), bindings: OUTPUT_BINDINGS.filter((binding) => bounds[binding] === least) };
}

/**
 * The limit of a second try, where a reasoning model answered by thought alone and was cut: the largest that the run,
 * the model and its context allow, whatever `max_tokens` the installation asks for. Null where it would be no larger.
 */
export function largerLimitOf(terms: ModelTerms, applicationTokens: number, requestTokens: number): OutputLimit | null {
  if (terms.kind === 'fixed' || terms.thinks !== true || terms.installationTokens === null) return null;
  const first = outputLimitOf(terms, applicationTokens, requestTokens);
  const larger = outputLimitOf({ ...terms, installationTokens: null }, applicationTokens, requestTokens);
  return larger.value > first.value ? larger : null;
}

/** What a request is reserved at; null where a cost budget is on (`needsCost`) and the terms have no price. */
export function reservationOf(
  terms: ModelTerms,
  applicationTokens: number,
  requestTokens: number,
  needsCost: boolean,
): ModelReservation | null {
  if (terms.kind === 'fixed')
    return {
      outputTokens: terms.outputTokens === null ? null : Math.min(terms.outputTokens, applicationTokens),
      tokens: terms.tokens,
      costMicrousd: terms.costMicrousd,
    };
  const { prices } = terms;
  if (prices === null && needsCost) return null;
  const outputTokens = outputLimitOf(terms, applicationTokens, requestTokens).value;
  const secondTokens = largerLimitOf(terms, applicationTokens, requestTokens)?.value ?? null;
  const tries = secondTokens === null ? 1 : 2;
  const inputTokens = tries * (requestTokens + REQUEST_OVERHEAD_TOKENS);
  const allOutputTokens = outputTokens + (secondTokens ?? 0);
  const cost = prices === null ? 0n : costAtMost(prices, { tries, inputTokens, outputTokens: allOutputTokens });
  return {
    outputTokens,
    tokens: inputTokens + allOutputTokens,
    costMicrousd: cost > BigInt(MOST) ? MOST : Number(cost),
  };
}

interface MostOfCall {
  readonly tries: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

function costAtMost(prices: RequestPrices, { tries, inputTokens, outputTokens }: MostOfCall): bigint {
  const perMillion =
    BigInt(inputTokens) * BigInt(prices.perMillionInput) + BigInt(outputTokens) * BigInt(prices.perMillionOutput);
  return (perMillion + MILLION - 1n) / MILLION + BigInt(tries) * BigInt(prices.perRequest);
}
