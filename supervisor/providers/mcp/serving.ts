import type { HostDocument, InstallationOf } from '../../documents/host/fields.ts';
import type { AcquisitionTools, InstalledProvider, LocalCheck } from '../source/installed-provider.ts';
import { authorisable } from './authorisable.ts';
import { acquireServer, fetchCatalogue, type ServerTransport } from './ask-server.ts';
import { httpOf, ownedOAuth, stdioOf, type CheckedTransport } from './declaration.ts';
import { acquireCatalogue } from './workflow-catalogue.ts';
import { checkWay } from '../network.ts';
import { serverThreads } from './server-threads.ts';

type Installation = InstallationOf<'mcp'>;
type Serving = Pick<InstalledProvider, 'localCheck' | 'acquire' | 'catalogue' | 'authorisable'>;

/** What a command does with a server: looks at its programs, if it has any, and opens it (providers.md §7). */
export function serving(installation: Installation, host: HostDocument | null): Serving {
  const { transport } = installation;
  const oauth = transport.type === 'stdio' ? undefined : transport.oauth;
  if (transport.type === 'stdio') return servingChild(installation, transport, host?.runtime.stdio_launcher ?? null);
  const check = checkWay(host);
  return {
    localCheck: check === null ? null : { reads: 'environment', run: check },
    ...asking(installation, host, ({ tenant, runRef, grants }) =>
      httpOf(transport, { tenant, principal: grants?.principal ?? runRef }),
    ),
    authorisable: oauth === undefined ? null : authorisable((owner) => ownedOAuth(oauth, transport.endpoint, owner)),
  };
}

function servingChild(
  installation: Installation,
  declared: Extract<Installation['transport'], { readonly type: 'stdio' }>,
  launcher: string | null,
): Serving {
  let checked: CheckedTransport = { inherited: {}, programs: null };

  const check: LocalCheck['run'] = async ({ tenant, limits, hostDirectory, variable, budget, signal }) => {
    const { checkServer, inheritedEnvironment } = await import('../../../adapters/pool/servers.ts');
    const inherited = inheritedEnvironment(declared.inherit_environment, variable);
    const transport = stdioOf(declared, { hostDirectory, launcher }, { inherited, programs: null });
    const answer = await serverThreads.use(tenant, (threads) =>
      checkServer(threads, transport, limits.provider_heap_words, signal),
    );
    budget.spend(answer.processorMs);
    if (!answer.ok) return answer.finding;
    checked = { inherited, programs: answer.programs };
    return 'passed';
  };

  const transportOf = ({ hostDirectory }: AcquisitionTools): ServerTransport | null =>
    hostDirectory === null ? null : stdioOf(declared, { hostDirectory, launcher }, checked);
  return {
    localCheck: { reads: 'environment', run: check },
    ...asking(installation, null, transportOf),
    authorisable: null,
  };
}

/** Of a server that is next to no host document. */
const UNREACHABLE = { ok: false, refusal: { code: 'provider_unavailable', tool: null, hasActivity: false } } as const;

function asking(
  installation: Installation,
  host: HostDocument | null,
  transportOf: (tools: AcquisitionTools) => ServerTransport | null,
): Pick<Serving, 'acquire' | 'catalogue'> {
  return {
    acquire: async (occurrence, tools) => {
      const transport = transportOf(tools);
      if (transport === null) return UNREACHABLE;
      const acquire = occurrence.selection['catalog'] === true ? acquireCatalogue : acquireServer;
      return acquire(installation, transport, occurrence, tools, host);
    },
    catalogue: async (occurrence, tools) => {
      const transport = transportOf(tools);
      return transport === null ? UNREACHABLE : fetchCatalogue(installation, transport, occurrence, tools, host);
    },
  };
}
