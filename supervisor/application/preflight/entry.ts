import { diagnostic, type Diagnostic } from '../../../contract/diagnostics/diagnostic.ts';
import { missionCapabilityMessage } from '../../../contract/diagnostics/messages/programs.ts';
import { failure, type Failed } from '../../../contract/outcome.ts';
import type { LocatedFault } from '../../documents/located-fault.ts';
import { compareUtf8 } from '../../../contract/json/utf8.ts';
import { requiredTools } from '../../../contract/requirement.ts';
import { routeNamed } from '../../../contract/routes.ts';
import type { NameSource } from '../../documents/components/source-name.ts';
import type { Manifest } from '../../documents/manifest/fields.ts';
import type { Bundle, Bundles } from './bundles.ts';
import { acceptsOneArgument, explainEntry } from './explain-entry.ts';

/** Bundles that cannot be those of their application. */
export interface UnfitBundles extends Failed {
  /** Where the manifest lacks what they need; empty where that is reported otherwise. */
  readonly inManifest: readonly LocatedFault[];
}

/** The entry and what it and the missions need, before any provider is looked at (documents.md §12.8). */
export function checkBundles(manifest: Manifest, bundles: Bundles, nameSource: NameSource): UnfitBundles | null {
  const { entry: name } = manifest.workflow;
  const entry = bundles.workflow?.exports.find(({ ref }) => ref === name);
  if (entry === undefined || !acceptsOneArgument(entry))
    return {
      ...failure(diagnostic('entry_invalid'), { faults: explainEntry(name, bundles.workflow, nameSource) }),
      inManifest: [],
    };
  const reachesMissions = requiredTools(entry).some((name) => routeNamed(name)?.namesMission === true);
  if (reachesMissions && manifest.missions.size === 0)
    return unfitAt(diagnostic('mission_undeclared'), ['workflow', 'entry']);
  for (const [name, mission] of manifest.missions) {
    if (mission.providers.length > 0) continue;
    const needed = ungranted(bundles.missions.get(name) ?? null);
    if (needed.length > 0) {
      const error = diagnostic('mission_capability_ungranted', { message: missionCapabilityMessage(name, needed) });
      return unfitAt(error, ['missions', name, 'providers']);
    }
  }
  return null;
}

function unfitAt(error: Diagnostic, at: readonly string[]): UnfitBundles {
  return { ...failure(error), inManifest: [{ diagnostic: error, at }] };
}

/** What its programs can reach and have not by themselves (runtime.md §6, "both environments"). */
function ungranted(bundle: Bundle | null): readonly string[] {
  const needed = new Set((bundle?.exports ?? []).flatMap(requiredTools));
  return [...needed]
    .filter((name) => routeNamed(name)?.environments.includes('mission') !== true)
    .toSorted(compareUtf8);
}
