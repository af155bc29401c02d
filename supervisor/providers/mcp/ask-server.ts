import type { ServerThreads } from '../../../adapters/pool/servers.ts';
import type { Network } from '../../../contract/provider-protocol/network.ts';
import type { HostDocument, InstallationOf } from '../../documents/host/fields.ts';
import type { Acquire, AcquisitionTools, ListCatalogue, Occurrence } from '../source/installed-provider.ts';
import { acquireThrough, makeAcquisitionRequest } from '../acquire-through.ts';
import { parsedText } from '../adapter-json.ts';
import { networkOf } from '../network.ts';
import { releasing } from '../releasing.ts';
import { inStore } from './authorisable.ts';
import { serverDeclaration } from './declaration.ts';
import { serverThreads } from './server-threads.ts';

type Installation = InstallationOf<'mcp'>;
/** How a server is reached, as its adapter gets it. */
export type ServerTransport = Parameters<typeof serverDeclaration>[2];

/** Opens a server for a run (providers.md §3, stage 6). */
export async function acquireServer(
  installation: Installation,
  transport: ServerTransport,
  occurrence: Occurrence,
  tools: AcquisitionTools,
  host: HostDocument | null,
): ReturnType<Acquire> {
  const [{ CLIENT, serverAdapter }, { toolChecks }] = await Promise.all([
    import('../../../adapters/pool/servers.ts'),
    import('./tool-checks.ts'),
  ]);
  const network = await networkOf(host, tools);
  const { threads, release } = await serverThreads.take(tools.tenant);
  const declaration = serverDeclaration(
    installation,
    occurrence.selection,
    granted(transport, network, threads, tools.grants),
  );
  return acquireThrough(occurrence, tools, {
    adapter: releasing(serverAdapter(threads, CLIENT), release),
    declaration,
    checksOf: toolChecks(tools.tenant),
    network,
  });
}

function granted(
  transport: ServerTransport,
  network: Network,
  threads: ServerThreads,
  grants: AcquisitionTools['grants'],
): ServerTransport {
  if (transport.type === 'stdio' || transport.oauth === null) return transport;
  return { ...transport, oauth: inStore({ ...transport.oauth, network }, threads, grants) };
}

/** Levels of a schema that the adapter admitted. */
const SCHEMA_DEPTH = 64;

/** Everything that a server offers (providers.md §13). */
export async function fetchCatalogue(
  installation: Installation,
  transport: ServerTransport,
  occurrence: Occurrence,
  tools: AcquisitionTools,
  host: HostDocument | null,
): ReturnType<ListCatalogue> {
  const { CLIENT, listTools } = await import('../../../adapters/pool/servers.ts');
  const network = await networkOf(host, tools);
  const listed = await serverThreads.use(tools.tenant, (threads) => {
    const request = makeAcquisitionRequest(
      occurrence,
      tools,
      serverDeclaration(installation, occurrence.selection, granted(transport, network, threads, tools.grants)),
    );
    // No evaluation bounds it.
    const limits = { ...request.limits, evaluationTimeoutMs: installation.ceilings.timeout_ms };
    return listTools(threads, CLIENT, { ...request, limits }, { ...tools, network });
  });
  if (!listed.ok) return listed;
  const described = listed.tools.map(({ upstream, description, inputSchema, outputSchema, isReadOnly }) => ({
    name: upstream,
    description,
    inputSchema: parsedText(inputSchema, SCHEMA_DEPTH) ?? null,
    outputSchema: outputSchema === null ? null : (parsedText(outputSchema, SCHEMA_DEPTH) ?? null),
    isReadOnly,
    isCallable: true,
  }));
  return { ok: true, catalogue: { tools: described, pages: listed.pages, isReleased: listed.isReleased } };
}
