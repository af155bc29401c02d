import type { HostDocument, InstallationOf } from '../../documents/host/fields.ts';
import type { Acquire, InstalledProvider, LocalCheck } from '../../provider-source/installed-provider.ts';
import { acquireThrough } from '../acquire-through.ts';
import { serverDeclaration, transportOf } from './declaration.ts';
import type { CheckedTransport } from './declaration.ts';
import { releasing } from '../releasing.ts';
import { serverThreads } from './server-threads.ts';

type Installation = InstallationOf<'mcp'>;

/** What a command does with a server: looks at its programs, and opens it (providers.md §7). */
export function serving(installation: Installation, host: HostDocument | null): Pick<InstalledProvider, 'localCheck' | 'acquire'> {
  if (installation.transport.type !== 'stdio') return { localCheck: null, acquire: null };
  const launcher = host?.runtime.stdio_launcher ?? null;
  const { inherit_environment: inherits } = installation.transport;
  let checked: CheckedTransport = { inherited: {}, programs: null };

  const check: LocalCheck['run'] = async ({ tenant, limits, hostDirectory, variable, remainingMs }) => {
    const { checkServer, inheritedEnvironment } = await import('../../../adapters/pool/servers.ts');
    const inherited = inheritedEnvironment(inherits, variable);
    const transport = transportOf(installation, { hostDirectory, launcher }, { inherited, programs: null });
    if (transport === null) return { code: 'adapter_unavailable', hint: null };
    const answer = await serverThreads.use(tenant, (threads) => checkServer(threads, transport, limits.provider_heap_words, AbortSignal.timeout(Math.max(1, Math.floor(remainingMs())))));
    if (remainingMs() <= 0) return 'expired';
    if (!answer.ok) return answer.finding;
    checked = { inherited, programs: answer.programs };
    return 'passed';
  };

  const acquire: Acquire = async (occurrence, tools) => {
    const [{ CLIENT, serverAdapter }, { toolChecks }] = await Promise.all([import('../../../adapters/pool/servers.ts'), import('./tool-checks.ts')]);
    const transport = tools.hostDirectory === null ? null : transportOf(installation, { hostDirectory: tools.hostDirectory, launcher }, checked);
    if (transport === null) return { ok: false, refusal: { code: 'provider_unavailable', tool: null, hasActivity: false } };
    const declaration = serverDeclaration(installation, occurrence.selection, transport);
    const { threads, release } = await serverThreads.take(tools.tenant);
    return acquireThrough(occurrence, tools, { adapter: releasing(serverAdapter(threads, CLIENT), release), declaration, checksOf: toolChecks(tools.tenant) });
  };

  return { localCheck: { reads: 'environment', run: check }, acquire };
}
