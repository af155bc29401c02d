import { canonicalJson, type JsonText } from '../../contract/json/canonical.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import { isJsonObject, type JsonValue } from '../../contract/json/value.ts';
import type { Attempt, CallRequest, CallSide, ServedCall } from '../../contract/provider-protocol/call.ts';
import type { CapabilityFacts } from '../../contract/provider-protocol/capability.ts';
import type { ProviderFailure, ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import {
  closesNothing,
  type AcquisitionAnswer,
  type AcquisitionContext,
  type AcquisitionRequest,
  type ProviderAdapter,
  type ProviderSession,
} from '../../contract/provider-protocol/session.ts';
import type { ApiExchanged, ApiRequest } from '../mcp/api/exchange.ts';
import { credentialHeaders } from '../mcp/http/credential-headers.ts';
import { admittedValue } from '../mcp/protocol/admitted-text.ts';
import { hashOf, hashOfText } from '../mcp/protocol/discovery.ts';
import { CLIENT } from '../mcp/protocol/revision.ts';
import { refused } from '../mcp/refused.ts';
import { callTimeoutMs, servedCall } from '../served-call.ts';
import { buildRequest } from './call/build-request.ts';
import { notOpened, operationFailure, unansweredCall } from './call/call-failure.ts';
import type { ApiDeclaration } from './declaration.ts';
import type { MappedOperation } from './document/compile-document.ts';
import { openDocument } from './open-document.ts';
import type { ApiServices } from './services.ts';
import type { ApiWorkers } from './workers.ts';

let calls = 0;

/** APIs that a document describes (providers.md §7.9). */
export function apiAdapter(services: ApiServices): Pick<ProviderAdapter<ApiDeclaration>, 'acquire'> {
  return { acquire: async (request, context) => openSession(services, request, context) };
}

async function openSession(
  services: ApiServices,
  { declaration, limits }: AcquisitionRequest<ApiDeclaration>,
  { credentials, network, signal }: Pick<AcquisitionContext, 'credentials' | 'network' | 'signal'>,
): Promise<AcquisitionAnswer> {
  const { endpoint, auth, oauth, maxResultBytes } = declaration;
  const headers = credentialHeaders(auth, credentials);
  if (headers === null) return refused('authentication_rejected');
  const name = oauth?.declaration.client.secret ?? null;
  const secret = name === null ? null : (credentials.get(name)?.reveal() ?? null);
  const stepMs = Math.min(declaration.timeoutMs, limits.evaluationTimeoutMs);
  const document = await openDocument(services, declaration, { listsAll: false, network, stepMs }, signal);
  if (!document.ok) return document;
  const { remote, lost: watched } = services.network();
  const { ended: lost, leave } = watched.watch();
  const whenLost = lost.then(() => 'lost' as const);
  const target = {
    endpoint,
    headers,
    network,
    oauth: oauth === null ? null : { owned: oauth, client: CLIENT, secret },
  };
  const opened = await Promise.race([remote.openApi(target, stepMs), whenLost]);
  if (typeof opened !== 'number') {
    leave();
    return opened === 'lost' ? refused('provider_unavailable') : notOpened(opened);
  }
  const byName = new Map(document.operations.map((operation) => [operation.as, operation]));
  const exchange: Exchange = async (request, timeoutMs, ended) => {
    calls += 1;
    const call = calls;
    const stop = (): void => void remote.cancelApi(call);
    ended.addEventListener('abort', stop, { once: true });
    try {
      if (ended.aborted) return { kind: 'failed', fault: 'cancelled', isSent: false };
      return await Promise.race([remote.exchangeApi({ api: opened, call, request, timeoutMs }), whenLost]);
    } finally {
      ended.removeEventListener('abort', stop);
    }
  };
  const serving = { exchange, workers: services.workers, heapWords: limits.heapWords, maxResultBytes };
  const session: ProviderSession = {
    capabilities: document.operations.map((operation) => capabilityOf(operation, declaration, limits.argumentBytes)),
    model: null,
    snapshot: {
      acquisition: canonicalJson(snapshotOf(document.digest, document.operations)),
      unidentified: [],
      contentHash: null,
    },
    hasActivity: true,
    lost,
    ended: null,
    serve: (call, side) => serve(serving, byName.get(call.name), call, side),
    share: () => ({ ...session, close: closesNothing }),
    close: async () => {
      await Promise.race([remote.closeApi(opened), whenLost]);
      leave();
    },
  };
  return { ok: true, session };
}

function capabilityOf(
  { as, description, effect, isModelVisible, inputSchema, outputSchema, inspectionCapture }: MappedOperation,
  { timeoutMs, maxResultBytes }: ApiDeclaration,
  argumentBytes: number,
): CapabilityFacts<JsonText> {
  return {
    name: as,
    description,
    effect,
    isModelVisible,
    inputSchema,
    outputSchema,
    timeoutMs,
    argumentBytes,
    resultBytes: maxResultBytes,
    inspectionCapture,
  };
}

/** Digests and closed words: nothing of the document's own text, and no name that only it knows (providers.md §2). */
function snapshotOf(digest: string, operations: readonly MappedOperation[]): JsonValue {
  const entries = operations
    .toSorted((left, right) => compareUtf8(left.as, right.as))
    .map(
      (operation): JsonValue =>
        new Map<string, JsonValue>([
          ['name', operation.as],
          ['effect', operation.effect],
          ['error_feedback', operation.errorFeedback],
          ['model_visible', operation.isModelVisible],
          ['upstream_name_hash', hashOf(operation.upstream)],
          ['description_hash', operation.isModelVisible ? hashOf(operation.description) : null],
          ['input_schema_hash', hashOfText(operation.inputSchema)],
          ['output_schema_hash', operation.outputSchema === null ? null : hashOfText(operation.outputSchema)],
        ]),
    );
  return new Map<string, JsonValue>([
    ['source', 'openapi'],
    ['document_hash', digest.replace('sha256:', '')],
    ['tools', entries],
  ]);
}

type Exchange = (request: ApiRequest, timeoutMs: number, ended: AbortSignal) => Promise<ApiExchanged | 'lost'>;

/** What the calls of one session share. */
interface Serving {
  readonly exchange: Exchange;
  readonly workers: ApiWorkers;
  readonly heapWords: number;
  readonly maxResultBytes: number;
}

const UNSENT: ProviderFailure = operationFailure('openapi_transport_error', { proof: 'not_dispatched' });

/** One call of a program, behind its gate (providers.md §14). */
function serve(
  serving: Serving,
  operation: MappedOperation | undefined,
  call: CallRequest,
  side: CallSide,
): ServedCall {
  return servedCall(async (ended) => {
    const input = admittedValue(call.arguments);
    if (operation === undefined || !isJsonObject(input)) return { outcome: UNSENT, exchanges: [] };
    const built = buildRequest(operation.operation, input);
    if (!built.ok)
      return {
        outcome: operationFailure('openapi_invalid_argument', { details: `openapi_invalid_argument: ${built.words}` }),
        exchanges: [],
      };
    if (ended.aborted || !(await side.openGate())) return { outcome: UNSENT, exchanges: [] };
    const { outcome, attempt } = await callOperation(serving, operation, built.request, {
      timeoutMs: callTimeoutMs(call),
      signal: ended,
    });
    return { outcome, exchanges: [], ...(attempt === null ? {} : { attempts: [attempt] }) };
  });
}

interface Called {
  readonly outcome: ProviderOutcome<JsonText>;
  /** Null where nothing is known beside what it came to. */
  readonly attempt: Attempt | null;
}

async function callOperation(
  { exchange, workers, heapWords, maxResultBytes }: Serving,
  { errorFeedback }: MappedOperation,
  request: ApiRequest,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<Called> {
  const exchanged = await exchange(request, timeoutMs, signal);
  if (exchanged === 'lost') return { outcome: fault('provider_exit'), attempt: null };
  if (exchanged.kind === 'failed') {
    const { failure, said } = unansweredCall(exchanged);
    return { outcome: failure, attempt: attemptOf(failure, null, said) };
  }
  const read = await workers.answer(exchanged, { errorFeedback, maxBytes: maxResultBytes }, heapWords, signal);
  switch (read.kind) {
    case 'done':
      return {
        outcome: read.value.outcome,
        attempt: attemptOf(read.value.outcome, exchanged.status, read.value.said),
      };
    case 'cancelled':
      return { outcome: operationFailure('openapi_transport_error'), attempt: null };
    case 'heap_exceeded':
      return { outcome: fault('provider_heap_exceeded'), attempt: null };
    case 'lost':
      return { outcome: fault('provider_exit'), attempt: null };
    case 'threw':
      return { outcome: fault('exception'), attempt: null };
  }
}

function fault(reason: 'provider_exit' | 'provider_heap_exceeded' | 'exception'): ProviderOutcome<JsonText> {
  return { kind: 'fault', reason, exception: null };
}

function attemptOf(outcome: ProviderOutcome<JsonText>, status: number | null, said: string | null): Attempt | null {
  if (outcome.kind !== 'error' && outcome.kind !== 'value') return null;
  return { outcome: outcome.kind === 'error' ? outcome.reason : 'ok', status, said, waitedMs: 0, charge: 'none' };
}
