import type { FailureExplanation } from '../../../contract/diagnostics/explanation.ts';
import type { Outcome } from '../../../contract/outcome.ts';
import type { ComponentSets } from '../../documents/components/environments.ts';
import type { LibraryRegistry } from '../../documents/components/libraries.ts';
import { readComponents, type Component } from '../../documents/components/read.ts';
import { sourceNames } from '../../documents/components/source-name.ts';
import { selectComponents } from '../../documents/components/select.ts';
import type { DocumentReader } from '../../documents/document-reader.ts';
import type { LocatedFault } from '../../documents/located-fault.ts';
import type { ManifestComponent } from '../../documents/manifest/fields.ts';
import type { ManifestParts } from '../../documents/manifest/parts.ts';
import type { Bundles } from './bundles.ts';
import { checkBundles } from './entry.ts';

/** Compiles the programs of an application whose manifest stands in `directory`; null: that cannot be done now. */
export type CompilePrograms = (environments: ComponentSets, directory: string) => Promise<Outcome<Bundles> | null>;

export interface ProgramSurvey {
  /** What stands in the sources; null for nothing. */
  readonly explanation: FailureExplanation | null;
  /** What stands in the manifest: what its programs need and it does not grant. */
  readonly inManifest: LocatedFault | null;
}

const NOTHING: ProgramSurvey = { explanation: null, inManifest: null };

interface ProgramFacts {
  readonly libraries: LibraryRegistry;
  readonly compile: CompilePrograms | null;
  readonly workingDirectory: string;
}

/** What is wrong with those programs of an application that can be read, whatever else is wrong with it. */
export async function programFaults(
  reader: DocumentReader,
  directory: string,
  { manifest, lost }: ManifestParts,
  { libraries, compile, workingDirectory }: ProgramFacts,
): Promise<ProgramSurvey> {
  const read = async (listed: readonly ManifestComponent[]): Promise<readonly Component[] | null> => {
    const choices = selectComponents(listed, libraries);
    const components = choices.ok ? await readComponents(reader, directory, choices.value) : choices;
    return components.ok ? components.value : null;
  };
  const workflow = await read(manifest.workflow.components);
  const missions = new Map<string, readonly Component[]>();
  for (const [name, { components }] of manifest.missions) {
    const known = await read(components);
    if (known !== null) missions.set(name, known);
  }
  const bundles = (await compile?.({ workflow: workflow ?? [], missions }, directory)) ?? null;
  if (bundles === null) return NOTHING;
  if (!bundles.ok)
    return { explanation: bundles.faults === undefined ? null : inSources(bundles.faults), inManifest: null };
  const isWhole = lost.size === 0 && workflow !== null && missions.size === manifest.missions.size;
  const refused = isWhole ? checkBundles(manifest, bundles.value, sourceNames(directory, workingDirectory)) : null;
  if (refused === null) return NOTHING;
  const { diagnostic, faults, inManifest } = refused;
  return {
    explanation: faults === undefined ? null : inSources(faults),
    inManifest: inManifest === undefined ? null : { diagnostic, at: inManifest },
  };
}

/** What has no place in a source is told by the manifest that has it. */
function inSources({ faults, omitted }: FailureExplanation): FailureExplanation {
  return { faults: faults.filter(({ place }) => place !== null), omitted };
}
