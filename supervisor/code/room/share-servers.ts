import type { Withheld } from '../../calls/broker/capability.ts';
import type { AcquiredProvider, Occurrence } from '../../providers/source/installed-provider.ts';
import type { SharedProviders } from '../../run/acquisition.ts';
import { CALLED_TOOLS_MAX } from '../../run/open-environments.ts';
import type { ApprovalPolicy } from './approval.ts';
import { importedProvider } from './imported-provider.ts';
import type { OpenedServer } from './room-tools.ts';
import { listedServers } from './snapshot-room.ts';

/** What servers are lent to a run with. */
export interface SharingTerms {
  readonly policy: ApprovalPolicy;
  /** Whole names of imported tools that programs may call. */
  readonly offered: ReadonlySet<string>;
  /** Bytes of one event of its trace. */
  readonly eventBytes: number;
}

/** The servers of a session for one run, which counts the distinct tools that it calls (code-mode.md §3). */
export function shareServers(
  reachable: readonly OpenedServer[],
  { policy, offered, eventBytes }: SharingTerms,
): SharedProviders {
  const refused = distinctTools(CALLED_TOOLS_MAX);
  const listed = listedServers(
    reachable.flatMap(({ process: { alias, provider }, imported }) =>
      provider === null ? [] : [{ alias, snapshot: provider.snapshot, isImported: imported !== null }],
    ),
    eventBytes,
  );
  const found = (occurrence: Occurrence): OpenedServer | undefined =>
    reachable.find((server) => server.occurrence === occurrence);
  return {
    has: (occurrence) => found(occurrence) !== undefined,
    share(occurrence, run) {
      const server = found(occurrence);
      const known = server?.process.provider ?? null;
      if (server === undefined || known === null) return null;
      const isUp = server.process.state.state === 'ready';
      const provider = isUp ? (known.share?.(run) ?? null) : null;
      if (server.imported === null) return provider === null ? 'lost' : ownProvider(provider, refused);
      const { alias, secrets } = server.imported;
      const terms = { alias, policy, secrets, offered, listsTools: listed.has(alias) };
      return importedProvider(known, terms, { provider, refused });
    },
  };
}

/** A tool of the application is found by search as any other; no prompt has it (code-mode.md §4). */
function ownProvider(provider: AcquiredProvider, refused: (name: string) => Withheld | null): AcquiredProvider {
  return {
    ...provider,
    capabilities: provider.capabilities.map((capability) => ({
      ...capability,
      isModelVisible: true,
      withheld: () => capability.withheld?.() ?? refused(capability.name),
    })),
  };
}

/** Refuses calls of any tool beyond the first so many that were called. */
export function distinctTools(most: number): (name: string) => Withheld | null {
  const called = new Set<string>();
  return (name) => {
    if (called.size >= most && !called.has(name))
      return { kind: 'limit_exceeded', reason: 'capability_quota', details: new Map([['limit_value', most]]) };
    called.add(name);
    return null;
  };
}
