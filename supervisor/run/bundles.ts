import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { bundleLimitMessage } from '../../contract/diagnostics/messages/programs.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CompileReply, EnvironmentKind, ExportFact, GuestOutcome } from '../../contract/sandbox-protocol.ts';
import type { Sandbox } from '../../sandbox/pool/interface.ts';
import type { Clock } from '../evidence/clock.ts';
import type { RunComponent, RunEnvironment, RunnableApplication } from './application.ts';
import { compileFaultDiagnostic } from './compile-fault.ts';

/** runtime.md §1 step 8 and documents.md §3: one deadline for all, heap of the compiler, size of the results. */
const COMPILE_MS = 5000;
const COMPILE_HEAP_WORDS = 8_000_000;
const BUNDLE_BYTES = 4_000_000;

export interface CompiledBundle {
  readonly code: string;
  readonly exports: readonly ExportFact[];
}

export interface CompiledBundles {
  readonly workflow: CompiledBundle;
  /** By mission; null for a mission without components. */
  readonly missions: ReadonlyMap<string, CompiledBundle | null>;
}

export interface CompileTools {
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A component set that compiles, or the first diagnostic; `interrupted` when the command was stopped meanwhile. */
export type CompileResult = Outcome<CompiledBundles> | { readonly ok: false; readonly interrupted: true };

interface CompileOrder {
  readonly kind: EnvironmentKind;
  readonly trustDomain: string;
  readonly components: readonly RunComponent[];
}

/** Compiles the workflow, then the missions by name; equal component sets are compiled once (runtime.md §1 step 8). */
export async function compileBundles(
  tools: CompileTools,
  application: RunnableApplication,
  trustDomains: Readonly<Record<EnvironmentKind, string>>,
): Promise<CompileResult> {
  const endsAt = tools.clock.monotonic() + COMPILE_MS;
  const workflow = await compile(tools, endsAt, {
    kind: 'workflow',
    trustDomain: trustDomains.workflow,
    components: application.workflow.components,
  });
  if (!workflow.ok) return workflow;

  const missions = new Map<string, CompiledBundle | null>();
  const compiled = new Map<string, CompiledBundle>();
  let missionBytes = 0;
  for (const [name, mission] of application.missions) {
    const known = mission.bundleHash === null ? null : compiled.get(mission.bundleHash);
    if (known !== undefined) {
      missions.set(name, known);
      continue;
    }
    const bundle = await compileMission(tools, endsAt, trustDomains.mission, mission);
    if (!bundle.ok) return bundle;
    missionBytes += Buffer.byteLength(bundle.value.code);
    if (missionBytes > BUNDLE_BYTES) return failure(limitExceeded('size'));
    if (mission.bundleHash !== null) compiled.set(mission.bundleHash, bundle.value);
    missions.set(name, bundle.value);
  }
  return success({ workflow: workflow.value, missions });
}

type OneResult = Outcome<CompiledBundle> | { readonly ok: false; readonly interrupted: true };

async function compileMission(tools: CompileTools, endsAt: number, trustDomain: string, mission: RunEnvironment): Promise<OneResult> {
  return compile(tools, endsAt, { kind: 'mission', trustDomain, components: mission.components });
}

async function compile(tools: CompileTools, endsAt: number, order: CompileOrder): Promise<OneResult> {
  const isolate = await tools.sandbox.openIsolate({
    environment: order.kind,
    trustDomain: order.trustDomain,
    heapWords: COMPILE_HEAP_WORDS,
  });
  try {
    const timeoutMs = endsAt - tools.clock.monotonic();
    if (timeoutMs <= 0) return failure(limitExceeded('time'));
    const components = order.components.map(({ id, source, dependencies }) => ({ id, source, dependencies }));
    const outcome = await isolate.request(
      { operation: 'compile', environment: order.kind, components },
      { timeoutMs, signal: tools.signal },
    );
    return bundleOf(outcome, order.components);
  } finally {
    await isolate.dispose();
  }
}

function bundleOf(outcome: GuestOutcome<CompileReply>, components: readonly RunComponent[]): OneResult {
  switch (outcome.status) {
    case 'replied':
      return replyOf(outcome.reply, components);
    case 'timeout':
      return failure(limitExceeded('time'));
    case 'memory_exceeded':
      return failure(limitExceeded('memory'));
    case 'cancelled':
      return { ok: false, interrupted: true };
    case 'host_lost':
      // A compiler that loses its process to its input has run out of something that nobody could count.
      return failure(outcome.cause === 'protocol_violation' ? diagnostic('internal_error') : limitExceeded('memory'));
  }
}

function replyOf(reply: CompileReply, components: readonly RunComponent[]): OneResult {
  if (reply.status === 'refused') return failure(compileFaultDiagnostic(reply.fault, components));
  if (Buffer.byteLength(reply.code) > BUNDLE_BYTES) return failure(limitExceeded('size'));
  return success({ code: reply.code, exports: reply.exports });
}

function limitExceeded(resource: 'time' | 'memory' | 'size'): Diagnostic {
  return diagnostic('bundle_limit_exceeded', { message: bundleLimitMessage(resource) });
}
