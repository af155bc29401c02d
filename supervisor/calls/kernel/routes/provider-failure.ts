import { isJsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import type { Route } from '../../broker/route.ts';
import type { RecordedFailures } from '../../broker/provider-failures.ts';
import { authenticated, unproven } from './answers.ts';
import { exactly, hasForm, isFilledText, isFlag, getText } from './arguments.ts';

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const INVALID = 'invalid_llm_provider_failure';
/** What a request without a fixture is answered with; one beyond a sequence has no digest to show (providers.md §6). */
const MISS = { reason: 'not_found', retryable: false };

/** `kernel-llm-provider-failure`: only for a failure that a provider really had, each once. */
export function providerFailureRoute(failures: Pick<RecordedFailures, 'consume' | 'isReplayMiss'>): Route {
  return async ({ json }) => {
    const claim = json.get('reason');
    if (!hasForm(json, { required: { kind: exactly('llm-provider-error'), reason: isClaim } }) || !isJsonObject(claim))
      return unproven(INVALID);
    const reason = getText(claim, 'reason');
    const requestHash = claim.has('request_hash') ? getText(claim, 'request_hash') : null;
    if (requestHash !== null && !failures.isReplayMiss(requestHash)) return unproven(INVALID);
    const retryable = claim.get('retryable?') === true;
    if (!failures.consume({ reason, retryable })) return unproven(INVALID);
    const isMiss =
      requestHash !== null || (reason === MISS.reason && retryable === MISS.retryable && failures.isReplayMiss(null));
    return authenticated('llm_provider', { reason, retryable, ...(isMiss ? { request_hash: requestHash } : {}) });
  };
}

function isClaim(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    hasForm(value, { required: { reason: isFilledText, 'retryable?': isFlag }, optional: { request_hash: isDigest } })
  );
}

function isDigest(value: JsonValue): boolean {
  return typeof value === 'string' && DIGEST.test(value);
}
