import { canonicalJson } from '../../../contract/json/canonical.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { Secret } from '../../../contract/provider-protocol/credentials.ts';
import type { ProviderFailure } from '../../../contract/provider-protocol/outcome.ts';
import type { SnapshotFacts } from '../../../contract/provider-protocol/session.ts';
import type { Capability, Withheld } from '../../calls/broker/capability.ts';
import { sha256Hex } from '../../documents/digest.ts';
import type { AcquiredProvider } from '../../providers/source/installed-provider.ts';
import { needsApproval, unapproved, type ApprovalPolicy } from './approval.ts';

/** What a server is lent with, whatever it offers. */
export interface ImportedTerms {
  readonly alias: string;
  readonly policy: ApprovalPolicy;
  readonly secrets: readonly string[];
}

/** What one run lends. */
export interface LentRun {
  /** Null while the server is down: its calls are answered so. */
  readonly provider: AcquiredProvider | null;
  /** Why a call of this name may not be made, whatever server it is of. */
  readonly refused: (name: string) => Withheld | null;
}

const NAME_LENGTH_MAX = 128;

/** The name of an imported tool: that of its server, and its own. */
export function importedName(alias: string, name: string): string {
  return `${alias}.${name}`.slice(0, NAME_LENGTH_MAX);
}

/**
 * An imported server as its run has it: tools under the name of the server, those that may write behind the yes of a
 * person. `known`: as it was when it was open last.
 */
export function importedProvider(
  known: AcquiredProvider,
  { alias, policy, secrets }: ImportedTerms,
  { provider, refused }: LentRun,
): AcquiredProvider {
  const given = provider ?? known;
  return {
    ...given,
    capabilities: given.capabilities.map((capability) => {
      const name = importedName(alias, capability.name);
      const isAsked = needsApproval({ name, effect: capability.effect }, policy);
      const named: Capability = {
        ...capability,
        name,
        withheld: () => (isAsked ? unapproved(policy) : refused(name)),
      };
      return provider === null ? downCapability(named) : named;
    }),
    snapshot: boundedSnapshot(given.snapshot),
    secrets: [...(given.secrets ?? []), ...secrets.map((value) => new Secret(value))],
    close: null,
    lend: null,
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

/** Bytes of all snapshots of a trace (evidence.md §3), shared by as many servers as a mission may have. */
const SNAPSHOT_BYTES = 262_144 / 32;

function boundedSnapshot(facts: SnapshotFacts<JsonObject>): SnapshotFacts<JsonObject> {
  const tools = facts.acquisition.get('tools');
  if (!isJsonArray(tools) || Buffer.byteLength(canonicalJson(facts.acquisition)) <= SNAPSHOT_BYTES) return facts;
  const hash = sha256Hex(canonicalJson(tools));
  const acquisition = new Map<string, JsonValue>([
    ...[...facts.acquisition].filter(([member]) => member !== 'tools'),
    ['tools_hash', hash],
    ['tool_count', tools.length],
  ]);
  return { ...facts, acquisition };
}
