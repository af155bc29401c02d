import { diagnostic, logicalSource } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { bundleLimitMessage, bundleRuleMessage, compileReasonMessage } from '../../contract/diagnostics/messages/programs.ts';
import { wellFormedLength } from '../../contract/json/utf8.ts';
import { failure, success } from '../../contract/outcome.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { CompileReply, ComponentSource, EnvironmentKind, ExportFact, GuestOutcome, NamespaceFact } from '../../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from '../../sandbox/pool/interface.ts';
import { orderComponents } from '../documents/components/order.ts';
import type { Component } from '../documents/components/read.ts';
import { bundleHash } from '../documents/identity/bundle.ts';
import type { BundleStore } from './bundle-store.ts';
import { compileFaultDiagnostic } from './compile-faults.ts';

/** One compiled environment (language.md §13). */
export interface Bundle {
  /** 64 hex digits: source bytes and dependency edges, nothing else (documents.md §10). */
  readonly hash: string;
  /** Attached to an isolate by a load request. */
  readonly code: string;
  readonly exports: readonly ExportFact[];
  readonly namespaces: readonly NamespaceFact[];
  /** Each after its dependencies, ties by id. */
  readonly components: readonly Component[];
}

export interface Bundles {
  readonly workflow: Bundle | null;
  /** By mission name; null for a mission without components. */
  readonly missions: ReadonlyMap<string, Bundle | null>;
}

/** Time, memory and sizes of compiling one application (documents.md §3, runtime.md §1 step 8). */
const COMPILE_TIME_MS = 5000;
const COMPILE_HEAP_WORDS = 8_000_000;
const MAX_ARTIFACT_BYTES = 4_000_000;
const MAX_MISSION_ARTIFACT_BYTES = 4_000_000;

export interface BundleRequest {
  readonly sandbox: Sandbox;
  readonly store: BundleStore;
  readonly trustDomain: string;
  readonly workflow: readonly Component[];
  readonly missions: ReadonlyMap<string, readonly Component[]>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

/**
 * Compiles the workflow, then each mission by name, under one deadline. Environments of the same kind with the same
 * components share one bundle. Opens an isolate only if there is something to compile that the store does not hold.
 */
export async function compileBundles(request: BundleRequest): Promise<Outcome<Bundles>> {
  const compiler = createCompiler(request);
  try {
    const workflow = await compiler.compile('workflow', request.workflow);
    if (!workflow.ok) return workflow;
    const missions = new Map<string, Bundle | null>();
    const missionCode = new Map<string, number>();
    for (const [name, components] of request.missions) {
      const mission = await compiler.compile('mission', components);
      if (!mission.ok) return mission;
      missions.set(name, mission.value);
      if (mission.value === null) continue;
      missionCode.set(mission.value.hash, Buffer.byteLength(mission.value.code));
      const total = [...missionCode.values()].reduce((sum, bytes) => sum + bytes, 0);
      if (total > MAX_MISSION_ARTIFACT_BYTES) return failure(limitExceeded('size'));
    }
    return success({ workflow: workflow.value, missions });
  } finally {
    await compiler.dispose();
  }
}

interface Compiler {
  compile(environment: EnvironmentKind, components: readonly Component[]): Promise<Outcome<Bundle | null>>;
  dispose(): Promise<void>;
}

function createCompiler(request: BundleRequest): Compiler {
  const deadline = request.now() + COMPILE_TIME_MS;
  const compiled = new Map<string, Bundle>();
  let isolate: Isolate | null = null;
  return {
    async compile(environment, set) {
      if (set.length === 0) return success(null);
      const order = orderComponents(set);
      if (!order.ok) return failure(setInvalid(order.fault, order.component));
      const { components } = order;
      const hash = bundleHash(components);
      const key = `${environment} ${hash}`;
      const known = compiled.get(key);
      if (known !== undefined) return success(known);
      const refused = checkSources(components);
      if (refused !== null) return failure(refused);
      const kept = await request.store.find({ environment, hash });
      const found = kept === null ? null : bundleOf({ status: 'replied', reply: kept }, hash, components);
      if (found?.ok === true) {
        compiled.set(key, found.value);
        return found;
      }
      isolate ??= await request.sandbox.openIsolate({
        environment: 'workflow',
        trustDomain: request.trustDomain,
        heapWords: COMPILE_HEAP_WORDS,
      });
      const timeoutMs = Math.ceil(deadline - request.now());
      if (timeoutMs <= 0) return failure(limitExceeded('time'));
      const outcome = await isolate.request(
        { operation: 'compile', environment, components: components.map(decodeSource) },
        { timeoutMs, ...(request.signal === undefined ? {} : { signal: request.signal }) },
      );
      const bundle = bundleOf(outcome, hash, components);
      if (bundle.ok) {
        compiled.set(key, bundle.value);
        if (outcome.status === 'replied' && outcome.reply.status === 'compiled') await request.store.keep({ environment, hash }, outcome.reply);
      }
      return bundle;
    },
    async dispose() {
      await isolate?.dispose();
    },
  };
}

function bundleOf(outcome: GuestOutcome<CompileReply>, hash: string, components: readonly Component[]): Outcome<Bundle> {
  switch (outcome.status) {
    case 'replied': {
      const { reply } = outcome;
      if (reply.status === 'refused') return failure(compileFaultDiagnostic(reply.fault, components));
      if (Buffer.byteLength(reply.code) > MAX_ARTIFACT_BYTES) return failure(limitExceeded('size'));
      return success({ hash, code: reply.code, exports: reply.exports, namespaces: reply.namespaces ?? [], components });
    }
    case 'timeout':
      return failure(limitExceeded('time'));
    case 'memory_exceeded':
      return failure(limitExceeded('memory'));
    case 'host_lost':
      // Killed from outside: the machine had no more to give. Any other loss is no fault of the components.
      return failure(outcome.cause === 'killed' ? diagnostic('bundle_limit_exceeded') : diagnostic('internal_error', { cause: 'subprocess_failed' }));
    case 'cancelled':
      return failure(diagnostic('internal_error'));
  }
}

function limitExceeded(resource: 'time' | 'memory' | 'size'): Diagnostic {
  return diagnostic('bundle_limit_exceeded', { message: bundleLimitMessage(resource) });
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function setInvalid(rule: 'unknown_dependency' | 'dependency_cycle', { sourceName }: Component): Diagnostic {
  return diagnostic('bundle_invalid', { source: logicalSource('component', sourceName), message: bundleRuleMessage(rule) });
}

/** An empty source, or one that is no UTF-8 (decision 20). */
function checkSources(components: readonly Component[]): Diagnostic | null {
  for (const { bytes, sourceName } of components) {
    const source = logicalSource('component', sourceName);
    if (bytes.length === 0) return diagnostic('compile_failed', { source, message: compileReasonMessage('compile_error') });
    const wellFormed = wellFormedLength(bytes);
    if (wellFormed < bytes.length) {
      return diagnostic('syntax_invalid', { source, span: { start_byte: wellFormed, end_byte: wellFormed } });
    }
  }
  return null;
}

function decodeSource({ id, bytes, dependencies }: Component): ComponentSource {
  return { id, source: decoder.decode(bytes), dependencies };
}
