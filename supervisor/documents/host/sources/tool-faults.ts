import { isReservedName } from '../../../../contract/routes.ts';
import { EVERY_TOOL, kebabName } from '../../../../contract/tool-mapping.ts';
import type { SourceFault } from './common.ts';

/** What of a row is about its name. */
interface NamedTool {
  readonly as?: string;
  readonly description?: string;
}

/** Every row, but that of every other tool, has a name of its own, written or derived (world.md §2.3). */
export function* toolFaults(tools: ReadonlyMap<string, NamedTool>): Iterable<SourceFault> {
  const all = tools.get(EVERY_TOOL);
  for (const field of ['as', 'description'] as const) {
    if (all?.[field] !== undefined)
      yield { rule: 'every_tool_named', path: '/tools', keys: ['tools', EVERY_TOOL, field] };
  }
  const upstreamByName = new Map<string, string>();
  for (const [upstream, tool] of tools) {
    if (upstream === EVERY_TOOL) continue;
    const name = tool.as ?? kebabName(upstream);
    const keys = ['tools', upstream, ...(tool.as === undefined ? [] : ['as'])];
    if (name === null) yield { rule: 'tool_name_missing', path: '/tools', keys };
    else if (isReservedName(name)) yield { rule: 'reserved_name', path: '/tools', keys };
    if (name === null) continue;
    const other = upstreamByName.get(name);
    if (other === undefined) upstreamByName.set(name, upstream);
    else
      yield {
        rule: 'duplicate_tool_name',
        path: '/tools',
        keys,
        remedy: sameName(tool.as === undefined ? name : null, other, upstream),
      };
  }
}

/** Both names, as the server uses them, and what they come to where nobody wrote it: the message has place for none. */
function sameName(derived: string | null, first: string, second: string): string {
  const called = derived === null ? 'have one name' : `are both called ${derived}`;
  return `${JSON.stringify(first)} and ${JSON.stringify(second)} ${called}: give one of them another "as"`;
}
