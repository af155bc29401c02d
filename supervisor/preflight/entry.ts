import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { missionCapabilityMessage } from '../../contract/diagnostics/messages/programs.ts';
import type { ExportFact } from '../../contract/sandbox-protocol.ts';
import { compareUtf8 } from '../../contract/json/utf8.ts';
import type { Manifest } from '../documents/manifest/fields.ts';
import type { Bundle, Bundles } from './bundles.ts';

/** Workflow operations that name a mission (runtime.md §6). */
const MISSION_OPERATIONS: ReadonlySet<string> = new Set([
  'tool:kernel-eval',
  'tool:kernel-check-source',
  'tool:kernel-mission-inventory',
  'tool:kernel-mission-model-context',
]);

/** What a mission has without any provider (runtime.md §6, "both environments"). */
const IMPLICIT_IN_MISSIONS: ReadonlySet<string> = new Set([
  'tool:runtime-usage',
  'tool:runtime-remaining',
  'tool:cap-list',
  'tool:cap-describe',
]);

const TOOL_PREFIX = 'tool:';

/** The entry and what it and the missions need, before any provider is looked at (documents.md §12.8). */
export function checkBundles(manifest: Manifest, bundles: Bundles): Diagnostic | null {
  const entry = bundles.workflow?.exports.find(({ ref }) => ref === manifest.workflow.entry);
  if (entry === undefined || !acceptsOneArgument(entry)) return diagnostic('entry_invalid');
  const reachesMissions = entry.requirements.some((requirement) => MISSION_OPERATIONS.has(requirement));
  if (reachesMissions && manifest.missions.size === 0) return diagnostic('mission_undeclared');
  for (const [name, mission] of manifest.missions) {
    if (mission.providers.length > 0) continue;
    const needed = ungranted(bundles.missions.get(name) ?? null);
    if (needed.length > 0) {
      return diagnostic('mission_capability_ungranted', { message: missionCapabilityMessage(name, needed) });
    }
  }
  return null;
}

function acceptsOneArgument({ kind, arities, variadic_from: variadicFrom }: ExportFact): boolean {
  return kind === 'function' && (arities.includes(1) || (variadicFrom !== null && variadicFrom <= 1));
}

function ungranted(bundle: Bundle | null): readonly string[] {
  const needed = new Set((bundle?.exports ?? []).flatMap(({ requirements }) => requirements));
  return [...needed]
    .filter((requirement) => !IMPLICIT_IN_MISSIONS.has(requirement))
    .map((requirement) => (requirement.startsWith(TOOL_PREFIX) ? requirement.slice(TOOL_PREFIX.length) : requirement))
    .toSorted(compareUtf8);
}
