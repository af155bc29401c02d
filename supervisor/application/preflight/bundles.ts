import { diagnostic, logicalSource, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { interruption } from '../../../contract/diagnostics/interruption.ts';
import {
  bundleLimitMessage,
  bundleRuleMessage,
  COMPILER_ENDED,
  COMPILER_SILENT,
  compileReasonMessage,
  GUEST_IMAGE_BROKEN,
} from '../../../contract/diagnostics/messages/programs.ts';
import { wellFormedLength } from '../../../contract/json/utf8.ts';
import { failure, success, type Failed, type Outcome } from '../../../contract/outcome.ts';
import type {
  CompileReply,
  ComponentSource,
  EnvironmentKind,
  ExportFact,
  GuestOutcome,
  NamespaceFact,
} from '../../../contract/sandbox-protocol.ts';
import type { Isolate, Sandbox } from '../../../sandbox/pool/interface.ts';
import { orderComponents } from '../../documents/components/order.ts';
import type { LibraryRegistry } from '../../documents/components/libraries.ts';
import type { Component } from '../../documents/components/read.ts';
import type { NameSource } from '../../documents/components/source-name.ts';
import { bundleHash } from '../../documents/identity/bundle.ts';
import type { BundleStore } from './bundle-store.ts';
import { compileFaultDiagnostic } from './compile-faults.ts';
import { explainCompileFaults, explanationOfAll, type CompiledSources } from './explain-compile-faults.ts';

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
  /** How sources are named to people. */
  readonly nameSource: NameSource;
  readonly libraries: LibraryRegistry;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly signal?: AbortSignal;
}

/**
 * Compiles the workflow, then each mission by name, under one deadline. Environments of the same kind with the same
 * components share one bundle. Opens an isolate only if there is something to compile that the store does not hold.
 * Sources that are refused do not keep those of other environments from being looked at: the first is the diagnostic,
 * next to it is what is known of all.
 */
export async function compileBundles(request: BundleRequest): Promise<Outcome<Bundles>> {
  const compiler = createCompiler(request);
  const refusals: Failed[] = [];
  const environments = [
    ['workflow', request.workflow],
    ...[...request.missions.values()].map((components) => ['mission', components] as const),
  ] as const;
  const bundles: (Bundle | null)[] = [];
  const missionCode = new Map<string, number>();
  try {
    for (const [environment, components] of environments) {
      const bundle = await compiler.compile(environment, components);
      if (!bundle.ok) {
        refusals.push(bundle);
        if (bundle.advice === undefined) break;
        continue;
      }
      bundles.push(bundle.value);
      if (environment === 'workflow' || bundle.value === null) continue;
      missionCode.set(bundle.value.hash, Buffer.byteLength(bundle.value.code));
      const total = [...missionCode.values()].reduce((sum, bytes) => sum + bytes, 0);
      if (refusals.length === 0 && total > MAX_MISSION_ARTIFACT_BYTES) return failure(limitExceeded('size'));
    }
  } finally {
    await compiler.dispose();
  }
  if (refusals.length > 0) return firstOf(refusals);
  const [workflow = null, ...missions] = bundles;
  return success({
    workflow,
    missions: new Map([...request.missions.keys()].map((name, index) => [name, missions[index] ?? null])),
  });
}

function firstOf(refusals: readonly Failed[]): Outcome<never> {
  const [first] = refusals;
  if (first === undefined) throw new Error('one of several refusals is the first');
  return first.advice === undefined
    ? first
    : failure(first.diagnostic, { faults: explanationOfAll(refusals.map(({ advice }) => advice?.faults ?? null)) });
}

interface Compiler {
  compile(environment: EnvironmentKind, components: readonly Component[]): Promise<Outcome<Bundle | null>>;
  dispose(): Promise<void>;
}

function createCompiler(request: BundleRequest): Compiler {
  const { sandbox, store, trustDomain, signal } = request;
  const compiled = new Map<string, Bundle>();
  let isolate: Isolate | null = null;
  /** Of all environments together; it begins when there is somewhere to compile. */
  let deadline: number | null = null;

  async function compileHere(
    environment: EnvironmentKind,
    components: readonly Component[],
  ): Promise<GuestOutcome<CompileReply>> {
    isolate ??= await sandbox.openIsolate({ environment: 'workflow', trustDomain, heapWords: COMPILE_HEAP_WORDS });
    deadline ??= request.now() + COMPILE_TIME_MS;
    const timeoutMs = Math.ceil(deadline - request.now());
    if (timeoutMs <= 0) return { status: 'timeout' };
    return isolate.request(
      { operation: 'compile', environment, components: components.map((one) => decodeSource(one, request.libraries)) },
      { timeoutMs, ...(signal === undefined ? {} : { signal }) },
    );
  }

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
      const cached = await store.find({ environment, hash });
      const found =
        cached === null ? null : bundleOf({ status: 'replied', reply: cached }, { ...request, hash, components });
      if (found?.ok === true) {
        compiled.set(key, found.value);
        return found;
      }
      const compile = (): Promise<GuestOutcome<CompileReply>> => compileHere(environment, components);
      const outcome = await (store.compiling?.({ environment, hash }, signal, compile) ?? compile());
      const bundle = bundleOf(outcome, { ...request, hash, components });
      if (bundle.ok) {
        compiled.set(key, bundle.value);
        if (outcome.status === 'replied' && outcome.reply.status === 'compiled')
          await store.keep({ environment, hash }, outcome.reply);
      }
      return bundle;
    },
    async dispose() {
      await isolate?.dispose();
    },
  };
}

interface CompiledSet extends CompiledSources {
  readonly hash: string;
}

function bundleOf(
  outcome: GuestOutcome<CompileReply>,
  { hash, components, nameSource, libraries }: CompiledSet,
): Outcome<Bundle> {
  switch (outcome.status) {
    case 'replied': {
      const { reply } = outcome;
      if (reply.status === 'refused') {
        return failure(compileFaultDiagnostic(reply.fault, components), {
          faults: explainCompileFaults(reply.faults ?? [reply.fault], { components, nameSource, libraries }),
        });
      }
      if (Buffer.byteLength(reply.code) > MAX_ARTIFACT_BYTES) return failure(limitExceeded('size'));
      return success({
        hash,
        code: reply.code,
        exports: reply.exports,
        namespaces: reply.namespaces ?? [],
        components,
      });
    }
    case 'timeout':
      return failure(outcome.isHostSilent === true ? compilerLost(COMPILER_SILENT) : limitExceeded('time'));
    case 'memory_exceeded':
      return failure(limitExceeded('memory'));
    case 'host_lost':
      return failure(compilerProcessLost(outcome));
    case 'cancelled':
      return failure(interruption());
  }
}

function compilerProcessLost({
  cause,
  signal,
}: Extract<GuestOutcome<never>, { readonly status: 'host_lost' }>): Diagnostic {
  if (cause === 'protocol_violation') return diagnostic('internal_error', { cause: 'subprocess_failed' });
  if (cause === 'image') return compilerLost(GUEST_IMAGE_BROKEN);
  return compilerLost(signal === 'SIGSTOP' ? COMPILER_SILENT : COMPILER_ENDED);
}

/** No fault of the components, as far as anyone can know. */
function compilerLost(message: string): Diagnostic {
  return diagnostic('internal_error', { message, cause: 'subprocess_failed' });
}

function limitExceeded(resource: 'time' | 'memory' | 'size'): Diagnostic {
  return diagnostic('bundle_limit_exceeded', { message: bundleLimitMessage(resource) });
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function setInvalid(rule: 'unknown_dependency' | 'dependency_cycle', { sourceName }: Component): Diagnostic {
  return diagnostic('bundle_invalid', {
    source: logicalSource('component', sourceName),
    message: bundleRuleMessage(rule),
  });
}

/** An empty source, or one that is no UTF-8 (documents.md §3). */
function checkSources(components: readonly Component[]): Diagnostic | null {
  for (const { bytes, sourceName } of components) {
    const source = logicalSource('component', sourceName);
    if (bytes.length === 0)
      return diagnostic('compile_failed', { source, message: compileReasonMessage('compile_error') });
    const wellFormed = wellFormedLength(bytes);
    if (wellFormed < bytes.length) {
      return diagnostic('syntax_invalid', { source, span: { start_byte: wellFormed, end_byte: wellFormed } });
    }
  }
  return null;
}

function decodeSource({ id, bytes, dependencies, origin }: Component, libraries: LibraryRegistry): ComponentSource {
  const ready = origin === 'library' ? libraries.get(id)?.ready : null;
  return { id, source: decoder.decode(bytes), dependencies, ...(typeof ready === 'string' ? { ready } : {}) };
}
