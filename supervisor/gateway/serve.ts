import { isLoopbackAddress } from '../../contract/loopback-address.ts';
import type { Supervisor } from '../service/embedding/types.ts';
import type { OutcomeCode } from './audit/record.ts';
import type { HashedBearer } from './listener/bearer.ts';
import { authoritiesOf } from './listener/checks.ts';
import { listenForClients, type Listener } from './listener/server.ts';
import { SERVED_VERSIONS, answerBody, type MethodServices } from './methods/methods.ts';
import { countAnswers } from './observation/log.ts';
import { gatewayMetrics, type GatewayMetrics } from './observation/metrics.ts';
import { figuresText, serveFigures } from '../../system/listening/figures-listener.ts';
import { refusedStart, type Started } from './start/codes.ts';
import type { GatewayOptions, RunningGateway } from './start/options.ts';
import { instructionsFor } from '../code/serve/definitions.ts';
import type { OfferedCode } from './code/offered.ts';
import { openOfferedCode, type OpenedCode } from './code/open-code.ts';
import { closeRecording, serverMeta, type ToolWithProviders, type Opened, type Recording } from './start/stages.ts';
import { hasPinnedSnapshots } from './start/tools.ts';
import type { JoinableRun, Tool } from './tools/call-services.ts';
import { serverTimers } from '../code/room/servers.ts';
import type { RoundSeal } from '../code/asking/round-state.ts';
import { WaitingRuns } from './rounds/waiting-runs.ts';
import { discovery } from '../../contract/mcp/discovery.ts';
import { type RenderedToolCatalogue } from './tools/catalogue.ts';
import { holdProviders } from './tools/providers.ts';

const GRACE_MS = 10_000;
const now = (): number => performance.now();

/** What stages 3 to 8 came to. */
export interface PreparedGateway {
  readonly tools: readonly ToolWithProviders[];
  readonly list: RenderedToolCatalogue;
  /** Those that are offered for programs. */
  readonly offered: readonly OfferedCode[];
  readonly bearer: HashedBearer;
  readonly rounds: RoundSeal;
  readonly recording: Recording;
}

/** Calls are taken while it is `serving`; before that nothing of the start may fail any more. */
type Phase = 'starting' | 'serving' | 'draining';

/** Stage 9 of gateway.md §1. */
export async function serve(
  options: GatewayOptions,
  opened: Opened,
  served: PreparedGateway,
): Promise<Started<RunningGateway>> {
  const {
    documents: {
      document: {
        listen: { address: documented, port, allowed_origins: origins },
        admission,
      },
    },
    supervisor,
    tls,
  } = opened;
  const { recording } = served;
  const { exposure } = options;
  const address = exposure.address ?? documented;
  const state: { phase: Phase; listener: Listener | null } = { phase: 'starting', listener: null };
  const metrics = options.metricsPort === null ? null : figuresOf(supervisor, () => state.listener?.inflight() ?? 0);
  const counts = countAnswers(options.log);
  const tools = toolsOf(options, opened, served, metrics);
  const isFenced = (): boolean =>
    recording.audit?.isFenced() === true || [...tools.values()].some(({ providers }) => providers.isFenced());
  const code = await openOfferedCode(options, opened, served, tools);
  const services = servicesOf(options, opened, served, {
    tools,
    metrics,
    code,
    isDraining: () => state.phase !== 'serving',
  });
  const listener = await listenForClients({
    address,
    port,
    tls,
    gate: {
      authorities:
        exposure.isBehindProxy || !isLoopbackAddress(address)
          ? 'any'
          : authoritiesOf(address, port, tls === null ? 'http' : 'https'),
      origins: new Set(origins),
      bearer: served.bearer,
    },
    maxInflight: admission.max_inflight_requests,
    maxWaiting: options.maxWaitingCalls,
    parameterHeaders: [
      ...new Set([...tools.values()].flatMap(({ entry }) => entry.headers.map(({ header }) => header))),
    ],
    answer: async (post) => answerBody(post, services),
    state: () => (state.phase !== 'serving' ? 'draining' : isFenced() ? 'fenced' : 'ready'),
    onAnswer: (status) => {
      counts.answered(status);
      metrics?.answered(status);
    },
    reportBug: services.reportBug,
  });
  if (typeof listener === 'string')
    return refusedStart('listener_unavailable', { cause: listener, pointer: '/listen/port' });
  state.listener = listener;
  const figures =
    metrics === null || options.metricsPort === null
      ? null
      : await serveFigures(options.metricsPort, { '/metrics': async () => figuresText(await metrics.text()) });
  const isRecorded = typeof figures !== 'string' && (await recordUnended(options, recording));
  if (typeof figures === 'string' || !isRecorded) {
    counts.stop();
    listener.stopListening();
    await listener.close();
    if (typeof figures === 'string')
      return refusedStart('listener_unavailable', { cause: figures, pointer: null, detail: 'the port of --metrics' });
    await figures?.close();
    return refusedStart('audit_unavailable', { cause: 'record_not_written', pointer: '/private_audit/directory' });
  }
  state.phase = 'serving';
  options.log.report('ready', { tools: tools.size });
  return {
    ok: true,
    value: {
      address,
      port,
      tools: tools.size,
      metricsPort: figures?.port ?? null,
      stop: async () => {
        options.log.report('startup_stage', { stage: 'draining' });
        state.phase = 'draining';
        listener.stopListening();
        services.waiting.abandonWaiting();
        code.abandonWaiting();
        const { clean } = await supervisor.drain({ graceMs: GRACE_MS });
        await code.close();
        await listener.close();
        const closed = await Promise.all([...tools.values()].map(async ({ providers }) => providers.close()));
        await supervisor.close();
        const isWritten = await closeRecording(recording);
        await figures?.close();
        counts.stop();
        options.log.report('stopped', { clean });
        return { clean: clean && isWritten && !closed.includes(false) };
      },
    },
  };
}

/** The last thing of a start, so that one that fails puts nothing on record (gateway.md §11). */
async function recordUnended({ log }: GatewayOptions, { audit }: Recording): Promise<boolean> {
  if (audit === null) return true;
  for (const { run_ref: run, tool_name: tool } of audit.unended) log.report('unended_call', { run, tool });
  return audit.recordUnended();
}

function figuresOf(supervisor: Supervisor, inflight: () => number): GatewayMetrics {
  return gatewayMetrics(() => {
    const { runs, providerCalls, memory } = supervisor.snapshot();
    return {
      inflight: inflight(),
      runs: runs.running,
      waitingRuns: runs.queued,
      providerCalls,
      residentBytes: memory.residentBytes,
    };
  });
}

function toolsOf(
  options: GatewayOptions,
  { supervisor }: Opened,
  { tools }: PreparedGateway,
  metrics: GatewayMetrics | null,
): ReadonlyMap<string, Tool> {
  return new Map(
    tools.map(
      ({ declared, checked: { tool }, providers }) =>
        [
          declared.name,
          {
            ...tool,
            providers: holdProviders(providers, {
              acquire: async () => supervisor.acquire(tool.application, { tenant: tool.tenant }),
              isPinned: (identities) => options.ignoresPins || hasPinnedSnapshots(declared, identities),
              onChange: (state) => {
                options.log.report('readiness', { tool: declared.name, state });
                metrics?.readiness(declared.name, state);
                if (state === 'fenced') options.onFence();
              },
            }),
          },
        ] as const,
    ),
  );
}

interface Shared {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly metrics: GatewayMetrics | null;
  readonly code: OpenedCode;
  readonly isDraining: () => boolean;
}

function servicesOf(
  options: GatewayOptions,
  {
    documents: {
      document: { artifacts, authentication },
    },
    supervisor,
  }: Opened,
  { list, offered, rounds, recording: { audit, keyed } }: PreparedGateway,
  { tools, metrics, code, isDraining }: Shared,
): MethodServices {
  const server = serverMeta(options.version);
  const instructions = offered.length === 0 ? null : instructionsFor([], true);
  const waiting = new WaitingRuns<JoinableRun>(options.maxWaitingRuns, () => code.waitingRuns());
  const replaced = new Set(offered.map(({ tool: { declared } }) => declared.name));
  return {
    supervisor,
    tools: new Map([...tools].filter(([name]) => !replaced.has(name))),
    code: code.services,
    rounds,
    waiting,
    questionTimers: serverTimers(0),
    questionCounter: metrics?.questions ?? null,
    principal: authentication.bearer.binding,
    instructions,
    keyed,
    audit:
      audit === null || metrics === null
        ? audit
        : {
            ...audit,
            append: async (line: Uint8Array) =>
              measureTime(
                async () => audit.append(line),
                (seconds) => {
                  metrics.audited(seconds);
                },
              ),
          },
    onRun: (tool: string, outcome: OutcomeCode, durationMs: number) => {
      metrics?.ran(tool, outcome, durationMs / 1000);
    },
    isDraining,
    artifacts: artifacts === undefined ? null : { trace: artifacts.trace, inspection: artifacts.inspection },
    server,
    now,
    reportBug: (error: unknown) => {
      options.log.report('fault', { error: error instanceof Error ? error.name : typeof error });
      options.reportBug(error);
    },
    catalogue: list,
    discovery: discovery(SERVED_VERSIONS, server, instructions ?? undefined),
    serverInfo: { name: 'svc', version: options.version },
    servesLegacy: options.servesLegacy,
  };
}

async function measureTime<T>(work: () => Promise<T>, onMeasured: (seconds: number) => void): Promise<T> {
  const startedAt = now();
  const done = await work();
  onMeasured((now() - startedAt) / 1000);
  return done;
}
