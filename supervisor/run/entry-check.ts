import { diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import type { Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { capabilityRequirementMessage, missionCapabilityMessage } from '../../contract/diagnostics/messages/programs.ts';
import type { ExportFact } from '../../contract/sandbox-protocol.ts';
import type { RunnableApplication } from './application.ts';
import type { CompiledBundles } from './bundles.ts';

/** Routes that work on a mission (runtime.md §6). */
const MISSION_ROUTES: ReadonlySet<string> = new Set([
  'kernel-eval',
  'kernel-check-source',
  'kernel-mission-inventory',
  'kernel-mission-model-context',
]);

/** Routes that every mission has, whatever it was granted (runtime.md §4). */
const IMPLICIT_ROUTES: ReadonlySet<string> = new Set(['runtime-usage', 'runtime-remaining', 'cap-list', 'cap-describe']);

const TOOL = 'tool:';

/** The checks on compiled bundles that need no provider (runtime.md §1 step 8), in their order; null when all hold. */
export function checkBundles(application: RunnableApplication, bundles: CompiledBundles): Diagnostic | null {
  const entry = bundles.workflow.exports.find(({ ref }) => ref === application.entry);
  if (entry === undefined || !acceptsOneArgument(entry)) return diagnostic('entry_invalid');
  const reachesMission = toolsOf(entry).some((name) => MISSION_ROUTES.has(name));
  if (reachesMission && application.missions.size === 0) return diagnostic('mission_undeclared');
  for (const [name, mission] of application.missions) {
    const missing = mission.providers.length > 0 ? [] : requiredTools(bundles.missions.get(name)?.exports ?? []).filter((tool) => !IMPLICIT_ROUTES.has(tool));
    if (missing.length > 0) return diagnostic('mission_capability_ungranted', { message: missionCapabilityMessage(name, missing) });
  }
  return null;
}

/**
 * Whether each environment supplies what its components call (runtime.md §1 step 15): `granted` names what the
 * workflow, and each mission, may call.
 */
export function checkRequirements(
  bundles: CompiledBundles,
  granted: { readonly workflow: ReadonlySet<string>; readonly missions: ReadonlyMap<string, ReadonlySet<string>> },
): Diagnostic | null {
  const missing = new Set(requiredTools(bundles.workflow.exports).filter((name) => !granted.workflow.has(name)));
  for (const [name, bundle] of bundles.missions) {
    for (const tool of requiredTools(bundle?.exports ?? [])) {
      if (!IMPLICIT_ROUTES.has(tool) && granted.missions.get(name)?.has(tool) !== true) missing.add(tool);
    }
  }
  return missing.size === 0 ? null : diagnostic('capability_requirement_missing', { message: capabilityRequirementMessage([...missing]) });
}

function acceptsOneArgument(fact: ExportFact): boolean {
  return fact.kind === 'function' && (fact.arities.includes(1) || (fact.variadic_from !== null && fact.variadic_from <= 1));
}

function requiredTools(exports: readonly ExportFact[]): readonly string[] {
  return [...new Set(exports.flatMap(toolsOf))];
}

function toolsOf(fact: ExportFact): readonly string[] {
  return fact.requirements.map((requirement) => (requirement.startsWith(TOOL) ? requirement.slice(TOOL.length) : requirement));
}
