import { OAUTH_REMEDIES } from '../../../../contract/diagnostics/remedies/failures.ts';
import { insteadOf } from '../../../../contract/names/suggestion.ts';
import { isReservedName } from '../../../../contract/routes.ts';
import { EVERY_TOOL, kebabName } from '../../../../contract/tool-mapping.ts';
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
import { oauthFault } from '../oauth.ts';
import { ceiling, dataPolicy, name, revision, type SourceFault } from './common.ts';

/** A server of tools. */
export const mcpFields = object({
  source: required(oneOfValues('mcp')),
  installation_revision: revision,
  ...dataPolicy,
  transport: required(MCP_TRANSPORT),
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

/** Fields that the transport itself writes (documents.md §7, streamable_http). */
export const RESERVED_HEADER =
  /^(?:authorization|connection|content-length|content-type|host|proxy-authorization|transfer-encoding|mcp-.*)$/u;

type Tools = NonNullable<Decoded<typeof mcpFields>['tools']>;

/** Every row, but that of every other tool, has a name of its own, written or derived (world.md §2.3). */
function* toolFaults(tools: Tools): Iterable<SourceFault> {
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
    else yield { rule: 'duplicate_tool_name', path: '/tools', keys, remedy: sameName(name, other, upstream) };
  }
}

/** Both names, as the server uses them: the message has place for neither. */
function sameName(name: string, first: string, second: string): string {
  return `${JSON.stringify(first)} and ${JSON.stringify(second)} are both called ${name}: give one of them another "as"`;
}

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
  for (const [index, auth] of transport.auth.entries()) {
    if ('header' in auth && RESERVED_HEADER.test(auth.header.toLowerCase()))
      yield { rule: 'reserved_name', path: `/transport/auth/${index}/header` };
  }
  if (transport.oauth === undefined) return;
  if (transport.auth.length > 0) yield { rule: 'authentication_conflict', path: '/transport/oauth' };
  const fault = oauthFault(transport.oauth, transport.endpoint);
  if (fault === null) return;
  const remedy = OAUTH_REMEDIES[fault];
  yield { rule: 'oauth_invalid', path: `/transport/oauth${fault}`, ...(remedy === undefined ? {} : { remedy }) };
}
