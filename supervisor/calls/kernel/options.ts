import type { EffectiveLimits } from '../../../contract/limits/effective.ts';
import type { JsonObject } from '../../../contract/json/value.ts';
import type { Sandbox } from '../../../sandbox/pool/interface.ts';
import type { Broker } from '../broker/broker-interface.ts';
import type { RecordedFailures } from '../broker/provider-failures.ts';
import type { Contracts } from '../../documents/contracts/load.ts';
import type { RunClock } from '../../platform/run-clock/run-clock.ts';
import type { TraceEvent } from '../../evidence/event.ts';
import type { StartedProgram } from '../../evidence/live/observer.ts';
import type { InspectionRecord } from '../../evidence/inspection/writer.ts';

/** One mission, frozen (runtime.md §4). */
export interface KernelMission {
  /** Its compiled bundle; null without components. */
  readonly code: string | null;
  /** Names callable in it as `tool/<name>`, as the broker grants them. */
  readonly tools: readonly string[];
  /** JSON text of each granted `data/<name>`. */
  readonly data: Readonly<Record<string, string>>;
  /** The two frozen texts. */
  readonly inventory: string;
  readonly modelContext: string;
  /** The second with the data of a loop beside that of the mission; null where that would be too large to be shown. */
  readonly modelContextWith: (data: JsonObject) => string | null;
}

/** Where the kernel says what it does. */
export interface KernelEvidence {
  /** `refused`: what it would record must not happen (evidence.md §4). */
  event(event: TraceEvent): 'accepted' | 'refused';
  /** False: as above. */
  record(record: InspectionRecord): Promise<boolean>;
  /** Whether private records are kept at all. */
  readonly keepsRecords: boolean;
}

export interface KernelOptions {
  readonly sandbox: Sandbox;
  readonly clock: RunClock;
  readonly limits: EffectiveLimits;
  /** No isolate of another run, nor of the workflow, shares a process with those of this domain. */
  readonly missionTrustDomain: string;
  /** The run's deadline, milliseconds of its monotonic clock. */
  readonly runDeadlineAt: number;
  readonly missions: ReadonlyMap<string, KernelMission>;
  readonly contracts: Pick<Contracts, 'result' | 'phaseReturns'>;
  readonly evidence: KernelEvidence;
  readonly broker: Pick<Broker, 'open' | 'denied'>;
  /** What the broker saw of model providers. */
  readonly providerFailures: Pick<RecordedFailures, 'consume' | 'isReplayMiss'>;
  /** Fills with bytes that nobody can guess. */
  readonly random: (bytes: Uint8Array) => void;
  /** Called with a program that is about to run in a mission, for people who watch. Absent: nobody does. */
  readonly onProgram?: (program: StartedProgram) => void;
}

/** A mission whose name was checked to be declared. */
export function missionNamed(missions: KernelOptions['missions'], name: string): KernelMission {
  const known = missions.get(name);
  if (known === undefined) throw new Error('the name of a mission is checked before it is used');
  return known;
}
