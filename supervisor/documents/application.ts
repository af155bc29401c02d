import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { closureLimitMessage } from '../../contract/diagnostics/messages/documents.ts';
import { failure, success, type Outcome } from '../../contract/outcome.ts';
import type { WrittenLimits } from '../../contract/limits/effective.ts';
import type { ComponentSets } from './components/environments.ts';
import type { Now } from './budget.ts';
import type { LibraryRegistry } from './components/libraries.ts';
import { checkSourceTotal, readComponents, type Component } from './components/read.ts';
import { selectComponents, type ComponentChoice } from './components/select.ts';
import { checkInputContract } from './contracts/input-contract.ts';
import { loadContracts, type Contracts } from './contracts/load.ts';
import { checkPromptProjections } from './contracts/projection-limits.ts';
import type { DocumentReader } from './document-reader.ts';
import type { LoadedHost } from './host/load.ts';
import { applicationContentDigest } from './identity/content.ts';
import type { Digest } from './digest.ts';
import { chooseInput, type ApplicationInput, type LaterInput } from './input/choose.ts';
import type { AlternateInput } from './input/alternate.ts';
import { checkLimitConfiguration, narrowLimits, resolveLimits, type ResolvedLimits } from './limits/resolve.ts';
import type { Manifest } from './manifest/fields.ts';
import { loadManifest, type LoadedManifest } from './manifest/load.ts';
import { loadOverride, type ComponentOverride } from './override/load.ts';
import { MAX_BYTES, MAX_CLOSURE_BYTES, MAX_CLOSURE_DOCUMENTS } from './sizes.ts';
import { readDocument, type DocumentName } from './target.ts';

/** An application whose documents are all read and right; nothing was compiled, no provider was looked at. */
export interface ApplicationDocuments {
  /** Canonical directory of the manifest. */
  readonly directory: string;
  readonly manifest: Manifest;
  readonly environments: ComponentSets;
  readonly contracts: Contracts;
  readonly input: ApplicationInput;
  readonly override: ComponentOverride | null;
  readonly limits: ResolvedLimits;
  readonly contentDigest: Digest;
  /** All its documents but the input. */
  readonly closure: Closure;
}

/** What the documents of an application come to together (documents.md §1). */
export interface Closure {
  readonly documents: number;
  readonly bytes: number;
}

export interface ApplicationRequest {
  readonly reader: DocumentReader;
  readonly workingDirectory: string;
  readonly manifest: DocumentName;
  readonly host: LoadedHost | null;
  readonly libraries: LibraryRegistry;
  /** Null: the declared input. */
  readonly input: AlternateInput | LaterInput | null;
  /** Path of a component override descriptor. */
  readonly override: string | null;
  /** Limits that the run narrows further, each at most what would hold without; a wider one throws RangeError. */
  readonly narrowed?: WrittenLimits;
  /** The command gives the run its own identity: trace or project artifacts (documents.md §3, events). */
  readonly identityFixed: boolean;
  /** Monotonic milliseconds. */
  readonly now: Now;
}

type FilesRequest = Pick<ApplicationRequest, 'reader' | 'manifest' | 'host' | 'libraries' | 'now' | 'narrowed'>;

interface LoadedFiles extends Files {
  readonly loaded: LoadedManifest;
  readonly limits: ResolvedLimits;
}

/** The components of an application, as they are installed. Its input is not looked at. */
export async function loadInstalledComponents(request: FilesRequest): Promise<Outcome<ComponentSets>> {
  const read = await loadManifestAndFiles(request);
  return read.ok ? success(read.value.environments) : read;
}

async function loadManifestAndFiles(request: FilesRequest): Promise<Outcome<LoadedFiles>> {
  const loaded = loadManifest(await readDocument(request.reader, request.manifest, MAX_BYTES.manifest), request.now);
  if (!loaded.ok) return loaded;
  const limits = resolveLimits(loaded.value.manifest.limits, request.host?.document.limits ?? {});
  if (!limits.ok) return limits;
  const files = await loadFiles(request, loaded.value);
  return files.ok
    ? success({ ...files.value, loaded: loaded.value, limits: narrowLimits(limits.value, request.narrowed ?? {}) })
    : files;
}

/** Steps 5 to 7 of documents.md §12, in order; the first fault ends them. */
export async function loadApplicationDocuments(request: ApplicationRequest): Promise<Outcome<ApplicationDocuments>> {
  const { reader } = request;
  const read = await loadManifestAndFiles(request);
  if (!read.ok) return read;
  const { loaded, limits, environments: installed, contracts } = read.value;
  const { manifest, file } = loaded;
  const { directory } = file;
  const eventPolicy = request.input?.dataClass === 'private' ? 'private' : manifest.events.policy;
  const unconfigured = checkLimitConfiguration({ limits: limits.values, entry: manifest.workflow.entry, eventPolicy });
  if (unconfigured !== null) return failure(unconfigured);

  const { workingDirectory, input: alternate } = request;
  const input = await chooseInput({ reader, workingDirectory, directory, declared: manifest.input, alternate });
  if (!input.ok) return input;
  const isLater = alternate !== null && 'later' in alternate;
  const violated = isLater ? null : checkInputContract(contracts.input, input.value);
  if (violated !== null) return failure(violated);

  const overridden = await loadOverride(reader, request.override, installed);
  if (!overridden.ok) return overridden;
  const { environments, override } = overridden.value;
  const closure = closureOf({ loaded, environments, contracts, override });
  const refused =
    checkClosure(closure, isLater ? null : input.value) ??
    checkPromptProjections(contracts) ??
    checkIdentity(manifest, request.identityFixed);
  if (refused !== null) return failure(refused);
  const contentDigest = applicationContentDigest({
    manifest: loaded.document.value,
    environments,
    contracts,
    override,
  });
  return success({
    directory,
    manifest,
    environments,
    contracts,
    input: input.value,
    override,
    limits,
    contentDigest,
    closure,
  });
}

/**
 * The input that comes with a run, by the rules that it would have met while the application was read; null: it meets
 * them.
 */
export function checkInput(
  { contracts, closure }: Pick<ApplicationDocuments, 'contracts' | 'closure'>,
  input: ApplicationInput,
): Diagnostic | null {
  return checkInputContract(contracts.input, input) ?? checkClosure(closure, input);
}

interface Files {
  readonly environments: ComponentSets;
  readonly contracts: Contracts;
}

/** Workflow components, contracts, mission components by name, then their sum (documents.md §12.6). */
async function loadFiles(request: FilesRequest, { manifest, file }: LoadedManifest): Promise<Outcome<Files>> {
  const { reader, libraries } = request;
  const read = (choices: readonly ComponentChoice[]) => readComponents(reader, file.directory, choices);
  const workflowChoices = selectComponents(manifest.workflow.components, libraries);
  if (!workflowChoices.ok) return workflowChoices;
  const workflow = await read(workflowChoices.value);
  if (!workflow.ok) return workflow;
  const contracts = await loadContracts(reader, file.directory, manifest.contracts);
  if (!contracts.ok) return contracts;
  const missions = new Map<string, readonly Component[]>();
  for (const [name, mission] of manifest.missions) {
    const choices = selectComponents(mission.components, libraries);
    if (!choices.ok) return choices;
    const components = await read(choices.value);
    if (!components.ok) return components;
    missions.set(name, components.value);
  }
  const tooLarge = checkSourceTotal([...workflow.value, ...[...missions.values()].flat()]);
  if (tooLarge !== null) return failure(tooLarge);
  return success({ environments: { workflow: workflow.value, missions }, contracts: contracts.value });
}

interface ClosureFacts extends Files {
  readonly loaded: LoadedManifest;
  readonly override: ComponentOverride | null;
}

/** Every document of the closure counts once, whatever names lead to it (documents.md §1). */
function closureOf({ loaded, environments, contracts, override }: ClosureFacts): Closure {
  const sources = [environments.workflow, ...environments.missions.values()].flat();
  const sizes = new Map<string, number>([['application', loaded.file.bytes.length]]);
  for (const { origin, sourceName, bytes } of sources) sizes.set(`${origin} ${sourceName}`, bytes.length);
  const contractFiles = [contracts.input, contracts.result, ...contracts.phaseReturns.values()];
  for (const contract of contractFiles)
    if (contract !== null) sizes.set(`local ${contract.name}`, contract.bytes.length);
  if (override !== null) sizes.set('override', override.descriptorBytes);
  return { documents: sizes.size, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) };
}

/** `input`: null where it comes later; it is a document all the same. */
function checkClosure({ documents, bytes }: Closure, input: ApplicationInput | null): Diagnostic | null {
  if (documents + 1 > MAX_CLOSURE_DOCUMENTS) return closureLimit(MAX_CLOSURE_DOCUMENTS, 'documents');
  return bytes + (input?.bytes ?? 0) > MAX_CLOSURE_BYTES ? closureLimit(MAX_CLOSURE_BYTES, 'bytes') : null;
}

function closureLimit(limit: number, unit: 'documents' | 'bytes'): Diagnostic {
  return diagnostic('document_limit_exceeded', {
    source: { kind: 'application', name: 'svc.json' },
    message: closureLimitMessage(limit, unit),
  });
}

function checkIdentity({ events }: Manifest, identityFixed: boolean): Diagnostic | null {
  if (!identityFixed || (events.run_id === undefined && events.trace_id === undefined)) return null;
  return diagnostic('event_identity_conflict', { path: '/events' });
}
