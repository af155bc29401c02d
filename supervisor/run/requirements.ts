import { diagnostic, type Diagnostic } from '../../contract/diagnostics/diagnostic.ts';
import { capabilityRequirementMessage } from '../../contract/diagnostics/messages/programs.ts';
import { requiredTools } from '../../contract/requirement.ts';
import type { ExportFact } from '../../contract/sandbox-protocol.ts';
import type { RunnableApplication } from './application.ts';
import type { RunEnvironments } from './environments.ts';

/** Whether each frozen environment supplies what its components call (runtime.md §1 step 15). */
export function checkRequirements(application: RunnableApplication, environments: RunEnvironments): Diagnostic | null {
  const missing = new Set(missingTools(application.workflow.exports, environments.broker.tools(null)));
  for (const [name, { exports }] of application.missions) {
    for (const tool of missingTools(exports, environments.missions.get(name)?.tools ?? [])) missing.add(tool);
  }
  return missing.size === 0
    ? null
    : diagnostic('capability_requirement_missing', { message: capabilityRequirementMessage([...missing]) });
}

function missingTools(exports: readonly ExportFact[], granted: readonly string[]): readonly string[] {
  return exports.flatMap(requiredTools).filter((name) => !granted.includes(name));
}
