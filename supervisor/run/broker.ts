import type { CapabilityCall } from '../../contract/sandbox-protocol.ts';

/** What the workflow may call while it runs, and what was counted of it. */
export interface WorkflowBroker {
  /** Names callable as `tool/<name>`. */
  readonly tools: readonly string[];
  /** JSON text in, JSON text out; answers every call, failures included. */
  call(call: CapabilityCall): Promise<string>;
  /**
   * Ends the run for everything that calls: grants nothing more, cancels what is in flight, sees it dead, settles it;
   * then the counts are final (runtime.md §10). A second call answers the same.
   */
  close(): Promise<BrokerCounts>;
}

/** Counters of the ledger that the usage record shows (runtime.md §11). */
export interface BrokerCounts {
  /** `workflow/<name>` or `mission/<name>` to granted reservations. */
  readonly capabilityCalls: Readonly<Record<string, number>>;
  readonly evaluationsByMission: Readonly<Record<string, number>>;
  readonly protocolErrors: number;
  readonly agentProtocolErrors: number;
  readonly sourceChecks: number;
  readonly capabilityRefusals: Readonly<Record<string, number>>;
  readonly capabilityDenials: Readonly<Record<string, number>>;
  readonly memories: readonly MissionMemory[];
  /** Whether any provider callback may have run. */
  readonly providerActivity: boolean;
}

/** Retained sizes of one mission's continuation (runtime.md §11, evaluation_memory). */
export interface MissionMemory {
  readonly defined_count: number;
  readonly history_count: number;
  readonly memory_bytes: number;
  readonly history_bytes: number;
}

/** The broker of a run that was granted nothing. */
export function emptyBroker(): WorkflowBroker {
  return {
    tools: [],
    call: async ({ name }) => {
      throw new Error(`a run without capabilities was asked for ${name}`);
    },
    close: async () => ({
      capabilityCalls: {},
      evaluationsByMission: {},
      protocolErrors: 0,
      agentProtocolErrors: 0,
      sourceChecks: 0,
      capabilityRefusals: {},
      capabilityDenials: {},
      memories: [],
      providerActivity: false,
    }),
  };
}
