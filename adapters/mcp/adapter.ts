import type { JsonText } from '../../contract/json/canonical.ts';
import { valueOf } from '../../contract/json/node.ts';
import { parseJsonText } from '../../contract/json/parse.ts';
import { isJsonObject } from '../../contract/json/value.ts';
import type { CapabilityFacts } from '../../contract/provider-protocol/capability.ts';
import type { Credentials } from '../../contract/provider-protocol/credentials.ts';
import type { AcquisitionAnswer, AcquisitionRequest, ProviderAdapter, ProviderSession } from '../../contract/provider-protocol/session.ts';
import type { StdioTarget } from './connections.ts';
import type { CheckedServer, FoundPrograms, OfferedTool, ServerDeclaration } from './declaration.ts';
import { checkStdio } from './local-check.ts';
import { discover, openServer, refused, stepMs } from './open-server.ts';
import type { OpenServer, ServerTools, Unopened } from './open-server.ts';
import type { ListedTool } from './protocol/catalogue.ts';
import type { ClientInfo } from './protocol/request.ts';
import { callTool, serve } from './serve-call.ts';
import type { Calling } from './serve-call.ts';
import type { ServerServices } from './services.ts';
import { snapshotOf } from './snapshot.ts';
import { childEnvironment } from './stdio/child-environment.ts';
import { isUnchanged } from './stdio/executable.ts';

/** Servers of tools that speak the Model Context Protocol (providers.md §7). */
export function serverAdapter(services: ServerServices, client: ClientInfo): Pick<ProviderAdapter<CheckedServer>, 'acquire'> {
  return {
    acquire: async (request, { credentials, signal }) => {
      const { declaration, limits } = request;
      const workers = services.workers(limits.heapWords);
      const tools: ServerTools = { network: services.network(), workers, client };
      const programs = await foundPrograms(tools, declaration, signal);
      if ('ok' in programs) return programs;
      const server = await openServer(tools, stdioTarget(client, declaration, credentials, programs, stepMs(declaration, limits)));
      if (server === null) return refused('provider_unavailable');
      let isKept = false;
      try {
        const answer = await sessionOf(server, tools, request, programs, signal);
        isKept = answer.ok;
        return answer;
      } finally {
        if (!isKept) await server.close();
      }
    },
  };
}

/** Those of the local check, if they still stand where they stood (providers.md §7.8). */
async function foundPrograms({ workers }: ServerTools, { transport, programs }: CheckedServer, signal: AbortSignal): Promise<FoundPrograms | Unopened> {
  if (programs === null) {
    const checked = await checkStdio(workers, transport, signal);
    return checked.ok ? checked.programs : refused(checked.finding.code === 'environment_unavailable' ? 'environment_unavailable' : 'provider_unavailable');
  }
  const unchanged = await Promise.all([programs.command, ...(programs.launcher === null ? [] : [programs.launcher])].map(isUnchanged));
  return unchanged.includes(false) ? refused('provider_policy_changed') : programs;
}

function stdioTarget(client: ClientInfo, { transport }: CheckedServer, credentials: Credentials, { command, launcher }: FoundPrograms, timeoutMs: number): StdioTarget {
  const bindings = Object.fromEntries([...transport.bindings].map(([variable, name]) => [variable, credentials.get(name)?.reveal() ?? '']));
  return {
    type: 'stdio',
    client,
    command: command.path,
    args: transport.args,
    launcher: launcher?.path ?? null,
    directory: transport.directory,
    environment: childEnvironment(transport.inherited ?? {}, bindings),
    graceMs: transport.graceMs,
    stderrBytes: transport.stderrBytes,
    startTimeoutMs: Math.min(timeoutMs, transport.startTimeoutMs),
  };
}

async function sessionOf(server: OpenServer, tools: ServerTools, request: AcquisitionRequest<CheckedServer>, programs: FoundPrograms, signal: AbortSignal): Promise<AcquisitionAnswer> {
  const { declaration, limits, runRef } = request;
  const wanted = [...declaration.tools, ...(declaration.snapshotIdentity === null ? [] : [declaration.snapshotIdentity.tool])].map(({ upstream }) => upstream);
  const discovered = await discover(server, tools, { wanted, maxTools: declaration.maxCatalogTools, stepMs: stepMs(declaration, limits) }, signal);
  if (!discovered.ok) return discovered;
  const listed = new Map(discovered.catalogue.tools.map((tool) => [tool.upstream, tool]));
  const missing = wanted.find((upstream) => !listed.has(upstream));
  if (missing !== undefined) return refused('provider_tool_missing', missing);
  const offered = declaration.tools.flatMap((declared): OfferedTool[] => {
    const found = listed.get(declared.upstream);
    return found === undefined ? [] : [{ declared, listed: found }];
  });
  const calling: Calling = { server, tools, declaration, runRef };
  const content = await contentIdentity(calling, listed, stepMs(declaration, limits), signal);
  if (content !== null && typeof content !== 'string') return content;
  const byName = new Map(offered.map((tool) => [tool.declared.as, tool]));
  const session: ProviderSession = {
    capabilities: offered.map((tool) => capabilityOf(tool, declaration, limits.argumentBytes)),
    model: null,
    snapshot: snapshotOf(offered, discovered, programs, content),
    hasActivity: true,
    lost: tools.network.lost,
    serve: (call, side) => serve(calling, byName.get(call.name), call, side),
    close: async () => {
      if (!(await server.close())) throw new Error('some process of the server could not be seen dead');
    },
  };
  return { ok: true, session };
}

const NO_ARGUMENTS: JsonText = '{}';

/** Which content the server serves, asked of it once (providers.md §7.6); null where its host document asks for none. */
async function contentIdentity(calling: Calling, listed: ReadonlyMap<string, ListedTool>, timeoutMs: number, signal: AbortSignal): Promise<string | null | Unopened> {
  const { snapshotIdentity } = calling.declaration;
  const found = snapshotIdentity === null ? undefined : listed.get(snapshotIdentity.tool.upstream);
  if (snapshotIdentity === null || found === undefined) return null;
  const { outcome } = await callTool(calling, { declared: snapshotIdentity.tool, listed: found }, NO_ARGUMENTS, timeoutMs, signal);
  if (outcome.kind === 'error' && outcome.details === 'mcp_timeout') return refused('provider_acquisition_timeout');
  const parsed = outcome.kind === 'value' ? parseJsonText(outcome.value, { bytes: Number.MAX_SAFE_INTEGER, depth: 64, nodes: Number.MAX_SAFE_INTEGER }) : null;
  const value = parsed?.ok === true ? valueOf(parsed.root) : null;
  const identity = isJsonObject(value) ? value.get(snapshotIdentity.field) : null;
  return typeof identity === 'string' && /^sha256:[0-9a-f]{64}$/.test(identity) ? identity : refused('provider_protocol_error');
}

function capabilityOf({ declared, listed }: OfferedTool, { timeoutMs, maxResultBytes }: ServerDeclaration, argumentBytes: number): CapabilityFacts<JsonText> {
  return {
    name: declared.as,
    description: declared.description ?? (listed.description === null || listed.description === '' ? declared.as : listed.description),
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
