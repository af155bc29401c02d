import type { TraceEvent } from '../../../evidence/event.ts';
import type { InspectionRecord } from '../../../evidence/inspection/writer.ts';
import { storedContinuation, type StoredContinuation } from '../continuations/store.ts';
import { openEvaluationLease, type EvaluationLease } from '../lease/evaluation-lease.ts';
import { missionNamed, type KernelOptions } from '../options.ts';
import { limitProofs, type LimitProofs } from '../proofs.ts';
import { openMissionIsolates, type MissionIsolates } from './isolates.ts';
import { producedRecords, type ProducedRecords } from './produced.ts';
import { placeKey, type MissionPlace } from './workspaces.ts';
import { openMissions, stepMissions, type MissionsEvent, type MissionsState } from './state.ts';

/** Why what was started is over. Without a reason node makes an error with its stack. */
const CLOSED = 'closed';

/**
 * Where the programs of a run's missions are evaluated and checked: what there is of it, for the functions that work in
 * it (evaluate-program.ts, check-source.ts).
 */
export interface MissionSession {
  readonly options: KernelOptions;
  /** One evaluation at a time. */
  readonly lease: EvaluationLease;
  readonly isolates: MissionIsolates;
  readonly proofs: LimitProofs;
  readonly produced: ProducedRecords;
  readonly state: () => MissionsState;
  readonly note: (happened: MissionsEvent) => void;
  /** Does work that the end of the run ends, and waits for. */
  readonly during: <T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
  /** Ends what goes on, sees it dead, and ends the isolates. */
  readonly close: () => Promise<void>;
}

export function openMissionSession(options: KernelOptions): MissionSession {
  const { clock, limits, missions, runDeadlineAt } = options;
  const lease = openEvaluationLease(
    {
      evaluations: limits.subordinate_evaluations,
      runDeadlineAt,
      admissionTimeoutMs: limits.evaluation_admission_timeout_ms,
    },
    clock,
  );
  const isolates = openMissionIsolates({
    sandbox: options.sandbox,
    trustDomain: options.missionTrustDomain,
    heapWords: limits.evaluation_heap_words,
    codes: new Map([...missions].map(([name, { code }]) => [name, code])),
  });
  let state = openMissions({
    memoryBytes: limits.evaluation_memory_bytes,
    historyBytes: limits.evaluation_history_bytes,
  });
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  const note = (happened: MissionsEvent): void => {
    state = stepMissions(state, happened);
  };
  return {
    options,
    lease,
    isolates,
    proofs: limitProofs(options.random),
    produced: producedRecords(),
    state: () => state,
    note,
    async during(signal, work) {
      const doing = work(AbortSignal.any([signal, closing.signal]));
      running.add(doing);
      try {
        return await doing;
      } finally {
        running.delete(doing);
      }
    },
    async close() {
      note({ event: 'closed' });
      lease.close();
      closing.abort(CLOSED);
      await Promise.allSettled(running);
      await isolates.close();
    },
  };
}

export function storedIn({ state }: MissionSession, place: MissionPlace): StoredContinuation {
  return storedContinuation(state().continuations, placeKey(place));
}

/** Whether a loop works in the workspace of a place, where it is in one. */
export function isOpen({ state }: MissionSession, { workspace }: MissionPlace): boolean {
  return workspace === null || state().workspaces.open.has(workspace);
}

/** JSON texts of what programs in a place see as `data/<name>`; the data of a loop hides those of its mission. */
export function grantedData({ options, state }: MissionSession, { mission, workspace }: MissionPlace) {
  const own = workspace === null ? undefined : state().workspaces.open.get(workspace);
  return { ...missionNamed(options.missions, mission).data, ...own?.data };
}

/** Whether the event was taken, and every one before it. */
export function recordEvent({ options: { evidence }, note, state }: MissionSession, event: TraceEvent): boolean {
  if (evidence.event(event) === 'refused') note({ event: 'event_refused' });
  return state().isEventSinkUsable;
}

/** Whether the record was taken; where none are kept, each is. */
export async function recordEvidence(
  { options: { evidence } }: MissionSession,
  record: () => InspectionRecord,
): Promise<boolean> {
  return !evidence.keepsRecords || evidence.record(record());
}
