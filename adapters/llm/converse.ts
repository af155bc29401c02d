import type { ProviderFailure } from '../../contract/provider-protocol/outcome.ts';
import { isJsonObject } from '../../contract/json/value.ts';
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
      if (status >= 200 && status <= 299) return { ok: true, body };
      const message = vendorMessage(body);
      const { reason, retryable } = classifyStatus(status, message, written.hasTools);
      const details = safeDetails(message === null ? `HTTP ${status}` : `HTTP ${status}: ${message}`, secrets());
      return refused({ ...failed(reason, retryable, details), proof: 'complete_answer' });
    }
  }
}

function refused(failure: ProviderFailure): Conversed {
  return { ok: false, failure };
}

/** `error.message`, `error` or `message` of an error's body. */
function vendorMessage(body: Uint8Array): string | null {
  const parsed = parseJsonText(new TextDecoder().decode(body));
  if (!isJsonObject(parsed)) return null;
  const error = parsed.get('error');
  const candidates = [isJsonObject(error) ? error.get('message') : error, parsed.get('message')];
  return candidates.find((candidate) => typeof candidate === 'string') ?? null;
}
