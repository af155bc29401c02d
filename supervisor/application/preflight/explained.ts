import { failure, type Outcome, type Success } from '../../../contract/outcome.ts';
import { effectiveLimits } from '../../../contract/limits/effective.ts';
import {
  examineApplication,
  type ApplicationDocuments,
  type ExaminedApplication,
  type KnownApplication,
} from '../../documents/application.ts';
import type { ComponentSets } from '../../documents/components/environments.ts';
import { sourceNames } from '../../documents/components/source-name.ts';
import type { HostDocument } from '../../documents/host/fields.ts';
import type { LoadedHost, RefusedHost } from '../../documents/host/load.ts';
import type { LocatedFault } from '../../documents/located-fault.ts';
import { installationsByAlias } from '../../providers/by-alias.ts';
import { completeApplication, type Application, type LoadApplicationRequest } from './application.ts';
import { compileBundles, type BundleRequest, type Bundles } from './bundles.ts';
import { checkBundles } from './entry.ts';
import { explainRefusal, type CompilePrograms, type RefusedApplication } from './explain-refusal.ts';
import { readSelections } from './selections.ts';

type CompilerTools = Pick<BundleRequest, 'sandbox' | 'store'>;

/** An application that a command loads for a person, who is shown all that is wrong with it. */
export interface ExplainedRequest extends Omit<LoadApplicationRequest, keyof CompilerTools> {
  /** Called when something is compiled. */
  readonly compiler: () => Promise<CompilerTools>;
  /** The host document that the command names, where that is refused. */
  readonly refusedHost: RefusedHost | null;
  /** Whether faults of programs are reported too, where something else is refused before them. */
  readonly explainsPrograms: boolean;
  /** Whether it is known what is installed: a command that reads no host document does not mention selections. */
  readonly readsHost: boolean;
}

/** Documents, bundles, provider declarations (`loadApplication`). */
export async function loadExplainedApplication(request: ExplainedRequest): Promise<Outcome<Application>> {
  return loadExplained(request, async ({ outcome }) =>
    outcome.ok ? completeApplication(outcome.value, { ...request, ...(await request.compiler()) }) : outcome,
  );
}

/** An application that is compiled; nothing is known of its providers. */
export interface CompiledApplication {
  readonly documents: ApplicationDocuments;
  readonly bundles: Bundles;
  readonly host: LoadedHost | null;
}

/** Documents and bundles alone. */
export async function loadExplainedPrograms(request: ExplainedRequest): Promise<Outcome<CompiledApplication>> {
  return loadExplained(request, async ({ outcome }) => {
    if (!outcome.ok) return outcome;
    const documents = outcome.value;
    const bundles = await compilerOf(request)(documents.environments, documents.directory);
    if (!bundles.ok) return bundles;
    const nameSource = sourceNames(documents.directory, request.workingDirectory);
    const unfit = checkBundles(documents.manifest, bundles.value, nameSource);
    return unfit ?? { ok: true, value: { documents, bundles: bundles.value, host: request.host } };
  });
}

/** The components of an application, as they are installed; whatever else it has may be wrong. */
export async function loadExplainedComponents(request: ExplainedRequest): Promise<Outcome<ComponentSets>> {
  return loadExplained(request, async ({ outcome, installed }) =>
    installed === null
      ? outcome.ok
        ? { ok: true, value: outcome.value.environments }
        : outcome
      : { ok: true, value: installed },
  );
}

async function loadExplained<T>(
  request: ExplainedRequest,
  complete: (examined: ExaminedApplication) => Promise<Success<T> | RefusedApplication>,
): Promise<Outcome<T>> {
  const { refusedHost } = request;
  const document = installedDocument(request);
  const examined = await examineApplication(
    refusedHost === null ? request : { ...request, host: document === null ? null : { document }, override: null },
  );
  const completed = refusedHost ?? (await complete(examined));
  if (completed.ok) return completed;
  const { diagnostic, advice } = completed;
  const faults = await explainRefusal(completed, examined, {
    ...request,
    selectionFaults: (known) => selectionFaults(known, request),
    compile: request.explainsPrograms ? forExplanation(compilerOf(request)) : null,
  });
  return failure(diagnostic, { ...advice, faults });
}

function compilerOf(request: ExplainedRequest): (...args: Parameters<CompilePrograms>) => Promise<Outcome<Bundles>> {
  return async (environments, directory) =>
    compileBundles({
      ...request,
      ...(await request.compiler()),
      ...environments,
      nameSource: sourceNames(directory, request.workingDirectory),
    });
}

/**
 * For an explanation alone: what keeps programs from being compiled is reported by the next command, when nothing else
 * is wrong.
 */
function forExplanation(compile: ReturnType<typeof compilerOf>): CompilePrograms {
  return async (environments, directory) => compile(environments, directory).catch(() => null);
}

function installedDocument({ host, refusedHost }: ExplainedRequest): HostDocument | null {
  return (refusedHost ?? host)?.document ?? null;
}

/** A broken host document does not mention what is installed. */
function selectionFaults({ manifest, lost }: KnownApplication, request: ExplainedRequest): readonly LocatedFault[] {
  const { custom = [], refusedHost, readsHost } = request;
  const host = installedDocument(request);
  if (!readsHost || (refusedHost !== null && host === null) || lost.has('providers') || lost.has('limits')) return [];
  const installed = installationsByAlias(host, custom);
  const written = host?.limits ?? {};
  const limitsDecision = effectiveLimits(manifest.limits, written);
  const limits = limitsDecision.ok ? limitsDecision : effectiveLimits({}, written);
  return installed.ok && limits.ok
    ? readSelections({ manifest, host, installed: installed.value, limits: limits.values }).faults
    : [];
}
