import type { FailureExplanation } from '../../../contract/diagnostics/explanation.ts';
import type { Failed, Outcome } from '../../../contract/outcome.ts';
import type { ExaminedApplication, KnownApplication } from '../../documents/application.ts';
import { findDependencyFaults } from '../../documents/components/dependency-faults.ts';
import type { ComponentSets } from '../../documents/components/environments.ts';
import type { LibraryRegistry } from '../../documents/components/libraries.ts';
import { sourceNames } from '../../documents/components/source-name.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import { namedText, type ExaminedText, type RefusedDocuments } from '../../documents/examined-text.ts';
import { assembled, placedTexts, type ProgramFaults } from '../../documents/explain/assemble.ts';
import type { LocatedFault } from '../../documents/located-fault.ts';
import { MAX_BYTES } from '../../documents/sizes.ts';
import type { Bundles } from './bundles.ts';
import { checkBundles } from './entry.ts';

/** Compiles the programs of an application whose manifest is in `directory`; null: that cannot be done now. */
export type CompilePrograms = (environments: ComponentSets, directory: string) => Promise<Outcome<Bundles> | null>;

export interface ExplanationFacts {
  readonly reader: DocumentReader;
  /** Absolute. */
  readonly workingDirectory: string;
  readonly libraries: LibraryRegistry;
  /** The host document, where that is refused. */
  readonly refusedHost: RefusedDocuments | null;
  /** Selections that cannot be, as far as it is known what is installed. */
  readonly selectionFaults: (known: KnownApplication) => readonly LocatedFault[];
  /** Null: nobody looks for further faults in the programs. */
  readonly compile: CompilePrograms | null;
}

/** A refusal, with the place in the manifest where that alone is at fault. */
export type RefusedApplication = Failed & { readonly inManifest?: readonly LocatedFault[] };

/**
 * What people read about a refusal beside its diagnostic: its place, and all that can be known of the documents of a
 * command without a provider (documents.md §14.4).
 */
export async function explainRefusal(
  refused: RefusedApplication,
  { outcome, texts, known }: ExaminedApplication,
  facts: ExplanationFacts,
): Promise<FailureExplanation | null> {
  const { reader, workingDirectory, libraries, refusedHost, selectionFaults, compile } = facts;
  const { diagnostic } = refused;
  const faults = refused.advice?.faults ?? null;
  const explain = (all: readonly ExaminedText[], programs: ProgramFaults | null): FailureExplanation | null =>
    assembled(diagnostic, placedTexts([...(refusedHost?.texts ?? []), ...all], workingDirectory), programs);
  const [manifest, ...others] = texts;
  if (known === null || manifest === undefined) return explain(texts, null);
  // Behind documents that are right the programs are compiled already, or the next command compiles them.
  const isCompiled = outcome.ok && refusedHost === null;
  const programs = isCompiled || compile === null ? NOTHING : await programFaults(known, compile, facts);
  const further = [
    ...findDependencyFaults(known.manifest, libraries),
    ...(refused.inManifest ?? []),
    ...programs.inManifest,
    ...selectionFaults(known),
  ];
  const all = [
    { ...manifest, faults: [...manifest.faults, ...further] },
    ...others,
    ...(faults === null ? await refusedSource(refused, known, reader) : []),
  ];
  return explain(
    all,
    faults === null
      ? programs.explanation === null
        ? null
        : { explanation: programs.explanation, isReported: false }
      : { explanation: faults, isReported: true },
  );
}

/** A source that is refused before any compiler saw it. */
async function refusedSource(
  { diagnostic: { source } }: Failed,
  { directory }: KnownApplication,
  reader: DocumentReader,
): Promise<readonly ExaminedText[]> {
  if (source?.kind !== 'component') return [];
  const read = await reader.readReference(directory, source.name, MAX_BYTES.component);
  return read.ok ? [{ ...namedText(source.name, read.file), root: null, faults: [] }] : [];
}

interface FoundInPrograms {
  /** What is in the sources; null for nothing. */
  readonly explanation: FailureExplanation | null;
  /** What is in the manifest: what its programs need and it does not grant. */
  readonly inManifest: readonly LocatedFault[];
}

const NOTHING: FoundInPrograms = { explanation: null, inManifest: [] };

/** What is wrong with those programs of an application that can be read, whatever else is wrong with it. */
async function programFaults(
  { manifest, lost, directory, workflow, missions }: KnownApplication,
  compile: CompilePrograms,
  { workingDirectory }: ExplanationFacts,
): Promise<FoundInPrograms> {
  const bundles = await compile({ workflow: workflow ?? [], missions }, directory);
  if (bundles === null) return NOTHING;
  if (!bundles.ok) return { ...NOTHING, explanation: inSources(bundles) };
  const isWhole = lost.size === 0 && workflow !== null && missions.size === manifest.missions.size;
  const unfit = isWhole ? checkBundles(manifest, bundles.value, sourceNames(directory, workingDirectory)) : null;
  return unfit === null ? NOTHING : { explanation: inSources(unfit), inManifest: unfit.inManifest };
}

/** What has no place in a source is reported at its place in the manifest. */
function inSources({ advice }: Failed): FailureExplanation | null {
  const faults = advice?.faults ?? null;
  return faults === null
    ? null
    : { faults: faults.faults.filter(({ place }) => place !== null), omitted: faults.omitted };
}
