/**
 * What the missions of one run keep between evaluations (runtime.md §4, "Continuation") as a pure state machine. A
 * refused commit leaves everything as it was, byte for byte.
 */

/** A mission's definitions and history as the guest wrote them down, with their retained sizes (language.md §12). */
export interface Continuation {
  /** Texts that are opaque to all but the guest; the history newest first. */
  readonly definitions: string;
  readonly history: readonly string[];
  readonly definedCount: number;
  /** UTF-8 bytes of all definitions. */
  readonly memoryBytes: number;
  /** UTF-8 bytes of the whole history, and of its largest value alone. */
  readonly historyBytes: number;
  readonly largestHistoryBytes: number;
}

export interface StoredContinuation {
  /** Null until something was committed. */
  readonly continuation: Continuation | null;
  /** Commits so far. */
  readonly revision: number;
}

export interface ContinuationLimits {
  /** `evaluation_memory_bytes`, over all missions. */
  readonly memoryBytes: number;
  /** `evaluation_history_bytes`, over all missions and for each value. */
  readonly historyBytes: number;
}

export interface ContinuationState {
  readonly limits: ContinuationLimits;
  /** By mission, or by place (missions/workspaces.ts). */
  readonly missions: ReadonlyMap<string, StoredContinuation>;
  /** Those that nothing goes on from: they are kept for the record of usage while nobody needs their room. */
  readonly ended: ReadonlySet<string>;
}

/** The state of the run in the instant of a commit. */
export interface CommitCircumstances {
  readonly runClosed: boolean;
  readonly now: number;
  readonly runDeadlineAt: number;
  /** Whether the event sink takes what it must take. */
  readonly sinkUsable: boolean;
}

export interface CommitRequest {
  readonly mission: string;
  /** Revision from which the evaluation went on. */
  readonly from: number;
  readonly continuation: Continuation | SizeRefusal;
  readonly circumstances: CommitCircumstances;
}

/** Also what a guest says that wrote nothing down, because it would have been too large. */
export type SizeRefusal = 'memory_exceeded' | 'history_exceeded';

export type CommitRefusal =
  | 'run_closed'
  | 'deadline_expired'
  | 'event_sink_error'
  | 'continuation_changed'
  | SizeRefusal;

export type Commit =
  | { readonly state: ContinuationState; readonly refusal: null }
  | { readonly state: ContinuationState; readonly refusal: CommitRefusal };

const NOTHING_COMMITTED: StoredContinuation = { continuation: null, revision: 0 };

export function openContinuations(limits: ContinuationLimits): ContinuationState {
  return { limits, missions: new Map(), ended: new Set() };
}

export function storedContinuation({ missions }: ContinuationState, mission: string): StoredContinuation {
  return missions.get(mission) ?? NOTHING_COMMITTED;
}

/** The checks of a commit in the order of runtime.md §4; exactly at a limit passes. */
export function commitContinuation(state: ContinuationState, request: CommitRequest): Commit {
  const { mission, continuation, from } = request;
  const refusal = refusalOf(state, request);
  if (refusal !== null) return { state, refusal };
  if (typeof continuation === 'string') return { state, refusal: continuation };
  const missions = new Map(state.missions).set(mission, { continuation, revision: from + 1 });
  return { state: withinLimits({ ...state, missions }), refusal: null };
}

/** The state once nothing goes on from some of its continuations. */
export function endContinuations(state: ContinuationState, isOver: (key: string) => boolean): ContinuationState {
  return { ...state, ended: new Set([...state.ended, ...[...state.missions.keys()].filter(isOver)]) };
}

/** Without the ended ones where they and the others together would be more than the limits. */
function withinLimits(state: ContinuationState): ContinuationState {
  const all = [...state.missions.values()].map(({ continuation }) => continuation);
  const isWithin =
    total(all, 'memoryBytes') <= state.limits.memoryBytes && total(all, 'historyBytes') <= state.limits.historyBytes;
  if (isWithin) return state;
  return {
    ...state,
    missions: new Map([...state.missions].filter(([key]) => !state.ended.has(key))),
    ended: new Set(),
  };
}

function refusalOf(
  state: ContinuationState,
  { mission, from, continuation, circumstances }: CommitRequest,
): CommitRefusal | null {
  const { runClosed, now, runDeadlineAt, sinkUsable } = circumstances;
  const { limits } = state;
  if (runClosed) return 'run_closed';
  if (now >= runDeadlineAt) return 'deadline_expired';
  if (!sinkUsable) return 'event_sink_error';
  if (storedContinuation(state, mission).revision !== from) return 'continuation_changed';
  if (typeof continuation === 'string') return null;
  const left = sharesLeft(state, mission);
  if (continuation.memoryBytes > left.memoryBytes) return 'memory_exceeded';
  const isHistoryOver =
    continuation.largestHistoryBytes > limits.historyBytes || continuation.historyBytes > left.historyBytes;
  return isHistoryOver ? 'history_exceeded' : null;
}

/** What the limits leave to one mission beside all others. */
export function sharesLeft({ limits, missions, ended }: ContinuationState, mission: string): ContinuationLimits {
  const others = [...missions]
    .filter(([name]) => name !== mission && !ended.has(name))
    .map(([, stored]) => stored.continuation);
  return {
    memoryBytes: limits.memoryBytes - total(others, 'memoryBytes'),
    historyBytes: limits.historyBytes - total(others, 'historyBytes'),
  };
}

function total(continuations: readonly (Continuation | null)[], size: 'memoryBytes' | 'historyBytes'): number {
  return continuations.reduce((sum, continuation) => sum + (continuation?.[size] ?? 0), 0);
}
