import { canonicalJson, type JsonText } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { utf8Length } from '../../contract/json/utf8.ts';
import type { Attempt, CallRequest, CallSide, ServedCall } from '../../contract/provider-protocol/call.ts';
import type { Credentials } from '../../contract/provider-protocol/credentials.ts';
import type { LocallyChecked } from '../../contract/provider-protocol/checks.ts';
import type { ModelFacts, OutputLimit } from '../../contract/provider-protocol/model.ts';
import type { ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import {
  closesNothing,
  type ProviderAdapter,
  type ProviderSession,
  type AcquisitionContext,
  type AcquisitionRequest,
} from '../../contract/provider-protocol/session.ts';
import type { OwnRequest } from './authorise.ts';
import { catalogued } from './catalogue/catalogue.ts';
import { highestRates } from './catalogue/cost.ts';
import type { Owner } from '../threads/owner-thread.ts';
import type { Conversations } from './conversations.ts';
import type { ModelDeclaration, OwnServer } from './declaration.ts';
import { failed } from './failure.ts';
import type { ModelJob } from './generate.ts';
import { modelCapability } from './model-capability.ts';
import type { OpenModel } from './open-model.ts';
import { effortOf } from './reasoning/effort.ts';
import { thinksWith } from './reasoning/models.ts';
import { servedCall } from '../served-call.ts';
import { isCutThought, togetherWith } from './second-try.ts';
import { probeFinding } from './probe.ts';
import { routeOf, type Route } from './route.ts';
import type { ModelWorkers } from './workers.ts';

/** Who writes and reads for models, and who holds their sockets. Opened when the first of them is asked. */
export interface ModelServices {
  /** Workers with heaps of so many words. */
  workers(heapWords: number): ModelWorkers;
  network(): Owner<Conversations>;
}

/** Models of vendors and of the operator's own servers (providers.md §5). */
export function modelAdapter(services: ModelServices): ProviderAdapter<ModelDeclaration> {
  return {
    checkLocally: async (declaration, signal) => rehearseRequest(services, declaration, signal),
    probe: async ({ alias, declaration: declared, limits }, { credentials, network, signal }) => {
      // Parameters are kept; nothing is cached (providers.md §12).
      const declaration = { ...declared, cache: false };
      const opened = await openModel(services, { alias, declaration, limits }, { credentials, network });
      try {
        return await probeFinding(opened, signal);
      } finally {
        await opened.close();
      }
    },
    acquire: async ({ alias, declaration, limits }, { credentials, network }) => {
      const opened = await openModel(services, { alias, declaration, limits }, { credentials, network });
      return { ok: true, session: opened.session };
    },
  };
}

/** Empty for a server that is asked without a credential: none that was resolved is. */
function valueOf(credentials: Credentials, { credential }: ModelDeclaration): string {
  return credential === null ? '' : (credentials.get(credential)?.reveal() ?? '');
}

function requestsOf({ headers, query, credentialHeader }: OwnServer, credentials: Credentials): OwnRequest {
  return {
    headers: Object.fromEntries(
      [...headers].map(([header, value]) => [
        header,
        typeof value === 'string' ? value : (credentials.get(value.credential)?.reveal() ?? ''),
      ]),
    ),
    query: [...query],
    credentialHeader,
  };
}

/** Heap words of a worker that only writes one small request. */
const REHEARSAL_HEAP_WORDS = 5_000_000;

async function rehearseRequest(
  services: ModelServices,
  declaration: ModelDeclaration,
  signal: AbortSignal,
): Promise<LocallyChecked> {
  const end = await services.workers(REHEARSAL_HEAP_WORDS).rehearse(declaration, signal);
  return end.kind === 'done'
    ? { finding: end.value.result, processorMs: end.value.processorMs }
    : { finding: { code: 'adapter_unavailable', hint: null }, processorMs: 0 };
}

let calls = 0;

async function openModel(
  services: ModelServices,
  { alias, declaration, limits }: Pick<AcquisitionRequest<ModelDeclaration>, 'alias' | 'declaration' | 'limits'>,
  { credentials, network: way }: Pick<AcquisitionContext, 'credentials' | 'network'>,
): Promise<OpenModel> {
  const route = routeOf(declaration.selector, declaration.wire);
  if (route === null) throw new Error('a model whose selector was checked has a route');
  const { remote: network, lost: end } = services.network();
  const workers = services.workers(limits.heapWords);
  const model = await network.open({
    credential: valueOf(credentials, declaration),
    wire: route.wire,
    region: declaration.region,
    server: declaration.server === null ? null : requestsOf(declaration.server, credentials),
    network: way,
    secrets: [...credentials.values()].map((secret) => secret.reveal()),
    installation: JSON.stringify([alias, declaration.selector]),
    retry: declaration.retry,
  });
  const { ended: lost, leave } = end.watch();
  const whenLost = lost.then(() => 'gone' as const);

  async function answer(job: ModelJob, { signal, openGate, deadlineMs, isOnce }: Asking): Promise<ModelAnswered> {
    const startedAt = performance.now();
    const written = await workers.write(job, signal);
    if (written.kind !== 'done') return { outcome: endedOf(written.kind, 'not_dispatched') };
    if (!written.value.ok) return { outcome: written.value.failure };
    if (signal.aborted || !(await openGate()))
      return { outcome: { ...failed('unavailable', false, null), proof: 'not_dispatched' } };
    calls += 1;
    const call = calls;
    const stop = (): void => void network.cancel(call);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const remainingMs = deadlineMs - (performance.now() - startedAt);
      const settled = await Promise.race([
        network.converse({ model, call, written: written.value, remainingMs, isOnce }),
        whenLost,
      ]);
      if (settled === 'gone') return { outcome: endedOf('lost', null) };
      const { conversed, attempts } = settled;
      if (!conversed.ok) return { outcome: conversed.failure, attempts };
      const read = await workers.read(job, conversed.body, signal);
      return { outcome: read.kind === 'done' ? read.value : endedOf(read.kind, null), attempts };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  const jobOf = (request: JsonText, outputLimit: OutputLimit, responseBytes: number): ModelJob => ({
    route,
    declaration: { ...declaration, responseBytes },
    request,
    outputLimit,
  });
  const close = async (): Promise<void> => {
    await Promise.race([network.close(model), whenLost]);
    leave();
  };
  const session: ProviderSession = {
    capabilities: [modelCapability(declaration)],
    model: factsOf(declaration, route),
    snapshot: snapshotOf(route),
    hasActivity: false,
    lost,
    ended: null,
    serve: (request, side) =>
      serve(request, side, async (outputLimit, signal) => {
        const startedAt = performance.now();
        const bytes = Math.min(declaration.responseBytes, request.resultBytes);
        const ask = async (limit: OutputLimit, openGate: () => Promise<boolean>) =>
          answer(jobOf(request.arguments, limit, bytes), {
            signal,
            openGate,
            deadlineMs: request.deadlineMs - (performance.now() - startedAt),
            isOnce: false,
          });
        const first = await ask(outputLimit, async () => side.openGate());
        const larger = request.model?.largerLimit ?? null;
        if (larger === null || !isCutThought(first.outcome)) return first;
        // The gate stays open for the call (call.ts).
        const second = await ask(larger, async () => true);
        return {
          outcome: togetherWith(first.outcome, second.outcome),
          attempts: [...(first.attempts ?? []), ...(second.attempts ?? [])],
        };
      }),
    share: () => ({ ...session, close: closesNothing }),
    close,
  };
  return {
    session,
    close,
    ask: async (request, outputLimit, signal) =>
      answer(jobOf(request, outputLimit, declaration.responseBytes), {
        signal,
        openGate: async () => true,
        deadlineMs: Number.POSITIVE_INFINITY,
        isOnce: true,
      }),
  };
}

/** How a request is asked. */
interface Asking {
  readonly signal: AbortSignal;
  readonly openGate: () => Promise<boolean>;
  /** Milliseconds until the call is given up. */
  readonly deadlineMs: number;
  /** Whether it is never tried again. */
  readonly isOnce: boolean;
}

/** As a worker wrote it. */
interface ModelAnswered {
  readonly outcome: ProviderOutcome<JsonText>;
  readonly attempts?: readonly Attempt[];
}

type Answering = (outputLimit: OutputLimit, signal: AbortSignal) => Promise<ModelAnswered>;

function serve(request: CallRequest, _side: CallSide, answering: Answering): ServedCall {
  const outputLimit = request.model?.outputLimit ?? null;
  return servedCall(async (ended) => {
    if (outputLimit === null)
      return { outcome: { ...failed('internal', false, null), proof: 'not_dispatched' }, exchanges: [] };
    return { ...(await answering(outputLimit, ended)), exchanges: [] };
  });
}

function endedOf(
  kind: 'cancelled' | 'heap_exceeded' | 'lost' | 'threw',
  proof: 'not_dispatched' | null,
): ProviderOutcome<JsonText> {
  switch (kind) {
    case 'cancelled':
      return { ...failed('unavailable', false, null), proof };
    case 'heap_exceeded':
      return { kind: 'fault', reason: 'provider_heap_exceeded', exception: null };
    case 'lost':
      return { kind: 'fault', reason: 'provider_exit', exception: null };
    case 'threw':
      return { kind: 'fault', reason: 'exception', exception: null };
  }
}

function factsOf({ selector, maxCalls, params, prices }: ModelDeclaration, route: Route): ModelFacts {
  const { vendor, model } = route;
  const entry = catalogued(vendor, model);
  return {
    resolvedModel: vendor.isPublic && utf8Length(selector) <= 256 ? selector : null,
    maxCalls,
    isLive: true,
    terms: {
      kind: 'request',
      installationTokens: params.max_tokens ?? null,
      modelTokens: entry?.output ?? null,
      contextTokens: entry?.context ?? null,
      prices: highestRates(prices ?? entry?.prices ?? null),
      thinks: thinksWith(route, effortOf(params.reasoning_effort)),
    },
  };
}

function snapshotOf({ vendor, model }: Route): ProviderSession['snapshot'] {
  return {
    acquisition: jsonText({ source: 'llm', ...(vendor.isPublic && { resolved_model: `${vendor.prefix}:${model}` }) }),
    unidentified: [],
    contentHash: null,
  };
}

function jsonText(plain: unknown): JsonText {
  const value = jsonFromPlain(plain);
  if (value === undefined) throw new TypeError('this is JSON');
  return canonicalJson(value);
}
