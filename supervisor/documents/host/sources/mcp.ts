import { insteadOf } from '../../../../contract/names/suggestion.ts';
import { EVERY_TOOL } from '../../../../contract/tool-mapping.ts';
import {
  defaulted,
  EMPTY_OBJECT,
  object,
  oneOfValues,
  optional,
  required,
  text,
  type Decoded,
} from '../../fields/shape.ts';
import { MCP_TOOLS, MCP_TRANSPORT } from '../mcp-fields.ts';
import { approval, ceiling, dataPolicy, name, revision, type SourceFault } from './common.ts';
import { addressFaults } from './http-address.ts';
import { toolFaults } from './tool-faults.ts';

/** A server of tools. */
export const mcpFields = object({
  source: required(oneOfValues('mcp')),
  installation_revision: revision,
  ...dataPolicy,
  transport: required(MCP_TRANSPORT),
  /** Absent: `auto`. Without a default, so that what was configured before keeps its digest. */
  revisions: optional(oneOfValues('auto', '2026-07-28')),
  approval,
  /** Left out where only its catalogue is asked for (world.md §2.3). */
  tools: optional(MCP_TOOLS),
  snapshot_identity: optional(object({ tool: required(text(512)), field: required(name) })),
  ceilings: defaulted(
    object({
      timeout_ms: ceiling(5000, 1, 300000),
      max_catalog_tools: ceiling(128, 1, 128),
      max_result_bytes: ceiling(1000000, 1, 1048576),
    }),
    EMPTY_OBJECT,
  ),
});

/** Set by the program for every child (documents.md §7, stdio). */
export const RESERVED_VARIABLES: ReadonlySet<string> = new Set([
  'HOME',
  'LC_ALL',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'USER',
]);

/** Rules of a server's tools and transport. */
export function* mcpFaults({
  tools = new Map(),
  transport,
  snapshot_identity: identity,
}: Decoded<typeof mcpFields>): Iterable<SourceFault> {
  yield* toolFaults(tools);
  const readers = [...tools].flatMap(([upstream, { effect }]) => (effect === 'read' ? [upstream] : []));
  const isMapped = identity !== undefined && tools.has(identity.tool);
  if (identity !== undefined && !readers.includes(isMapped ? identity.tool : EVERY_TOOL)) {
    yield {
      rule: 'snapshot_identity_invalid',
      path: '/snapshot_identity/tool',
      ...(readers.length === 0 ? {} : { remedy: insteadOf(identity.tool, readers) }),
    };
  }
  if (transport.type === 'stdio') {
    for (const name of transport.env.keys()) {
      if (RESERVED_VARIABLES.has(name))
        yield { rule: 'reserved_name', path: '/transport/env', keys: ['transport', 'env', name] };
    }
    return;
  }
  yield* addressFaults(transport, '/transport');
}
