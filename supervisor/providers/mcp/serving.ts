import type { HostDocument, InstallationOf } from '../../documents/host/fields.ts';
import type { Acquire, InstalledProvider, ListCatalogue, LocalCheck } from '../../provider-source/installed-provider.ts';
import { acquireThrough, acquisitionRequest } from '../acquire-through.ts';
import { parsedText } from '../adapter-json.ts';
import { serverDeclaration, transportOf } from './declaration.ts';
import type { CheckedTransport } from './declaration.ts';
import { serverThreadsOf } from './server-threads.ts';

type Installation = InstallationOf<'mcp'>;

/** Levels of a schema that the adapter admitted. */
const SCHEMA_DEPTH = 64;
/** Of a server that stands beside no host document. */
const UNREACHABLE = { ok: false, refusal: { code: 'provider_unavailable', tool: null, hasActivity: false } } as const;

/** What a command does with a server: looks at its programs, and opens it (providers.md §7). */
export function serving(installation: Installation, host: HostDocument | null): Pick<InstalledProvider, 'localCheck' | 'acquire' | 'catalogue'> {
  if (installation.transport.type !== 'stdio') return { localCheck: null, acquire: null, catalogue: null };
  const launcher = host?.runtime.stdio_launcher ?? null;
  const { inherit_environment: inherits } = installation.transport;
  let checked: CheckedTransport = { inherited: {}, programs: null };

  const check: LocalCheck['run'] = async ({ tenant, limits, hostDirectory, variable, remainingMs }) => {
    const [threads, { checkServer, inheritedEnvironment }] = await Promise.all([serverThreadsOf(tenant), import('../../../adapters/pool/servers.ts')]);
    const inherited = inheritedEnvironment(inherits, variable);
    const transport = transportOf(installation, { hostDirectory, launcher }, { inherited, programs: null });
    if (transport === null) return { code: 'adapter_unavailable', hint: null };
    const answer = await checkServer(threads, transport, limits.provider_heap_words, AbortSignal.timeout(Math.max(1, Math.floor(remainingMs()))));
    if (remainingMs() <= 0) return 'expired';
    if (!answer.ok) return answer.finding;
    checked = { inherited, programs: answer.programs };
    return 'passed';
  };

  const acquire: Acquire = async (occurrence, tools) => {
    const [threads, { CLIENT, serverAdapter }, { toolChecks }] = await Promise.all([serverThreadsOf(tools.tenant), import('../../../adapters/pool/servers.ts'), import('./tool-checks.ts')]);
    const transport = tools.hostDirectory === null ? null : transportOf(installation, { hostDirectory: tools.hostDirectory, launcher }, checked);
    if (transport === null) return UNREACHABLE;
    const declaration = serverDeclaration(installation, occurrence.selection, transport);
    return acquireThrough(occurrence, tools, { adapter: serverAdapter(threads, CLIENT), declaration, checksOf: toolChecks(tools.tenant) });
  };

  const catalogue: ListCatalogue = async (occurrence, tools) => {
    const [threads, { CLIENT, listTools }] = await Promise.all([serverThreadsOf(tools.tenant), import('../../../adapters/pool/servers.ts')]);
    const transport = tools.hostDirectory === null ? null : transportOf(installation, { hostDirectory: tools.hostDirectory, launcher }, checked);
    if (transport === null) return UNREACHABLE;
    const request = acquisitionRequest(occurrence, tools, serverDeclaration(installation, occurrence.selection, transport));
    // No evaluation bounds it (providers.md §13).
    const limits = { ...request.limits, evaluationTimeoutMs: installation.ceilings.timeout_ms };
    const listed = await listTools(threads, CLIENT, { ...request, limits }, tools);
    if (!listed.ok) return listed;
    const described = listed.tools.map(({ upstream, description, inputSchema, outputSchema }) => ({
      name: upstream,
      description,
      inputSchema: parsedText(inputSchema, SCHEMA_DEPTH) ?? null,
      outputSchema: outputSchema === null ? null : (parsedText(outputSchema, SCHEMA_DEPTH) ?? null),
    }));
    return { ok: true, catalogue: { tools: described, pages: listed.pages, isReleased: listed.isReleased } };
  };

  return { localCheck: { reads: 'environment', run: check }, acquire, catalogue };
}
