import type { ExportFact } from './sandbox-protocol.ts';

/** What code requires to be granted is written `tool:<name>`: a capability or a route (language.md §13). */
const TOOL = 'tool:';

/** How the requirement of one tool is written. */
export function toolRequirement(name: string): string {
  return `${TOOL}${name}`;
}

/** Names of the tools that an export can reach, in the order of its requirements. */
export function requiredTools({ requirements }: Pick<ExportFact, 'requirements'>): readonly string[] {
  return requirements
    .filter((requirement) => requirement.startsWith(TOOL))
    .map((requirement) => requirement.slice(TOOL.length));
}
