import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../contract/json/value.ts';
import { parseJsonText } from './json-text.ts';

/** What a vendor says of a request that failed (providers.md §5.6). */
export interface VendorError {
  /** Its own words; null where the body has none. */
  readonly message: string | null;
  readonly code: JsonValue;
  /** Google and xAI answer a key that they do not know with a plain 400. */
  readonly isBadKey: boolean;
}

/** xAI has no other sign of a key that it does not know than its words. */
const BAD_KEY = /^Incorrect API key provided/;

/** Of the body of an answer whose status is no success; null for a body that says nothing. */
export function vendorErrorIn(text: string): VendorError | null {
  const parsed = parseJsonText(text);
  if (parsed !== undefined) return vendorError(parsed);
  const words = text.trim().replaceAll(/\s+/g, ' ');
  // A page is for a browser.
  return words === '' || words.startsWith('<') ? null : { message: words, code: null, isBadKey: false };
}

function vendorError(parsed: JsonValue): VendorError | null {
  if (!isJsonObject(parsed)) return null;
  const error = parsed.get('error');
  const message = wordsOf(parsed);
  return {
    message,
    code: isJsonObject(error) ? (error.get('code') ?? null) : null,
    isBadKey:
      (message !== null && BAD_KEY.test(message)) ||
      (isJsonObject(error) && detailsOf(error).some((detail) => detail.get('reason') === 'API_KEY_INVALID')),
  };
}

/**
 * `error.message`, `error` or `message`; `Message`, which Bedrock writes before a request reaches a model; `detail`, by
 * Mistral and whatever is written with FastAPI.
 */
function wordsOf(body: JsonObject): string | null {
  const error = body.get('error');
  if (isJsonObject(error)) return wordsOfError(error) ?? textIn(body, 'message');
  const named = (['error', 'message', 'Message', 'detail'] as const).map((name) => textIn(body, name)).find(isText);
  return named ?? wordsOfDetail(body.get('detail'));
}

/** FastAPI lists the faults of a request, each with its place; the first is shown. */
function wordsOfDetail(detail: JsonValue | undefined): string | null {
  const [first] = isJsonArray(detail) ? detail : [];
  const words = isJsonObject(first) ? textIn(first, 'msg') : null;
  const place = isJsonObject(first) ? first.get('loc') : null;
  const steps = (isJsonArray(place) ? place : []).filter(
    (step) => typeof step === 'string' || typeof step === 'number',
  );
  if (words === null) return null;
  return steps.length === 0 ? words : `${steps.map(String).join('.')}: ${words}`;
}

/**
 * OpenRouter says of a vendor behind it that it returned an error, and keeps the vendor's own words beside that, as
 * they came.
 */
function wordsOfError(error: JsonObject): string | null {
  const message = textIn(error, 'message');
  const metadata = error.get('metadata');
  const raw = isJsonObject(metadata) ? textIn(metadata, 'raw') : null;
  if (message === null || !isJsonObject(metadata) || raw === null) return message;
  const inner = vendorErrorIn(raw)?.message ?? raw;
  return [message, textIn(metadata, 'provider_name'), inner].filter(isText).join(': ');
}

function textIn(object: JsonObject, name: string): string | null {
  const value = object.get(name);
  return typeof value === 'string' ? value : null;
}

function isText(value: string | null): value is string {
  return value !== null;
}

function detailsOf(error: JsonObject): readonly JsonObject[] {
  const details = error.get('details');
  return isJsonArray(details) ? details.filter(isJsonObject) : [];
}

/** Bytes of a success that may be an error: every answer of a model is not read twice. */
const ERROR_INSIDE_BYTES_MAX = 16_384;

/**
 * An error that came with a success, as OpenRouter reports those of the vendors behind it, and Responses those of an
 * answer that failed: an `error` and nothing that was answered.
 */
export function errorInside(body: Uint8Array): VendorError | null {
  if (body.length > ERROR_INSIDE_BYTES_MAX) return null;
  const text = new TextDecoder().decode(body);
  if (!text.includes('"error"')) return null;
  const parsed = parseJsonText(text);
  const error = isJsonObject(parsed) ? errorIn(parsed) : null;
  return error === null ? null : { message: wordsOfError(error), code: error.get('code') ?? null, isBadKey: false };
}

/** Of the answer itself, or of its one choice. */
function errorIn(answer: JsonObject): JsonObject | null {
  const choices = answer.get('choices');
  const [first] = isJsonArray(choices) ? choices : [];
  const errors = [answer.get('error'), isJsonObject(first) ? first.get('error') : null];
  return errors.find(isJsonObject) ?? null;
}
