import type { JsonValue } from '../../contract/json/value.ts';
import type { ProviderReason } from '../../contract/provider-protocol/outcome.ts';
import { addressed, authorise, type OwnRequest } from './authorise.ts';
import { classifyStatus, classifyTransport, failed, isUnanswered, type Classified } from './failure.ts';
import { parseJsonText } from './json-text.ts';
import { isQuotaSpent, requestedWait } from './retry/requested-wait.ts';
import type { Tried } from './retry/try-again.ts';
import { safeDetails } from './scrub.ts';
import type { Exchange, FailedExchange, ModelConnections } from './transport.ts';
import { errorInside, vendorErrorIn, type VendorError } from './vendor-error.ts';
import type { WireName } from './vendors.ts';
import type { WrittenRequest } from './write-request.ts';

export interface ConversationTools {
  /** Of this installation and credential alone. */
  readonly connections: ModelConnections;
  readonly credential: string;
  /**
   * Every credential that may not be passed on: this one, and those that other installations of the tenant use
   * meanwhile.
   */
  readonly secrets: () => Iterable<string>;
  readonly wire: WireName;
  /** Of Bedrock; null for the default one. */
  readonly region: string | null;
  readonly server: OwnRequest | null;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970, which the dates of vendors are measured against. */
  readonly wall: () => number;
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
): Promise<Tried> {
  const { connections, secrets, signal, wall, openGate } = tools;
  const headers = await authorise(written, tools);
  // No header can carry it (providers.md §4).
  if (headers === null) return unsent('authentication_failed', 'no header can carry a credential');
  const exchanged = await connections.exchange({
    url: addressed(written.url, tools.server),
    headers,
    body: written.body,
    signal,
    openGate,
  });
  switch (exchanged.kind) {
    case 'refused':
      return unsent('unavailable', null);
    case 'too_large':
      return {
        conversed: { ok: false, failure: failed('invalid_result', false, null) },
        end: { kind: 'settled' },
        attempt: { outcome: 'ok', status: null, said: 'the answer is too long', charge: 'reported' },
      };
    case 'failed':
      return failedOnTheWay(exchanged, secrets());
    case 'answered': {
      const reading = { hasTools: written.hasTools, secrets: secrets(), now: wall() };
      if (exchanged.status < 200 || exchanged.status > 299) return refusedBy(exchanged, reading);
      const error = errorInside(exchanged.body);
      return error === null
        ? {
            conversed: { ok: true, body: exchanged.body },
            end: { kind: 'settled' },
            attempt: { outcome: 'ok', status: exchanged.status, said: null, charge: 'reported' },
          }
        : failedInside(exchanged.status, error, reading);
    }
  }
}

function unsent(reason: ProviderReason, said: string | null): Tried {
  return {
    conversed: { ok: false, failure: { ...failed(reason, false, null), proof: 'not_dispatched' } },
    end: { kind: 'settled' },
    attempt: { outcome: reason, status: null, said, charge: 'none' },
  };
}

function failedOnTheWay({ code, words, isSent, hasStatus }: FailedExchange, secrets: Iterable<string>): Tried {
  const { reason, retryable } = classifyTransport(code);
  return {
    conversed: { ok: false, failure: { ...failed(reason, retryable, null), proof: isSent ? null : 'not_dispatched' } },
    end: !hasStatus && isUnanswered(code) ? { kind: 'unanswered' } : { kind: 'settled' },
    attempt: { outcome: reason, status: null, said: safeDetails(words, secrets), charge: isSent ? 'reserved' : 'none' },
  };
}

interface Reading {
  readonly hasTools: boolean;
  readonly secrets: Iterable<string>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

function refusedBy(
  { status, headers, body }: Extract<Exchange, { kind: 'answered' }>,
  { hasTools, secrets, now }: Reading,
): Tried {
  const text = new TextDecoder().decode(body);
  const refusal = { status, headers, body: parseJsonText(text) };
  const error = vendorErrorIn(text);
  const message = error?.message ?? null;
  const isSpent = isQuotaSpent(refusal);
  const target = error?.isBadKey === true ? UNAUTHORISED : status;
  const { reason, retryable } = isSpent ? SPENT : classifyStatus(target, message, hasTools);
  const details = safeDetails(message === null ? `HTTP ${status}` : `HTTP ${status}: ${message}`, secrets);
  return {
    conversed: { ok: false, failure: { ...failed(reason, retryable, details), proof: 'complete_answer' } },
    end: { kind: 'refused', status, isSpent, requestedMs: requestedWait(refusal, now) },
    attempt: { outcome: reason, status, said: details, charge: 'none' },
  };
}

const SPENT: Classified = { reason: 'payment_required', retryable: false };

/** An error that came as a success is never tried again (world.md §1.4), and nobody knows what it cost. */
function failedInside(status: number, { message, code }: VendorError, { hasTools, secrets }: Reading): Tried {
  const { reason, retryable } = classifyStatus(statusInside(code), message, hasTools);
  const details = safeDetails(message === null ? `HTTP ${status}` : `HTTP ${status}: ${message}`, secrets);
  return {
    conversed: { ok: false, failure: { ...failed(reason, retryable, details), proof: 'complete_answer' } },
    end: { kind: 'settled' },
    attempt: { outcome: reason, status, said: details, charge: 'reported' },
  };
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
