import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';

/** Headers of an answer, their names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

/** What a refusal says of waiting is read from this. */
export interface Refusal {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** Its body; undefined where that is no JSON. */
  readonly body: JsonValue | undefined;
}

/** A longer wait is a clock that is wrong, or a unit that was misread. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/**
 * Milliseconds after which a vendor wants to be asked again; null where it does not say (world.md §1.4). `now`:
 * milliseconds since 1970. What names a moment in the past means at once.
 */
export function requestedWait({ status, headers, body }: Refusal, now: number): number | null {
  const direct = bounded(milliseconds(headers['retry-after-ms'])) ?? bounded(retryAfter(headers['retry-after'], now));
  if (direct !== null) return direct;
  // Every answer carries the resets; only a refusal for the rate means them.
  if (status !== 429) return null;
  return resetOf(headers, now) ?? bounded(retryInfo(body)) ?? resetInBody(body, now);
}

function bounded(wait: number | null): number | null {
  return wait === null || !Number.isFinite(wait) || wait > LONGEST_MS ? null : Math.max(0, Math.ceil(wait));
}

const NUMBER = /^\d+(?:\.\d+)?$/;

function milliseconds(text: string | undefined): number | null {
  return text !== undefined && NUMBER.test(text.trim()) ? Number(text) : null;
}

/** Seconds, or a date of HTTP. */
function retryAfter(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  return NUMBER.test(text.trim()) ? Number(text) * 1000 : until(text, now);
}

/** A date has a time of day; what JavaScript reads of `-5` or `at 5` is a day of 2001. */
const TIME_OF_DAY = /\d:\d\d/;

function until(date: string, now: number): number | null {
  const at = TIME_OF_DAY.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(at) ? null : at - now;
}

/** Pairs of what is left of a limit and of when it is whole again, as vendors name them. */
const LIMITS: readonly (readonly [remaining: string, reset: string])[] = [
  ...['requests', 'tokens'].map((of) => [`x-ratelimit-remaining-${of}`, `x-ratelimit-reset-${of}`] as const),
  ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map(
    (of) => [`anthropic-ratelimit-${of}-remaining`, `anthropic-ratelimit-${of}-reset`] as const,
  ),
  ['x-ratelimit-remaining', 'x-ratelimit-reset'],
  ['ratelimit-remaining', 'ratelimit-reset'],
];

/**
 * The latest reset of the limits that are used up; a limit of which something is left is not what refused, and -1 is
 * left of one that is not counted.
 */
function resetOf(headers: AnswerHeaders, now: number): number | null {
  const waits = LIMITS.flatMap(([remaining, reset]) => {
    const left = headers[remaining];
    const wait = bounded(resetIn(headers[reset], now));
    return wait === null || (left !== undefined && Number(left) !== 0) ? [] : [wait];
  });
  return waits.length === 0 ? null : Math.max(...waits);
}

/** From here on a number is a moment and no span: seconds since 1970, and milliseconds. */
const EPOCH_SECONDS = 1e9;
const EPOCH_MILLISECONDS = 1e12;
const SPAN = /^(?:(?<h>\d+)h)?(?:(?<m>\d+)m)?(?:(?<s>\d+(?:\.\d+)?)s)?(?:(?<ms>\d+(?:\.\d+)?)ms)?$/;

/** `6m0s`, `7.66s`, `120ms`, seconds, a moment as seconds or milliseconds since 1970, or a date. */
function resetIn(text: string | undefined, now: number): number | null {
  const input = text?.trim() ?? '';
  if (input === '') return null;
  if (NUMBER.test(input)) {
    const value = Number(input);
    if (value >= EPOCH_MILLISECONDS) return value - now;
    return value >= EPOCH_SECONDS ? value * 1000 - now : value * 1000;
  }
  const { h, m, s, ms } = SPAN.exec(input)?.groups ?? {};
  const parts = [h, m, s, ms];
  if (parts.every((part) => part === undefined)) return until(input, now);
  const [hours = 0, minutes = 0, seconds = 0, thousandths = 0] = parts.map((part) => Number(part ?? 0));
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + thousandths;
}

/** `retryDelay` of the member `google.rpc.RetryInfo` in the details of an error: `34.07s`. */
function retryInfo(body: JsonValue | undefined): number | null {
  const details = errorOf(body)?.get('details');
  if (!isJsonArray(details)) return null;
  const delay = details
    .filter((detail) => isJsonObject(detail))
    .find(isRetryInfo)
    ?.get('retryDelay');
  return typeof delay === 'string' ? resetIn(delay, 0) : null;
}

function isRetryInfo(detail: JsonObject): boolean {
  const type = detail.get('@type');
  return typeof type === 'string' && type.endsWith('google.rpc.RetryInfo');
}

/** OpenRouter repeats the headers of the vendor that it asked in the body. */
function resetInBody(body: JsonValue | undefined, now: number): number | null {
  const metadata = errorOf(body)?.get('metadata');
  const headers = isJsonObject(metadata) ? metadata.get('headers') : undefined;
  if (!isJsonObject(headers)) return null;
  const named = [...headers].flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name.toLowerCase(), String(value)] as const] : [],
  );
  return resetOf(Object.fromEntries(named), now);
}

function errorOf(body: JsonValue | undefined): ReadonlyMap<string, JsonValue> | null {
  const error = isJsonObject(body) ? body.get('error') : undefined;
  return isJsonObject(error) ? error : null;
}

/** Codes and types of errors that say that the money or the quota is spent, so that no wait helps. */
const SPENT: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'exceeded_current_quota_error',
  'insufficient_balance',
]);

/** Whether a refusal for the rate is one for want of money (world.md §1.4, "never"). */
export function isQuotaSpent({ status, body }: Pick<Refusal, 'status' | 'body'>): boolean {
  if (status !== 429) return false;
  const error = errorOf(body);
  return [error?.get('code'), error?.get('type')].some((word) => typeof word === 'string' && SPENT.has(word));
}
