import type { HostDocument, InstallationOf } from '../../documents/host/fields.ts';
import type { Acquire, InstalledProvider, LocalCheck, Occurrence } from '../../provider-source/installed-provider.ts';
import { acquireThrough } from '../acquire-through.ts';
import { httpOf, serverDeclaration, stdioOf } from './declaration.ts';
import type { CheckedTransport } from './declaration.ts';
import { releasing } from '../releasing.ts';
import { serverThreads } from './server-threads.ts';

type Installation = InstallationOf<'mcp'>;
type Serving = Pick<InstalledProvider, 'localCheck' | 'acquire'>;
type Tools = Parameters<Acquire>[1];

/** What a command does with a server: looks at its programs, if it has any, and opens it (providers.md §7). */
export function serving(installation: Installation, host: HostDocument | null): Serving {
  const { transport } = installation;
  if (transport.type === 'stdio') return servingChild(installation, transport, host?.runtime.stdio_launcher ?? null);
  // Nobody can authorise one yet.
  if (transport.oauth !== undefined) return { localCheck: null, acquire: null };
  return { localCheck: null, acquire: (occurrence, tools) => acquireServer(installation, httpOf(transport), occurrence, tools) };
}

function servingChild(installation: Installation, declared: Extract<Installation['transport'], { readonly type: 'stdio' }>, launcher: string | null): Serving {
  let checked: CheckedTransport = { inherited: {}, programs: null };

  const check: LocalCheck['run'] = async ({ tenant, limits, hostDirectory, variable, remainingMs }) => {
    const { checkServer, inheritedEnvironment } = await import('../../../adapters/pool/servers.ts');
    const inherited = inheritedEnvironment(declared.inherit_environment, variable);
    const transport = stdioOf(declared, { hostDirectory, launcher }, { inherited, programs: null });
    const answer = await serverThreads.use(tenant, (threads) => checkServer(threads, transport, limits.provider_heap_words, AbortSignal.timeout(Math.max(1, Math.floor(remainingMs())))));
    if (remainingMs() <= 0) return 'expired';
    if (!answer.ok) return answer.finding;
    checked = { inherited, programs: answer.programs };
    return 'passed';
  };

  const acquire: Acquire = async (occurrence, tools) => {
    if (tools.hostDirectory === null) return { ok: false, refusal: { code: 'provider_unavailable', tool: null, hasActivity: false } };
    return acquireServer(installation, stdioOf(declared, { hostDirectory: tools.hostDirectory, launcher }, checked), occurrence, tools);
  };

  return { localCheck: { reads: 'environment', run: check }, acquire };
}

async function acquireServer(installation: Installation, transport: Parameters<typeof serverDeclaration>[2], occurrence: Occurrence, tools: Tools): ReturnType<Acquire> {
  const [{ CLIENT, serverAdapter }, { toolChecks }] = await Promise.all([import('../../../adapters/pool/servers.ts'), import('./tool-checks.ts')]);
  const declaration = serverDeclaration(installation, occurrence.selection, transport);
  const { threads, release } = await serverThreads.take(tools.tenant);
  return acquireThrough(occurrence, tools, { adapter: releasing(serverAdapter(threads, CLIENT), release), declaration, checksOf: toolChecks(tools.tenant) });
}
