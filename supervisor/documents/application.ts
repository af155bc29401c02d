import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { closureLimitMessage } from '../../contract/diagnostics/messages/documents.ts';
import { success, type Outcome } from '../../contract/outcome.ts';
import type { WrittenLimits } from '../../contract/limits/effective.ts';
import type { ComponentSets } from './components/environments.ts';
import type { Now } from './budget.ts';
import type { LibraryRegistry } from './components/libraries.ts';
import { checkSourceTotal, readComponents, type Component } from './components/read.ts';
import { findComponentFaults, selectComponents } from './components/select.ts';
import { readContracts, type Contracts } from './contracts/load.ts';
import { checkPromptProjections } from './contracts/projection-limits.ts';
import type { DocumentReader } from './document-reader.ts';
import type { ExaminedText } from './examined-text.ts';
import { Findings } from './findings.ts';
import type { LoadedHost } from './host/load.ts';
import { applicationContentDigest } from './identity/content.ts';
import type { Digest } from './digest.ts';
import { chooseInput, type ApplicationInput, type LaterInput } from './input/choose.ts';
import type { AlternateInput } from './input/alternate.ts';
import {
  configurationFaults,
  limitFaults,
  narrowLimits,
  resolveLimits,
  type ResolvedLimits,
} from './limits/resolve.ts';
import type { Manifest, ManifestComponent } from './manifest/fields.ts';
import { examineManifest, type ExaminedManifest } from './manifest/load.ts';
import type { ManifestParts } from './manifest/parts.ts';
import { loadOverride, type ComponentOverride } from './override/load.ts';
import type { SafeFile } from './safe-file.ts';
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
  /** What of a host document can be held against it; null without one, or where that says nothing. */
  readonly host: Pick<LoadedHost, 'document'> | null;
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

/** What the documents of an application come to, with all that is wrong with them. */
export interface ExaminedApplication {
  /** Refused by the first fault in the order of documents.md §12. */
  readonly outcome: Outcome<ApplicationDocuments>;
  /** The manifest, then what else was read and is not right. */
  readonly texts: readonly ExaminedText[];
  /** Null: the manifest says nothing. */
  readonly known: KnownApplication | null;
  /** Its components, whatever its input and the rest is; null: they, or what names them, are not right. */
  readonly installed: ComponentSets | null;
}

/** What of an application can be looked at further, whatever else is wrong with it. */
export interface KnownApplication extends ManifestParts {
  /** Canonical directory of the manifest. */
  readonly directory: string;
  /** Null where not all its components could be read. */
  readonly workflow: readonly Component[] | null;
  /** Those whose components could all be read. */
  readonly missions: ReadonlyMap<string, readonly Component[]>;
}

/** Steps 5 to 7 of documents.md §12, in order; the first fault is reported. */
export async function loadApplicationDocuments(request: ApplicationRequest): Promise<Outcome<ApplicationDocuments>> {
  return (await examineApplication(request)).outcome;
}

/** The same; a fault keeps no other document from being read. */
export async function examineApplication(request: ApplicationRequest): Promise<ExaminedApplication> {
  const read = await readDocument(request.reader, request.manifest, MAX_BYTES.manifest);
  const examined = examineManifest(read, request.manifest.kind, request.now);
  if (!examined.ok) return { outcome: examined, texts: examined.texts, known: null, installed: null };
  const findings = new Findings(examined.value.text);
  const { manifest, lost, file } = examined.value;
  findings.noteInManifest(limitFaults(manifest.limits, request.host?.document.limits ?? {}));
  const files = await readFiles(request, examined.value, findings);
  const { workflow, missions } = files;
  const installed = findings.count > 0 || workflow === null ? null : { workflow, missions };
  const documents = await readRest(request, { manifest: examined.value, ...files, installed }, findings);
  return {
    outcome: documents === null ? findings.refusal() : success(documents),
    texts: findings.texts(),
    known: { manifest, lost, directory: file.directory, workflow, missions },
    installed,
  };
}

interface ReadFiles extends Pick<KnownApplication, 'workflow' | 'missions'> {
  readonly contracts: Contracts;
}

/** Workflow components, contracts, mission components by name, then their sum (documents.md §12.6). */
async function readFiles(
  { reader, libraries }: ApplicationRequest,
  { manifest, file: { directory } }: ExaminedManifest,
  findings: Findings,
): Promise<ReadFiles> {
  const readEnvironment = async (listed: readonly ManifestComponent[], at: readonly string[]) => {
    const before = findings.count;
    findings.noteInManifest([...findComponentFaults(listed, libraries, at)]);
    const { components, faults } = await readComponents(reader, directory, selectComponents(listed, libraries));
    for (const fault of faults) {
      if (fault.at === null) findings.refuse(fault.diagnostic);
      else findings.noteInManifest([{ ...fault, at: [...at, ...fault.at] }]);
    }
    return findings.count === before ? components : null;
  };
  const workflow = await readEnvironment(manifest.workflow.components, ['workflow']);
  const { contracts, problems } = await readContracts(reader, directory, manifest.contracts);
  for (const { diagnostic: first, found } of problems) {
    if ('text' in found) findings.noteText(found.text, first);
    else findings.noteInManifest([found.inManifest]);
  }
  const missions = new Map<string, readonly Component[]>();
  for (const [name, { components: listed }] of manifest.missions) {
    const components = await readEnvironment(listed, ['missions', name]);
    if (components !== null) missions.set(name, components);
  }
  findings.check(() => checkSourceTotal([...(workflow ?? []), ...[...missions.values()].flat()]));
  return { workflow, missions, contracts };
}

interface InstalledFiles extends ReadFiles {
  readonly manifest: ExaminedManifest;
  /** Null: the files are not right, or what names them. */
  readonly installed: ComponentSets | null;
}

/** Limits, input, override, closure and identity, in this order; null after any fault. */
async function readRest(
  request: ApplicationRequest,
  { manifest: { manifest, lost, file, document }, contracts, installed }: InstalledFiles,
  findings: Findings,
): Promise<ApplicationDocuments | null> {
  const { input: alternate, identityFixed } = request;
  const { directory } = file;
  const limits = configuredLimits(request, manifest, findings);
  // A private input is not opened for the sake of further faults, and of one that is lost nothing is known.
  const isInputRead =
    alternate === null ? !lost.has('input') : findings.count === 0 || alternate.dataClass === 'normal';
  const loading = { ...request, directory, declared: manifest.input, alternate, contract: contracts.input };
  const input = isInputRead ? await chooseInput(loading) : null;
  if (input?.ok === false) findings.noteBoth(input);
  if (findings.count > 0 || limits === null || input?.ok !== true || installed === null) return null;
  const overridden = await loadOverride(request.reader, request.override, installed);
  if (!overridden.ok) {
    findings.noteTexts(overridden);
    return null;
  }
  const { environments, override } = overridden.value;
  const closure = closureOf({ file, environments, contracts, override });
  const isLater = alternate !== null && 'later' in alternate;
  findings.check(() => checkClosure(closure, isLater ? null : input.value));
  findings.check(() => checkPromptProjections(contracts));
  findings.check(() => checkIdentity(manifest, identityFixed));
  if (findings.count > 0) return null;
  return {
    directory,
    manifest,
    environments,
    contracts,
    input: input.value,
    override,
    limits,
    contentDigest: applicationContentDigest({ manifest: document.value, environments, contracts, override }),
    closure,
  };
}

/** Null where the host does not grant what the manifest asks for. */
function configuredLimits(
  { host, input, narrowed = {} }: ApplicationRequest,
  { limits: requested, events, workflow: { entry } }: Manifest,
  findings: Findings,
): ResolvedLimits | null {
  const resolved = resolveLimits(requested, host?.document.limits ?? {});
  if (resolved === null) return null;
  const limits = findings.count > 0 ? resolved : narrowLimits(resolved, narrowed);
  const eventPolicy = input?.dataClass === 'private' ? 'private' : events.policy;
  findings.noteInManifest([...configurationFaults({ limits: limits.values, entry, eventPolicy }, limits.origins)]);
  return limits;
}

/** The input that comes with a run, beside what was read before; null: it is not too much. */
export function checkInput(
  { closure }: Pick<ApplicationDocuments, 'closure'>,
  input: ApplicationInput,
): Diagnostic | null {
  return checkClosure(closure, input);
}

interface ClosureFacts {
  readonly file: SafeFile;
  readonly environments: ComponentSets;
  readonly contracts: Contracts;
  readonly override: ComponentOverride | null;
}

/** Every document of the closure counts once, whatever names lead to it (documents.md §1). */
function closureOf({ file, environments, contracts, override }: ClosureFacts): Closure {
  const sources = [environments.workflow, ...environments.missions.values()].flat();
  const sizes = new Map<string, number>([['application', file.bytes.length]]);
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
