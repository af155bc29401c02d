import { createHash } from 'node:crypto';
import { canonicalJson, type JsonText } from '../../../contract/json/canonical.ts';
import { valueOf } from '../../../contract/json/node.ts';
import { parseJson } from '../../../contract/json/parse.ts';
import { utf8Length } from '../../../contract/json/utf8.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../contract/json/value.ts';
import type { ProviderOutcome } from '../../../contract/provider-protocol/outcome.ts';
import { cutTo } from '../document/cut-to.ts';
import { operationFailure } from './call-failure.ts';

/** A whole answer of a server. */
export interface ApiAnswer {
  readonly status: number;
  readonly contentType: string | null;
  readonly isPlain: boolean;
  readonly bytes: Uint8Array;
}

/** What decides how an answer is read. */
export interface AnswerTerms {
  /** `bounded`: what a server says of its refusal is reported to programs. */
  readonly errorFeedback: 'closed' | 'bounded';
  /** Canonical bytes of a value. */
  readonly maxBytes: number;
}

export interface ReadApiAnswer {
  readonly outcome: ProviderOutcome<JsonText>;
  /** What the server said of a refusal, for people; null where it did not refuse. */
  readonly said: string | null;
}

/** Levels of a value (evidence.md §6). */
const DEPTH = 50;
const WORDS_BYTES = 1024;

/** What a call came to (providers.md §7.9). */
export function readApiAnswer(answer: ApiAnswer, terms: AnswerTerms): ReadApiAnswer {
  const { status } = answer;
  if (status >= 200 && status < 300) return { outcome: succeeded(answer, terms), said: null };
  // Nobody follows where it points, and an interim answer is none.
  if (status < 400) return { outcome: operationFailure('openapi_transport_error'), said: `HTTP ${status}` };
  const said = saidOf(answer);
  const details = terms.errorFeedback === 'bounded' ? said : `HTTP ${status}`;
  const word = mayPass(status) ? 'openapi_unavailable' : 'openapi_refused';
  return { outcome: operationFailure(word, { details }), said };
}

/** What may be otherwise a little later, and of which nobody knows what was done before it. */
function mayPass(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function succeeded(answer: ApiAnswer, { maxBytes }: AnswerTerms): ProviderOutcome<JsonText> {
  const value = valueIn(answer);
  if (value === undefined) return operationFailure('openapi_invalid_result');
  const text = canonicalJson(value);
  return utf8Length(text) > maxBytes
    ? operationFailure('openapi_response_exceeded')
    : { kind: 'value', value: text, usage: null, finish: null };
}

/** Undefined for what says that it is JSON, and is none. */
function valueIn(answer: ApiAnswer): JsonValue | undefined {
  const { bytes, isPlain } = answer;
  if (bytes.length === 0) return null;
  const media = mediaOf(answer);
  if (isPlain && isJson(media)) {
    const parsed = parseJson(bytes, { bytes: bytes.length, depth: DEPTH, nodes: Number.MAX_SAFE_INTEGER });
    return parsed.ok ? valueOf(parsed.root) : undefined;
  }
  const text = isPlain && isText(media) ? textOf(answer) : null;
  return text === null ? descriptor(bytes, media) : new Map([['text', text]]);
}

/** Bytes that no program needs: what they are, and how they are known again (world.md §2.2). */
function descriptor(bytes: Uint8Array, media: string | null): JsonValue {
  const [kind = ''] = media?.split('/') ?? [];
  return new Map<string, JsonValue>([
    ['type', kind === 'image' || kind === 'audio' ? kind : 'blob'],
    ...(media === null ? [] : [['mimeType', media] as const]),
    ['bytes', bytes.length],
    ['sha256', createHash('sha256').update(bytes).digest('hex')],
  ]);
}

/** In lower case and without parameters; null where there is none that has the form of one. */
function mediaOf({ contentType }: ApiAnswer): string | null {
  const [media = ''] = contentType?.toLowerCase().split(';') ?? [];
  return /^[a-z0-9!#$&^_.+-]{1,64}\/[a-z0-9!#$&^_.+-]{1,127}$/.test(media.trim()) ? media.trim() : null;
}

function isJson(media: string | null): boolean {
  return media !== null && /^application\/(?:.*\+)?json$/.test(media);
}

function isText(media: string | null): boolean {
  return (
    media !== null && /^text\/|^application\/(?:(?:.*\+)?(?:xml|yaml)|x-yaml|javascript|x-ndjson|graphql)$/.test(media)
  );
}

/** Null for bytes that are no text in the encoding that their server names. */
function textOf({ bytes, contentType }: ApiAnswer): string | null {
  const [, charset = 'utf-8'] = /;\s*charset="?([^";\s]+)/i.exec(contentType ?? '') ?? [];
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes).toWellFormed();
  } catch {
    return null;
  }
}

/** The status, and the server's own words as far as there are any. */
function saidOf(answer: ApiAnswer): string {
  const status = `HTTP ${answer.status}`;
  const words = wordsOf(answer)
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\uFFFD')
    .trim();
  return words === '' ? status : cutTo(`${status}: ${words}`, WORDS_BYTES);
}

function wordsOf(answer: ApiAnswer): string {
  const { bytes, isPlain } = answer;
  const media = mediaOf(answer);
  if (!isPlain) return '';
  if (isJson(media)) {
    const parsed = parseJson(bytes, { bytes: bytes.length, depth: DEPTH, nodes: 10_000 });
    if (parsed.ok) return errorWords(valueOf(parsed.root), 3) ?? textOf(answer) ?? '';
  }
  return isText(media) || isJson(media) ? (textOf(answer) ?? '') : '';
}

/** Members in which APIs say what is wrong, the most reporting first (RFC 9457 among them). */
const WORDS = ['error_description', 'message', 'detail', 'error', 'errors', 'title', 'description', 'reason'] as const;

function errorWords(value: JsonValue, depth: number): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  if (depth === 0) return null;
  if (isJsonArray(value)) {
    const all = value.slice(0, 8).flatMap((item) => errorWords(item, depth - 1) ?? []);
    return all.length === 0 ? null : all.join('\n');
  }
  if (!isJsonObject(value)) return null;
  const words = WORDS.flatMap((name) => {
    const found = errorWords(value.get(name) ?? null, depth - 1);
    return found === null ? [] : [found];
  });
  return words.length === 0 ? null : [...new Set(words)].join('\n');
}
