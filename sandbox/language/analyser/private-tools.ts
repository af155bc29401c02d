import { CompileFailure } from '../compile-failure.ts';
import type { ToolUse } from './names.ts';

/** Component whose code alone may name the private routes. */
export const PRIVATE_TOOLS_OWNER = 'agent.core';

/** Routes by which the shipped agent reports failures that no other code can forge (runtime.md §6, private routes). */
const PRIVATE_TOOLS: ReadonlySet<string> = new Set([
  'kernel-runtime-limit-failure',
  'kernel-llm-provider-failure',
  'kernel-result-contract-failure',
  'kernel-phase-return-contract-failure',
  'kernel-agent-config-failure',
  'kernel-agent-outcome-failure',
  'kernel-agent-protocol-error',
]);

/** Throws a `CompileFailure` where ordinary code names a private route, whether or not it would be called. */
export function refusePrivateTools(uses: readonly ToolUse[]): void {
  const found = uses.filter((use) => PRIVATE_TOOLS.has(use.name));
  const [first] = found;
  if (first === undefined) return;
  const names = [...new Set(found.map((use) => `tool/${use.name}`))];
  throw new CompileFailure('private_tool_unauthorized', `Private to ${PRIVATE_TOOLS_OWNER}: ${names.join(', ')}`, first.node, { private_tools: names });
}
