import { canonicalJson, type JsonText } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { utf8Length } from '../../contract/json/utf8.ts';
import type { CallAnswer, CallRequest, CallSide, ServedCall } from '../../contract/provider-protocol/call.ts';
import type { Credentials } from '../../contract/provider-protocol/credentials.ts';
import type { LocallyChecked } from '../../contract/provider-protocol/checks.ts';
import type { ModelFacts, OutputLimit } from '../../contract/provider-protocol/model.ts';
import type { ProviderFailure, ProviderOutcome } from '../../contract/provider-protocol/outcome.ts';
import {
  closesNothing,
  type ProviderAdapter,
  type ProviderSession,
  type SessionLimits,
} from '../../contract/provider-protocol/session.ts';
import { catalogued } from './catalogue/catalogue.ts';
import { highestRate } from './catalogue/cost.ts';
import type { Owner } from '../threads/owner-thread.ts';
import type { Conversations } from './conversations.ts';
import type { ModelDeclaration } from './declaration.ts';
import { failed } from './failure.ts';
import type { ModelJob } from './generate.ts';
import { modelCapability } from './model-capability.ts';
import type { OpenModel } from './open-model.ts';
import { effortOf } from './reasoning/effort.ts';
import { thinksWith } from './reasoning/models.ts';
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
    checkLocally: async (declaration, signal) => rehearsed(services, declaration, signal),
    probe: async ({ declaration: declared, limits }, { credentials, signal }) => {
      // Parameters are kept; nothing is cached (providers.md §12).
      const declaration = { ...declared, cache: false };
      const opened = await openModel(services, declaration, limits, valueOf(credentials, declaration));
      try {
        return await probeFinding(opened, signal);
      } finally {
        await opened.close();
      }
    },
    acquire: async ({ declaration, limits }, { credentials }) => {
      const opened = await openModel(services, declaration, limits, valueOf(credentials, declaration));
      return { ok: true, session: opened.session };
    },
  };
}

/** Empty for a server that is asked without a credential: none that was resolved is. */
function valueOf(credentials: Credentials, { credential }: ModelDeclaration): string {
  return credential === null ? '' : (credentials.get(credential)?.reveal() ?? '');
}

/** Heap words of a worker that only writes one small request. */
const REHEARSAL_HEAP_WORDS = 5_000_000;

async function rehearsed(
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
  declaration: ModelDeclaration,
  limits: SessionLimits,
  credential: string,
): Promise<OpenModel> {
  const route = routeOf(declaration.selector, declaration.wire);
  if (route === null) throw new Error('a model whose selector was checked has a route');
  const { remote: network, lost: end } = services.network();
  const workers = services.workers(limits.heapWords);
  const model = await network.open({ credential, wire: route.wire, region: declaration.region });
  const { ended: lost, leave } = end.watch();
  const gone = lost.then(() => 'gone' as const);

  async function answer(
    job: ModelJob,
    signal: AbortSignal,
    openGate: () => Promise<boolean>,
  ): Promise<ProviderOutcome<JsonText>> {
    const written = await workers.write(job, signal);
    if (written.kind !== 'done') return endedOf(written.kind, 'not_dispatched');
    if (!written.value.ok) return written.value.failure;
    if (signal.aborted || !(await openGate()))
      return { ...failed('unavailable', false, null), proof: 'not_dispatched' };
    calls += 1;
    const call = calls;
    const stop = (): void => void network.cancel(call);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const conversed = await Promise.race([network.converse({ model, call, written: written.value }), gone]);
      if (conversed === 'gone') return endedOf('lost', null);
      if (!conversed.ok) return conversed.failure;
      const read = await workers.read(job, conversed.body, signal);
      return read.kind === 'done' ? read.value : endedOf(read.kind, null);
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
    await Promise.race([network.close(model), gone]);
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
        const bytes = Math.min(declaration.responseBytes, request.resultBytes);
        const first = await answer(jobOf(request.arguments, outputLimit, bytes), signal, async () => side.openGate());
        const larger = request.model?.largerLimit ?? null;
        if (larger === null || !isCutThought(first)) return first;
        // The gate stays open for the call (call.ts).
        const second = await answer(jobOf(request.arguments, larger, bytes), signal, async () => true);
        return togetherWith(first, second);
      }),
    lend: () => ({ ...session, close: closesNothing }),
    close,
  };
  return {
    session,
    close,
    ask: async (request, outputLimit, signal) =>
      answer(jobOf(request, outputLimit, declaration.responseBytes), signal, async () => true),
  };
}

type Answering = (outputLimit: OutputLimit, signal: AbortSignal) => Promise<ProviderOutcome<JsonText>>;

function serve(request: CallRequest, _side: CallSide, answering: Answering): ServedCall {
  const ended = new AbortController();
  const outputLimit = request.model?.outputLimit ?? null;
  const outcome =
    outputLimit === null
      ? Promise.resolve<ProviderFailure>({ ...failed('internal', false, null), proof: 'not_dispatched' })
      : answering(outputLimit, ended.signal);
  const answer = outcome.then((ended): CallAnswer => ({ outcome: ended, exchanges: [] }));
  return {
    answer,
    cancel: () => ended.abort(),
    kill: async () => {
      ended.abort();
      await answer.catch(() => undefined);
    },
  };
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

function factsOf({ selector, maxCalls, params }: ModelDeclaration, route: Route): ModelFacts {
  const { vendor, model } = route;
  const entry = catalogued(vendor, model);
  const rate = highestRate(entry);
  return {
    resolvedModel: vendor.isPublic && utf8Length(selector) <= 256 ? selector : null,
    maxCalls,
    isLive: true,
    terms: {
      kind: 'request',
      installationTokens: params.max_tokens ?? null,
      modelTokens: entry?.output ?? null,
      contextTokens: entry?.context ?? null,
      microusdPerMillionTokens: rate?.perMillionTokens ?? null,
      microusdPerRequest: rate?.perRequest ?? 0,
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
