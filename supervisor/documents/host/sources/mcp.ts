import { insteadOf } from '../../../../contract/names/suggestion.ts';
import { isReservedName } from '../../../../contract/routes.ts';
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
import { ceiling, dataPolicy, name, revision, type SourceFault } from './common.ts';
import { addressFaults } from './http-address.ts';

/** A server of tools. */
export const mcpFields = object({
  source: required(oneOfValues('mcp')),
  installation_revision: revision,
  ...dataPolicy,
  transport: required(MCP_TRANSPORT),
  tools: required(MCP_TOOLS),
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
const RESERVED_VARIABLES: ReadonlySet<string> = new Set(['HOME', 'LC_ALL', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER']);

/** Rules of a server's tools and transport. */
export function* mcpFaults({
  tools,
  transport,
  snapshot_identity: identity,
}: Decoded<typeof mcpFields>): Iterable<SourceFault> {
  const names = [...tools].map(([upstream, tool]) => ({ name: tool.as, keys: ['tools', upstream, 'as'] }));
  for (const { name, keys } of names) {
    if (isReservedName(name)) yield { rule: 'reserved_name', path: '/tools', keys };
  }
  for (const [index, { name, keys }] of names.entries()) {
    if (names.findIndex((other) => other.name === name) < index)
      yield { rule: 'duplicate_tool_name', path: '/tools', keys };
  }
  const readers = [...tools].flatMap(([upstream, { effect }]) => (effect === 'read' ? [upstream] : []));
  if (identity !== undefined && !readers.includes(identity.tool)) {
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
