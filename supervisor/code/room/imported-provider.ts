import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { Secret } from '../../../contract/provider-protocol/credentials.ts';
import type { ProviderFailure } from '../../../contract/provider-protocol/outcome.ts';
import type { SnapshotFacts } from '../../../contract/provider-protocol/session.ts';
import type { Capability, Withheld } from '../../calls/broker/capability.ts';
import { sha256Hex } from '../../documents/digest.ts';
import type { AcquiredProvider } from '../../providers/source/installed-provider.ts';
import { needsApproval, type ApprovalPolicy } from './approval.ts';

/** What a server is lent with, whatever it offers. */
export interface ImportedTerms {
  readonly alias: string;
  readonly policy: ApprovalPolicy;
  readonly secrets: readonly string[];
  /** Whole names of those tools that programs may call. */
  readonly offered: ReadonlySet<string>;
  /** Whether its trace has the list of its tools, and not the digest of that alone. */
  readonly listsTools: boolean;
}

/** What one run lends. */
export interface SharedServer {
  /** Null while the server is down: its calls are answered so. */
  readonly provider: AcquiredProvider | null;
  /** Why a call of this name may not be made, whatever server it is of. */
  readonly refused: (name: string) => Withheld | null;
}

/** The name of an imported tool: that of its server, and its own. */
export function importedName(alias: string, name: string): string {
  return `${alias}.${name}`;
}

/**
 * An imported server as its run has it: tools under the name of the server, those that may write behind the yes of a
 * person. `known`: as it was when it was open last.
 */
export function importedProvider(
  known: AcquiredProvider,
  { alias, policy, secrets, offered, listsTools }: ImportedTerms,
  { provider, refused }: SharedServer,
): AcquiredProvider {
  const acquiredProvider = provider ?? known;
  return {
    ...acquiredProvider,
    capabilities: acquiredProvider.capabilities.flatMap((capability) => {
      const name = importedName(alias, capability.name);
      if (!offered.has(name)) return [];
      const isAsked = needsApproval({ name, effect: capability.effect }, policy);
      const named: Capability = {
        ...capability,
        name,
        approval: isAsked ? 'writes' : 'never',
        withheld: () => refused(name),
      };
      return provider === null ? downCapability(named) : named;
    }),
    snapshot: listsTools ? acquiredProvider.snapshot : shortSnapshot(acquiredProvider.snapshot),
    secrets: [...(acquiredProvider.secrets ?? []), ...secrets.map((value) => new Secret(value))],
    close: null,
    share: null,
  };
}

const DOWN: ProviderFailure = {
  kind: 'error',
  reason: 'unavailable',
  details: 'the server is down, and is started again',
  retryable: true,
  proof: 'not_dispatched',
  isProtocolFault: false,
  usage: null,
  replayMiss: null,
};

function downCapability(capability: Capability): Capability {
  return {
    ...capability,
    dispatch: () => ({ outcome: Promise.resolve(DOWN), exchanges: () => [], kill: async () => undefined }),
  };
}

/** What a trace says of a server whose list of tools it has no room for (code-mode.md §3). */
export function shortSnapshot(facts: SnapshotFacts<JsonObject>): SnapshotFacts<JsonObject> {
  const tools = facts.acquisition.get('tools');
  if (!isJsonArray(tools)) return facts;
  const hash = sha256Hex(canonicalJson(tools));
  const acquisition = new Map<string, JsonValue>([
    ...[...facts.acquisition].filter(([member]) => member !== 'tools'),
    ['tools_hash', hash],
    ['tool_count', tools.length],
  ]);
  return { ...facts, acquisition };
}
