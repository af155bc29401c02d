import { fixedSource } from '../../../contract/diagnostics/diagnostic.ts';
import type { FailureExplanation } from '../../../contract/diagnostics/explanation.ts';
import { effectiveLimits } from '../../../contract/limits/effective.ts';
import type { Failed } from '../../../contract/outcome.ts';
import type { CustomInstallation } from '../../providers/custom/installation.ts';
import type { LibraryRegistry } from '../../documents/components/libraries.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import { assembled } from '../../documents/explain/assemble.ts';
import {
  contractsOf,
  inlineInputFaults,
  surveyContract,
  surveyInput,
  surveyManifest,
  type ExaminedContract,
  type ExaminedManifest,
} from '../../documents/explain/survey-application.ts';
import { hostDocumentOf, surveyHost } from '../../documents/explain/survey-host.ts';
import { surveyOverride, surveyProject } from '../../documents/explain/survey-others.ts';
import type { ReadText, ExaminedText } from '../../documents/explain/surveyed.ts';
import type { HostDocument } from '../../documents/host/fields.ts';
import { parseDocument } from '../../documents/json-document.ts';
import type { LocatedFault } from '../../documents/located-fault.ts';
import { readAlternate, type AlternateInput } from '../../documents/input/alternate.ts';
import type { Manifest } from '../../documents/manifest/fields.ts';
import type { ReadOutcome } from '../../documents/safe-file.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import { readDocument, type DocumentName } from '../../documents/target.ts';
import { installationsByAlias } from '../../providers/by-alias.ts';
import { findSelectionFaults } from './selection-faults.ts';
import { programFaults, type CompilePrograms } from './survey-programs.ts';

/** What a command named, as far as it got. */
export interface NamedDocuments {
  /** The positional argument; null without one. */
  readonly document: string | null;
  /** Null: no project could be read that would name it, or the command reads none. */
  readonly manifest: DocumentName | null;
  readonly host: DocumentName | null;
  readonly override: string | null;
  /** What replaces the declared input. */
  readonly input: AlternateInput | null;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly libraries: LibraryRegistry;
  readonly custom: readonly CustomInstallation[];
  /** Compiles what can be read of the programs; null: the command does not look for further faults in them. */
  readonly compile: CompilePrograms | null;
}

/**
 * What people are told of a refusal beside its diagnostic: its place, and all that can be known of the documents of a
 * command without a provider (documents.md §14.4). Reads what the command's reader holds, and what it would have read.
 */
export async function explainRefusal(
  reader: DocumentReader,
  refused: Failed,
  named: NamedDocuments,
): Promise<FailureExplanation | null> {
  const { diagnostic: told, faults } = refused;
  const { texts: documents, programs } = await surveyDocuments(reader, refused, named);
  if (faults !== undefined) return assembled(told, documents, { explanation: faults, isTold: true });
  return assembled(told, documents, programs === null ? null : { explanation: programs, isTold: false });
}

interface Survey {
  readonly texts: readonly ExaminedText[];
  /** What a compiler says of the programs, of a command that asks it for that. */
  readonly programs: FailureExplanation | null;
}

async function surveyDocuments(reader: DocumentReader, refused: Failed, named: NamedDocuments): Promise<Survey> {
  const { diagnostic: told } = refused;
  const { workingDirectory: home } = named;
  if (told.source?.kind === 'project') {
    return withoutPrograms(
      named.document === null
        ? []
        : texts(await reader.readNamed(named.document, MAX_BYTES.manifest), 'svc-project.json', home).map(
            surveyProject,
          ),
    );
  }
  const host =
    named.host === null
      ? []
      : texts(await readDocument(reader, named.host, MAX_BYTES.host), fixedSource('host').name, home);
  const installed = host[0] === undefined ? null : hostOf(host[0]);
  const read = named.manifest === null ? null : await readDocument(reader, named.manifest, MAX_BYTES.manifest);
  const overrides =
    named.override === null || told.source?.kind !== 'component_override'
      ? []
      : texts(
          await reader.readNamed(named.override, MAX_BYTES.overrideDescriptor),
          fixedSource('component_override').name,
          home,
        ).map(surveyOverride);
  const surveyedHosts = host.map(surveyHost);
  if (read === null || !read.ok) return withoutPrograms([...surveyedHosts, ...overrides]);
  const { directory } = read.file;
  const references = referencesOf(reader, directory, home);
  const surveyed = await surveyManifest(textOf(read.file, fixedSource('application').name, home), {
    libraries: named.libraries,
    installedLimits: installed?.limits ?? {},
    eventPolicy: named.input?.dataClass === 'private' ? 'private' : null,
    isInputReplaced: named.input !== null,
    isReadable: async (reference) => (await references(reference, MAX_BYTES.component)).length > 0,
  });
  const { parts } = surveyed;
  if (parts === null) return withoutPrograms([...surveyedHosts, surveyed.text, ...overrides]);
  const { manifest, lost } = parts;
  const contracts: ExaminedContract[] = [];
  for (const { role, path } of contractsOf(manifest)) {
    for (const text of await references(path, MAX_BYTES.contract)) contracts.push(surveyContract(text, role));
  }
  // A fault of programs is known already, or of what they export: both are looked for where neither is.
  const isCompiled = refused.faults !== undefined || refused.inManifest !== undefined;
  const programs = isCompiled || named.compile === null ? null : await programFaults(reader, directory, parts, named);
  const inManifest =
    refused.inManifest === undefined ? (programs?.inManifest ?? null) : { diagnostic: told, at: refused.inManifest };
  const isKnown = (...members: readonly string[]) => members.every((member) => !lost.has(member));
  const application = withFaults(surveyed, [
    ...(isKnown('input') ? inlineFaults(manifest, contracts, named.input) : []),
    ...(inManifest === null ? [] : [inManifest]),
    ...(isKnown('providers', 'limits') ? providerFaults(manifest, installed, named) : []),
  ]);
  const inputs = await surveyInputs({ reader, directory, named, manifest, contracts });
  const sources =
    told.source?.kind === 'component' && refused.faults === undefined
      ? await references(told.source.name, MAX_BYTES.component)
      : [];
  const all = [
    ...surveyedHosts,
    application,
    ...contracts.map(({ text }) => text),
    ...inputs,
    ...overrides,
    ...sources.map((text) => ({ ...text, root: null, faults: [] })),
  ];
  return { texts: all, programs: programs?.explanation ?? null };
}

function withoutPrograms(surveyed: readonly ExaminedText[]): Survey {
  return { texts: surveyed, programs: null };
}

function texts(read: ReadOutcome, file: string, home: string): readonly ReadText[] {
  return read.ok ? [textOf(read.file, file, home)] : [];
}

function textOf(
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
  file: string,
  home: string,
): ReadText {
  return { file, opens: nameFrom(home, path), bytes };
}

function nameFrom(home: string, path: string): string | null {
  const prefix = `${home === '/' ? '' : home}/`;
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  return path.startsWith('/') ? path : null;
}

/** Reads what a manifest names; nothing where that cannot be read. */
function referencesOf(reader: DocumentReader, directory: string, home: string) {
  return async (reference: string, limit: number): Promise<readonly ReadText[]> =>
    texts(await reader.readReference(directory, reference, limit), reference, home);
}

function hostOf({ bytes }: ReadText): HostDocument | null {
  const parsed = parseDocument(bytes, MAX_BYTES.host);
  return parsed.ok ? hostDocumentOf(parsed.document.value) : null;
}

function withFaults({ text }: ExaminedManifest, faults: readonly LocatedFault[]): ExaminedText {
  return { ...text, faults: [...text.faults, ...faults] };
}

function inlineFaults(
  { input }: Manifest,
  contracts: readonly ExaminedContract[],
  alternate: AlternateInput | null,
): readonly LocatedFault[] {
  return alternate !== null || !('value' in input) ? [] : inlineInputFaults(input.value, inputRoot(contracts));
}

function inputRoot(contracts: readonly ExaminedContract[]) {
  return contracts.find(({ role }) => role === 'input_contract')?.root ?? null;
}

/** A broken host document says nothing of what is installed. */
function providerFaults(
  manifest: Manifest,
  host: HostDocument | null,
  { host: name, custom }: NamedDocuments,
): readonly LocatedFault[] {
  if (name !== null && host === null) return [];
  const installed = installationsByAlias(host, custom);
  const written = host?.limits ?? {};
  const asked = effectiveLimits(manifest.limits, written);
  const limits = asked.ok ? asked : effectiveLimits({}, written);
  if (!installed.ok || !limits.ok) return [];
  return [...findSelectionFaults({ manifest, host, installed: installed.value, limits: limits.values })];
}

interface InputFacts {
  readonly reader: DocumentReader;
  readonly directory: string;
  readonly named: NamedDocuments;
  readonly manifest: Manifest;
  readonly contracts: readonly ExaminedContract[];
}

/** The file or stream that is the input; of a private one nothing is told. */
async function surveyInputs({
  reader,
  directory,
  named,
  manifest,
  contracts,
}: InputFacts): Promise<readonly ExaminedText[]> {
  const { input, workingDirectory } = named;
  const file = fixedSource('external_input').name;
  if (input === null) {
    if ('value' in manifest.input) return [];
    const read = await reader.readReference(directory, manifest.input.path, MAX_BYTES.input);
    return texts(read, file, workingDirectory).map((text) => surveyInput(text, 'declared', inputRoot(contracts)));
  }
  if (input.dataClass === 'private') return [];
  const read = await readAlternate({ reader, directory, workingDirectory }, input);
  if (!read.ok) return [];
  const text =
    'stream' in input
      ? { file: input.stream.name, opens: null, bytes: read.bytes }
      : textOf({ bytes: read.bytes, path: read.path ?? '' }, file, workingDirectory);
  return [surveyInput(text, 'external', inputRoot(contracts))];
}
