import { waitUntilAborted } from '../../system/until-aborted.ts';
import type { JsonText } from '../../contract/json/canonical.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import type { CapabilityFacts } from '../../contract/provider-protocol/capability.ts';
import { SYSTEM_NETWORK, type Network } from '../../contract/provider-protocol/network.ts';
import type {
  AcquisitionAnswer,
  AcquisitionRequest,
  ProviderAdapter,
  ProviderSession,
} from '../../contract/provider-protocol/session.ts';
import type { ProviderPlace } from '../calls/broker/run-ending.ts';
import type { Acquire, AcquiredProvider, AcquisitionTools, Occurrence } from './source/installed-provider.ts';
import { parsedText } from './adapter-json.ts';
import { sessionCapability, type SupervisorChecks } from './session-capability.ts';
import { sessionLoss } from './session-loss.ts';

/** Levels of what an adapter says about itself. */
const FACTS_DEPTH = 64;

export interface AdaptedSource<Declaration> {
  readonly adapter: Pick<ProviderAdapter<Declaration>, 'acquire'>;
  /** Of the occurrence, plain data. */
  readonly declaration: Declaration;
  readonly checksOf: (facts: CapabilityFacts<JsonText>) => SupervisorChecks;
  /** Absent: of a source that asks nobody over a network. */
  readonly network?: Network;
}

/** What a row of the table does to open an occurrence through an adapter (contract/provider-protocol). */
export async function acquireThrough<Declaration>(
  occurrence: Occurrence,
  tools: AcquisitionTools,
  { adapter, declaration, checksOf, network = SYSTEM_NETWORK }: AdaptedSource<Declaration>,
): ReturnType<Acquire> {
  const { credentials, signal, required } = tools;
  const request = makeAcquisitionRequest(occurrence, tools, declaration);
  const dependencies = required.flatMap(({ session }) => (session === null ? [] : [session]));
  const acquiring = answerOf(() => adapter.acquire(request, { credentials, network, dependencies, signal }));
  const answer = await waitUntilAborted(acquiring, signal, 'stopped');
  if (answer === 'stopped') {
    // It may still come; it is closed then, since nobody will use it.
    void acquiring.then((late) => (late.ok ? late.session.close().catch(() => undefined) : undefined));
    return { ok: false, refusal: 'stopped' };
  }
  if (!answer.ok) return answer;
  const value = acquired(answer.session, occurrence, checksOf);
  if (value !== null) return { ok: true, value };
  await answer.session.close().catch(() => undefined);
  return { ok: false, refusal: { code: 'provider_protocol_error', tool: null, hasActivity: true } };
}

/** What an adapter is asked to open, or to probe. */
export function makeAcquisitionRequest<Declaration>(
  { alias }: Occurrence,
  { limits, traceId }: AcquisitionTools,
  declaration: Declaration,
): AcquisitionRequest<Declaration> {
  return {
    alias,
    declaration,
    traceId,
    limits: {
      argumentBytes: limits.capability_argument_bytes,
      resultBytes: limits.capability_result_bytes,
      heapWords: limits.provider_heap_words,
      evaluationTimeoutMs: limits.evaluation_timeout_ms,
    },
  };
}

/**
 * An adapter that throws instead of answering has a bug; the run gets what it would get for a provider that is not
 * there.
 */
async function answerOf(acquire: () => Promise<AcquisitionAnswer>): Promise<AcquisitionAnswer> {
  try {
    return await acquire();
  } catch {
    return { ok: false, refusal: { code: 'provider_unavailable', tool: null, hasActivity: true } };
  }
}

/** Null where what it says about itself is no JSON. */
function acquired(
  session: ProviderSession,
  place: ProviderPlace,
  checksOf: AdaptedSource<unknown>['checksOf'],
  loss = sessionLoss(session, place),
): AcquiredProvider | null {
  const { acquisition, unidentified, contentHash } = session.snapshot;
  const facts = parsedText(acquisition, FACTS_DEPTH);
  const serving = { serve: session.serve.bind(session), loss, alias: place.alias };
  const capabilities = session.capabilities
    .map((capability) => sessionCapability(serving, capability, checksOf(capability)))
    .filter((capability) => capability !== null);
  if (!isJsonObject(facts) || capabilities.length < session.capabilities.length) return null;
  const { share } = session;
  return {
    // What was read once is read again alike, and is lost as one.
    share: share === null ? null : (run) => acquired({ ...share(run), hasActivity: false }, place, checksOf, loss),
    capabilities,
    snapshot: { acquisition: facts, unidentified, contentHash },
    session,
    hasActivity: session.hasActivity,
    close: () => session.close(),
  };
}
