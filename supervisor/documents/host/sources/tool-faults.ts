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
  const rowsByName = new Map<string, { readonly upstream: string; readonly isDerived: boolean }>();
  for (const [upstream, tool] of tools) {
    if (upstream === EVERY_TOOL) continue;
    const name = tool.as ?? kebabName(upstream);
    const isDerived = tool.as === undefined;
    const keys = ['tools', upstream, ...(isDerived ? [] : ['as'])];
    if (name === null) yield { rule: 'tool_name_missing', path: '/tools', keys };
    else if (isReservedName(name)) yield { rule: 'reserved_name', path: '/tools', keys };
    if (name === null) continue;
    const other = rowsByName.get(name);
    if (other === undefined) {
      rowsByName.set(name, { upstream, isDerived });
      continue;
    }
    const remedy = isDerived || other.isDerived ? sameName(name, other.upstream, upstream) : ANOTHER_NAME;
    yield { rule: 'duplicate_tool_name', path: '/tools', keys, remedy };
  }
}

/** For two names that somebody wrote, who sees them at the place. */
const ANOTHER_NAME = 'give one of them another "as"';

/** Both names, as the server uses them, and what they come to: the message has place for none. */
function sameName(name: string, first: string, second: string): string {
  return `${JSON.stringify(first)} and ${JSON.stringify(second)} are both called ${name}: ${ANOTHER_NAME}`;
}
