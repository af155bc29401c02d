import type { JsonText } from '../../contract/json/canonical.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import { mappingFaultWords, mapTools, type MappedTools, type ToolMapping } from '../../contract/tool-mapping.ts';
import type { CapabilityFacts } from '../../contract/provider-protocol/capability.ts';
import {
  closesNothing,
  type AcquisitionAnswer,
  type AcquisitionRequest,
  type ProviderAdapter,
  type ProviderSession,
} from '../../contract/provider-protocol/session.ts';
import type { OfferedTool, ServerDeclaration, StdioDeclaration, WantedTools } from './declaration.ts';
import { checkStdio, type LocalAnswer } from './local-check.ts';
import { openPrepared, type OpenedServer } from './open-prepared.ts';
import { discover, type Discovered } from './discover-server.ts';
import { admittedValue } from './protocol/admitted-text.ts';
import type { ListedTool } from './protocol/catalogue.ts';
import { catalogueBounds } from './protocol/catalogue-pages.ts';
import type { ClientInfo } from './protocol/request.ts';
import { callTool, serve, type Calling } from './serve-call.ts';
import type { ServerServices } from './services.ts';
import { snapshotOf } from './snapshot.ts';
import { acquisitionCode } from './transport-failure.ts';
import { refused, type Unopened } from './refused.ts';

/** What `checkStdio` finds, in a worker with a heap of so many words. */
export function checkServer(
  services: ServerServices,
  transport: StdioDeclaration,
  heapWords: number,
  signal: AbortSignal,
): Promise<LocalAnswer> {
  return checkStdio(services.workers(heapWords), transport, signal);
}

/** Servers of tools that speak the Model Context Protocol (providers.md §7). */
export function serverAdapter(
  services: ServerServices,
  client: ClientInfo,
): Pick<ProviderAdapter<ServerDeclaration>, 'acquire'> {
  return {
    acquire: async (request, context) => {
      const opened = await openPrepared(services, client, request, context);
      if (!opened.ok) return opened;
      let isStored = false;
      try {
        const answer = await openSession(opened, request, context.signal);
        isStored = answer.ok;
        return answer;
      } finally {
        if (!isStored) await opened.server.close();
      }
    },
  };
}

async function openSession(
  { server: opened, tools, prepared, step }: OpenedServer,
  request: AcquisitionRequest<ServerDeclaration>,
  signal: AbortSignal,
): Promise<AcquisitionAnswer> {
  const { declaration, limits, traceId } = request;
  const identity = declaration.snapshotIdentity?.tool.upstream ?? null;
  const wanted: WantedTools = { mapping: declaration.tools, identity, leavesOut: declaration.isImported };
  const discovered = await discover(
    opened,
    tools,
    { revisions: declaration.revisions, wanted, bounds: catalogueBounds(declaration), step },
    signal,
  );
  if (!discovered.ok) return discovered;
  const { server } = discovered;
  const listed = new Map(discovered.catalogue.tools.map((tool) => [tool.upstream, tool]));
  const mapped = mapListed(declaration.tools, discovered.catalogue);
  if (!mapped.ok) return mapped;
  if (identity !== null && !listed.has(identity)) return refused('provider_tool_missing', identity);
  const offered = mapped.tools.flatMap((declared): OfferedTool[] => {
    const found = listed.get(declared.upstream);
    return found === undefined ? [] : [{ declared, listed: found }];
  });
  const calling: Calling = { server, tools, declaration, traceId };
  const content = await readContentIdentity(calling, listed, step.ms, signal);
  if (content !== null && typeof content !== 'string') return content;
  const byName = new Map(offered.map((tool) => [tool.declared.as, tool]));
  const session: ProviderSession = {
    capabilities: offered.map((tool) => capabilityOf(tool, declaration, limits.argumentBytes)),
    model: null,
    snapshot: snapshotOf(offered, discovered, prepared, content),
    leftOut: mapped.leftOut + discovered.catalogue.leftOut,
    hasActivity: true,
    lost: server.lost,
    ended: server.ended(),
    serve: (call, side) => serve(calling, byName.get(call.name), call, side),
    share: (run) => ({
      ...session,
      serve: (call, side) => serve({ ...calling, traceId: run.traceId }, byName.get(call.name), call, side),
      close: closesNothing,
    }),
    close: async () => {
      if (!(await server.close())) throw new Error('some process of the server could not be seen dead');
    },
  };
  return { ok: true, session };
}

/** Every name counts, also of tools that were not read. A collision names both tools. */
function mapListed(mapping: ToolMapping, { names, tools }: Discovered['catalogue']): MappedTools | Unopened {
  const readOnly = new Set(tools.filter(({ isReadOnly }) => isReadOnly).map(({ upstream }) => upstream));
  const mapped = mapTools(
    mapping,
    names.map((upstream) => ({ upstream, isReadOnly: readOnly.has(upstream) })),
  );
  if (mapped.ok) return mapped;
  const { fault } = mapped;
  return fault.kind === 'missing'
    ? refused('provider_tool_missing', fault.name)
    : refused('provider_protocol_error', null, { said: mappingFaultWords(fault) });
}

/** Before any call of a program, so that no call of one has its number. */
const IDENTITY_CALL = { capabilityId: 'capability-0', arguments: '{}' } as const;

/**
 * Which content the server serves, asked of it once (providers.md §7.6); null where its host document asks for none.
 */
async function readContentIdentity(
  calling: Calling,
  listed: ReadonlyMap<string, ListedTool>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string | null | Unopened> {
  const { snapshotIdentity } = calling.declaration;
  const found = snapshotIdentity === null ? undefined : listed.get(snapshotIdentity.tool.upstream);
  if (snapshotIdentity === null || found === undefined) return null;
  const { outcome, fault, words } = await callTool(
    calling,
    { declared: snapshotIdentity.tool, listed: found },
    IDENTITY_CALL,
    timeoutMs,
    signal,
  );
  if (fault !== null) return refused(acquisitionCode(fault), null, words);
  if (outcome.kind === 'fault') return refused('provider_unavailable');
  const value = outcome.kind === 'value' ? admittedValue(outcome.value) : null;
  const identity = isJsonObject(value) ? value.get(snapshotIdentity.field) : null;
  return typeof identity === 'string' && /^sha256:[0-9a-f]{64}$/.test(identity)
    ? identity
    : refused('provider_protocol_error');
}

function capabilityOf(
  { declared, listed }: OfferedTool,
  { timeoutMs, maxResultBytes, isImported }: ServerDeclaration,
  argumentBytes: number,
): CapabilityFacts<JsonText> {
  return {
    name: declared.as,
    ...(isImported && { upstreamName: declared.upstream }),
    description:
      declared.description ??
      (listed.description === null || listed.description === '' ? declared.as : listed.description),
    effect: declared.effect,
    isModelVisible: declared.isModelVisible,
    inputSchema: listed.inputSchema,
    outputSchema: listed.outputSchema,
    timeoutMs,
    argumentBytes,
    resultBytes: maxResultBytes,
    inspectionCapture: declared.inspectionCapture,
  };
}
