import type { ProviderFailure } from '../../contract/provider-protocol/outcome.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { authorise } from './authorise.ts';
import { classifyStatus, classifyTransport, failed } from './failure.ts';
import { parseJsonText } from './json-text.ts';
import { safeDetails } from './scrub.ts';
import type { ModelConnections } from './transport.ts';
import type { WireName } from './vendors.ts';
import type { WrittenRequest } from './write-request.ts';

/** What came of one exchange: the bytes of a success, or a failure in which no part of the credential is left. */
export type Conversed =
  { readonly ok: true; readonly body: Uint8Array } | { readonly ok: false; readonly failure: ProviderFailure };

export interface ConversationTools {
  /** Of this installation and credential alone. */
  readonly connections: ModelConnections;
  readonly credential: string;
  /**
   * Every credential that may not be told on: this one, and those that other installations of the tenant use meanwhile.
   */
  readonly secrets: () => Iterable<string>;
  readonly wire: WireName;
  /** Of Bedrock; null for the default one. */
  readonly region: string | null;
  readonly signal: AbortSignal;
  /** Asked once, right before the request leaves. */
  readonly openGate: () => Promise<boolean>;
}

/**
 * Sends a written request once, with its credential, and classifies what is no success (providers.md §5.6). Never
 * rejects.
 */
export async function converse(
  written: Extract<WrittenRequest, { ok: true }>,
  tools: ConversationTools,
): Promise<Conversed> {
  const { connections, secrets, signal, openGate } = tools;
  const headers = await authorise(written, tools);
  // No header can carry it (providers.md §4).
  if (headers === null) return refused({ ...failed('authentication_failed', false, null), proof: 'not_dispatched' });
  const exchanged = await connections.exchange({ url: written.url, headers, body: written.body, signal, openGate });
  switch (exchanged.kind) {
    case 'refused':
      return refused({ ...failed('unavailable', false, null), proof: 'not_dispatched' });
    case 'too_large':
      return refused(failed('invalid_result', false, null));
    case 'failed': {
      const { reason, retryable } = classifyTransport(exchanged.code);
      return refused({ ...failed(reason, retryable, null), proof: exchanged.isSent ? null : 'not_dispatched' });
    }
    case 'answered': {
      const { status, body } = exchanged;
      const isSuccess = status >= 200 && status <= 299;
      const error = isSuccess ? errorInside(body) : vendorError(body);
      if (isSuccess && error === null) return { ok: true, body };
      const message = error?.message ?? null;
      const told = isSuccess ? statusInside(error?.code ?? null) : error?.isBadKey === true ? UNAUTHORISED : status;
      const { reason, retryable } = classifyStatus(told, message, written.hasTools);
      const details = safeDetails(message === null ? `HTTP ${status}` : `HTTP ${status}: ${message}`, secrets());
      return refused({ ...failed(reason, retryable, details), proof: 'complete_answer' });
    }
  }
}

const UNAUTHORISED = 401;
/** A vendor that could not answer, where it does not say why. */
const BAD_GATEWAY = 502;
/** Codes in words of errors that come with a success, as the statuses that they mean. */
const STATUS_OF_CODE: ReadonlyMap<JsonValue, number> = new Map<JsonValue, number>([
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 402],
  ['invalid_prompt', 400],
]);

/** The status that the code of an error means, where the answer itself came as a success. */
function statusInside(code: JsonValue): number {
  const status = typeof code === 'string' && /^[45]\d\d$/.test(code) ? Number(code) : code;
  return typeof status === 'number' && status >= 400 && status <= 599
    ? status
    : (STATUS_OF_CODE.get(code) ?? BAD_GATEWAY);
}

function refused(failure: ProviderFailure): Conversed {
  return { ok: false, failure };
}

interface VendorError {
  readonly message: string | null;
  readonly code: JsonValue;
  /** Google tells a key that it does not know by a detail of a plain 400. */
  readonly isBadKey: boolean;
}

/** `error.message`, `error` or `message` of an error's body. */
function vendorError(body: Uint8Array): VendorError | null {
  const parsed = parseJsonText(new TextDecoder().decode(body));
  if (!isJsonObject(parsed)) return null;
  const error = parsed.get('error');
  const candidates = [isJsonObject(error) ? error.get('message') : error, parsed.get('message')];
  return {
    message: candidates.find((candidate) => typeof candidate === 'string') ?? null,
    code: isJsonObject(error) ? (error.get('code') ?? null) : null,
    isBadKey: isJsonObject(error) && detailsOf(error).some((detail) => detail.get('reason') === 'API_KEY_INVALID'),
  };
}

function detailsOf(error: JsonObject): readonly JsonObject[] {
  const details = error.get('details');
  return isJsonArray(details) ? details.filter(isJsonObject) : [];
}

/** Bytes of a success that may be an error: every answer of a model is not read twice. */
const ERROR_INSIDE_BYTES_MAX = 16_384;

/**
 * An error that came with a success, as OpenRouter tells those of the vendors behind it, and Responses those of an
 * answer that failed: an `error` and nothing that was answered.
 */
function errorInside(body: Uint8Array): VendorError | null {
  if (body.length > ERROR_INSIDE_BYTES_MAX) return null;
  const text = new TextDecoder().decode(body);
  if (!text.includes('"error"')) return null;
  const parsed = parseJsonText(text);
  const error = isJsonObject(parsed) ? errorIn(parsed) : null;
  if (error === null) return null;
  const { message = null, code = null } = Object.fromEntries(error);
  return { message: typeof message === 'string' ? message : null, code, isBadKey: false };
}

/** Of the answer itself, or of its one choice. */
function errorIn(answer: JsonObject): JsonObject | null {
  const choices = answer.get('choices');
  const [first] = isJsonArray(choices) ? choices : [];
  const errors = [answer.get('error'), isJsonObject(first) ? first.get('error') : null];
  return errors.find(isJsonObject) ?? null;
}
