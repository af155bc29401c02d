import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { DiagnosticCode } from '../../contract/diagnostics/codes.ts';
import { candidateRefusedMessage } from '../../contract/diagnostics/messages/programs.ts';
import { commandFailure, commandSuccess } from '../../contract/envelope/build.ts';
import type { MaterializeResult } from '../../contract/envelope/results.ts';
import type { CommandFailure, CommandSuccess } from '../../contract/envelope/types.ts';
import { canonicalJson } from '../../contract/json/canonical.ts';
import { jsonFromPlain } from '../../contract/json/plain.ts';
import { success } from '../../contract/outcome.ts';
import type { Failed, Outcome } from '../../contract/outcome.ts';
import type { RunReference } from '../../contract/run-reference.ts';
import { loadApplicationDocuments, loadInstalledComponents } from '../documents/application.ts';
import type { ApplicationDocuments } from '../documents/application.ts';
import type { Environments } from '../documents/components/environments.ts';
import type { Component } from '../documents/components/read.ts';
import { sourceNames } from '../documents/components/source-name.ts';
import { sha256Hex } from '../documents/digest.ts';
import { createDocumentReader } from '../documents/document-reader.ts';
import type { DocumentReader } from '../documents/document-reader.ts';
import type { LoadedHost } from '../documents/host/load.ts';
import { loadTarget } from '../documents/project/load.ts';
import type { Target } from '../documents/project/load.ts';
import { MAX_BYTES } from '../documents/sizes.ts';
import { CANDIDATE_NAME, DESCRIPTOR_NAME, writeCandidate } from '../materialize/candidate-directory.ts';
import type { WrittenCandidate } from '../materialize/candidate-directory.ts';
import { candidateSource } from '../materialize/candidate-source.ts';
import type { CandidateOrigin } from '../materialize/candidate-source.ts';
import { gateFindings } from '../materialize/gate.ts';
import type { GateFinding } from '../materialize/gate.ts';
import { writeSourceFile } from '../materialize/source-file.ts';
import { NO_BUNDLE_STORE } from '../preflight/bundle-store.ts';
import { compileBundles } from '../preflight/bundles.ts';
import type { Bundle, Bundles } from '../preflight/bundles.ts';
import { checkBundles } from '../preflight/entry.ts';
import { NO_ADVICE, hintAdvice } from '../run/advice.ts';
import type { Advice } from '../run/advice.ts';
import { adviceOnRefusal, loadNamedHost } from './documents.ts';
import type { DocumentOptions } from './documents.ts';
import { publicationTools } from './publication.ts';

export type { CandidateOrigin } from '../materialize/candidate-source.ts';

/** What nobody verifies of a candidate (documents.md §11). */
export interface CandidateProvenance {
  readonly run_id?: string;
  readonly prompt_hash?: string;
  readonly authored_at?: string;
}

/** What is to be written; paths are absolute. */
export type MaterializeTask =
  | { readonly kind: 'source-out'; readonly path: string }
  | {
    readonly kind: 'candidate';
    readonly directory: string;
    readonly origin: CandidateOrigin;
    readonly provenance: CandidateProvenance;
    readonly acceptsWidened: boolean;
  };

/** What `svc materialize` is asked (cli.md §10). */
export interface MaterializeOptions extends Omit<DocumentOptions, 'override' | 'hostConfig' | 'custom'> {
  readonly runRef: RunReference;
  /** The mission of the component; null for the workflow. */
  readonly mission: string | null;
  readonly component: string;
  readonly task: MaterializeTask;
}

/** What became of it: always an envelope, also where a step threw. */
export interface MaterializeReport {
  readonly envelope: CommandSuccess<'materialize'> | CommandFailure<'materialize'>;
  readonly advice: Advice;
  /** What a step threw, for a log; null unless there is a bug. */
  readonly unexpected: unknown;
}

/** A refusal with what people are told of it. */
interface Refused {
  readonly ok: false;
  readonly diagnostic: Diagnostic;
  readonly advice: Advice;
}
type Step<T> = { readonly ok: true; readonly value: T } | Refused;

/** Writes the installed source of a component, or a candidate for it that passed the gate. Contacts nothing and never throws. */
export async function materialize(options: MaterializeOptions): Promise<MaterializeReport> {
  try {
    const reader = createDocumentReader(options.documents, options.workingDirectory);
    const done = options.task.kind === 'source-out' ? await sourceOut(options, reader, options.task.path) : await candidate(options, reader, options.task);
    if (done.ok) return { envelope: commandSuccess('materialize', options.runRef, done.value), advice: NO_ADVICE, unexpected: null };
    return { envelope: commandFailure('materialize', options.runRef, done.diagnostic), advice: done.advice, unexpected: null };
  } catch (error) {
    return { envelope: commandFailure('materialize', options.runRef, diagnostic('internal_error', { cause: 'unexpected_exception' })), advice: NO_ADVICE, unexpected: error };
  }
}

async function sourceOut(options: MaterializeOptions, reader: DocumentReader, path: string): Promise<Step<MaterializeResult>> {
  const named = await loadNames(options, reader);
  if (!named.ok) return named;
  const { target, host } = named.value;
  const installed = await loadInstalledComponents({ reader, manifest: target.manifest, host, libraries: options.libraries, now: () => options.clock.monotonic() });
  if (!installed.ok) return refusedDocuments(options, reader, success(target), installed);
  const component = componentOf(options, installed.value);
  if (component === null) return refused('selected_component_missing', componentHint(options, installed.value));
  const code = await writeSourceFile(publicationTools(), path, component.bytes);
  return code === null ? { ok: true, value: { mode: 'source-out', path } } : refused(code);
}

async function candidate(options: MaterializeOptions, reader: DocumentReader, task: Extract<MaterializeTask, { readonly kind: 'candidate' }>): Promise<Step<MaterializeResult>> {
  const source = await candidateSource(reader, task.origin);
  if (!source.ok) return refused(source.code);
  const named = await loadNames(options, reader);
  if (!named.ok) return named;
  const { target } = named.value;
  const base = await loadCompiled(options, reader, named.value, null);
  if (!base.ok) return refusedDocuments(options, reader, success(target), base);
  const { documents, bundles } = base.value;
  const unfit = checkBundles(documents.manifest, bundles, sourceNames(documents.directory, options.workingDirectory));
  if (unfit !== null) return refusedDocuments(options, reader, success(target), unfit);
  const component = componentOf(options, documents.environments);
  if (component === null) return refused('selected_component_missing', componentHint(options, documents.environments));
  const descriptor = descriptorOf(options, component, source.bytes, task);
  if (descriptor.length > MAX_BYTES.overrideDescriptor) return refused('descriptor_too_large');
  const written = await writeCandidate(publicationTools().fileSystem, task.directory, { candidate: source.bytes, descriptor });
  if (!written.ok) return refused(written.code);
  const judged = await judge(options, reader, { named: named.value, base: base.value, task }).catch(async (error: unknown) => {
    await written.remove();
    throw error;
  });
  return judged.ok ? keep(written) : remove(written, judged);
}

async function keep(written: WrittenCandidate): Promise<Step<MaterializeResult>> {
  return (await written.keep()) ? { ok: true, value: { mode: 'candidate', directory: written.path } } : refused('candidate_publication_failed');
}

async function remove(written: WrittenCandidate, judged: Refused): Promise<Refused> {
  return (await written.remove()) ? judged : refused('candidate_cleanup_failed');
}

interface Named {
  readonly target: Target;
  readonly host: LoadedHost | null;
}

interface Compiled {
  readonly documents: ApplicationDocuments;
  readonly bundles: Bundles;
}

interface Judged {
  readonly named: Named;
  readonly base: Compiled;
  readonly task: Extract<MaterializeTask, { readonly kind: 'candidate' }>;
}

/** The application with the candidate in its place, through the descriptor that was just written. */
async function judge(options: MaterializeOptions, reader: DocumentReader, { named, base, task }: Judged): Promise<Step<null>> {
  const replaced = await loadCompiled(options, reader, named, `${task.directory}/${DESCRIPTOR_NAME}`);
  if (!replaced.ok) {
    if (replaced.diagnostic.phase !== 'bundle') return { ...replaced, advice: NO_ADVICE };
    return { ok: false, diagnostic: diagnostic('candidate_refused', { message: candidateRefusedMessage(['G1']) }), advice: { ...NO_ADVICE, faults: replaced.faults ?? null } };
  }
  const { documents, bundles } = replaced.value;
  const unfit = checkBundles(documents.manifest, bundles, sourceNames(documents.directory, options.workingDirectory));
  if (unfit !== null && unfit.diagnostic.code === 'entry_invalid') return gateRefusal([{ check: 'G1', exports: [documents.manifest.workflow.entry] }]);
  const installed = bundleOf(options, base.bundles);
  const candidateBundle = bundleOf(options, bundles);
  if (installed === null || candidateBundle === null) throw new Error('an environment with a component has a bundle');
  const findings = gateFindings({ component: options.component, installed, candidate: candidateBundle, acceptsWidened: task.acceptsWidened });
  return findings.length === 0 ? { ok: true, value: null } : gateRefusal(findings);
}

function gateRefusal(findings: readonly GateFinding[]): Refused {
  const told = findings.map(({ check, exports }) => `${check}: ${GATE_WORDS[check]}: ${exports.slice(0, MOST_NAMES).join(', ')}${exports.length > MOST_NAMES ? ', …' : ''}`);
  return { ok: false, diagnostic: diagnostic('candidate_refused', { message: candidateRefusedMessage(findings.map(({ check }) => check)) }), advice: hintAdvice(told.join('; ')) };
}

/** Exports that a person is told of one check. */
const MOST_NAMES = 8;
const GATE_WORDS: Readonly<Record<GateFinding['check'], string>> = {
  G1: 'the entry can no longer be called',
  G2: 'without a signature or a docstring',
  G3: 'removed, or wider in effect or requirements',
};

async function loadNames(options: MaterializeOptions, reader: DocumentReader): Promise<Step<Named>> {
  const target = await loadTarget(reader, options.document);
  if (!target.ok) return refusedDocuments(options, reader, target, target);
  const host = await loadNamedHost(null, reader, target.value);
  return host.ok ? { ok: true, value: { target: target.value, host: host.value } } : refusedDocuments(options, reader, target, host);
}

async function loadCompiled(options: MaterializeOptions, reader: DocumentReader, { target, host }: Named, override: string | null): Promise<Outcome<Compiled>> {
  const { workingDirectory, libraries, clock } = options;
  const now = (): number => clock.monotonic();
  const documents = await loadApplicationDocuments({ reader, workingDirectory, manifest: target.manifest, host, libraries, input: null, override, identityFixed: false, now });
  if (!documents.ok) return documents;
  const { environments, directory } = documents.value;
  const bundles = await compileBundles({
    ...environments, now, libraries, sandbox: await options.sandbox(), store: (await options.bundles?.()) ?? NO_BUNDLE_STORE,
    trustDomain: options.trustDomain, nameSource: sourceNames(directory, workingDirectory), signal: options.signal,
  });
  return bundles.ok ? success({ documents: documents.value, bundles: bundles.value }) : bundles;
}

function environmentOf({ mission }: MaterializeOptions, { workflow, missions }: Environments): readonly Component[] {
  return mission === null ? workflow : (missions.get(mission) ?? []);
}

function componentOf(options: MaterializeOptions, environments: Environments): Component | null {
  return environmentOf(options, environments).find(({ id }) => id === options.component) ?? null;
}

/** Which there are, for people. */
function componentHint(options: MaterializeOptions, environments: Environments): string {
  const ids = environmentOf(options, environments).map(({ id }) => id);
  return ids.length === 0 ? 'there are no components there' : `components there: ${ids.slice(0, MOST_NAMES).join(', ')}${ids.length > MOST_NAMES ? ', …' : ''}`;
}

function bundleOf({ mission }: MaterializeOptions, { workflow, missions }: Bundles): Bundle | null {
  return mission === null ? workflow : (missions.get(mission) ?? null);
}

function descriptorOf({ mission, component }: MaterializeOptions, installed: Component, source: Uint8Array, { provenance, acceptsWidened }: Judged['task']): Uint8Array {
  const origin = { ...provenance, ...(acceptsWidened ? { accept_widened_effect: true } : {}) };
  const descriptor = jsonFromPlain({
    target: mission === null ? { environment: 'workflow' } : { environment: 'mission', mission },
    component_id: component,
    base_source_hash: `sha256:${installed.sourceHash}`,
    source_hash: `sha256:${sha256Hex(source)}`,
    path: CANDIDATE_NAME,
    ...(Object.keys(origin).length === 0 ? {} : { provenance: origin }),
  });
  if (descriptor === undefined) throw new TypeError('a descriptor holds JSON values only');
  return new TextEncoder().encode(`${canonicalJson(descriptor)}\n`);
}

async function refusedDocuments(options: MaterializeOptions, reader: DocumentReader, target: Outcome<Target>, fault: Failed): Promise<Refused> {
  const advice = await adviceOnRefusal({ ...options, override: null, hostConfig: null }, reader, target, fault, { input: null, compiles: options.task.kind === 'candidate' });
  return { ok: false, diagnostic: fault.diagnostic, advice };
}

function refused(code: DiagnosticCode, hint: string | null = null): Refused {
  return { ok: false, diagnostic: diagnostic(code), advice: hintAdvice(hint) };
}
