import type { EvaluationError } from '../../../../contract/envelope/execution.ts';
import type { KernelCounts, MissionMemory } from '../counts.ts';
import {
  endContinuations,
  openContinuations,
  type Continuation,
  type ContinuationLimits,
  type ContinuationState,
  type StoredContinuation,
} from '../continuations/store.ts';
import {
  isIn,
  missionOfKey,
  NO_WORKSPACES,
  withoutWorkspace,
  withWorkspace,
  type Workspace,
  type WorkspaceId,
  type WorkspacesState,
} from './workspaces.ts';

/**
 * What the missions of one run have come to, as a pure state machine: what happened in, what is true from then on out.
 */
export interface MissionsState {
  readonly continuations: ContinuationState;
  /** Evaluations that were asked for, granted or not. */
  readonly requested: number;
  readonly workspaces: WorkspacesState;
  /** The place whose program is being evaluated (placeKey); null for none. */
  readonly evaluating: string | null;
  /** Leases granted, by mission. */
  readonly granted: ReadonlyMap<string, number>;
  /** Checks charged against `subordinate_source_checks`. */
  readonly checks: number;
  readonly agentProtocolErrors: number;
  /** False once an event was refused: what follows could not be reported, so it may not happen (evidence.md §4). */
  readonly isEventSinkUsable: boolean;
  /** The last evaluation that failed in a way that a run may show. */
  readonly lastError: { readonly evaluationId: string; readonly error: EvaluationError } | null;
  /** The last report of a failed evaluation; of which it spoke, null for whichever was the last. */
  readonly claim: { readonly evaluationId: string | null } | null;
  readonly isClosed: boolean;
}

export type MissionsEvent =
  | { readonly event: 'asked' | 'ended' | 'check_charged' | 'event_refused' | 'agent_protocol_error' | 'closed' }
  | { readonly event: 'granted'; readonly mission: string; readonly place: string }
  | { readonly event: 'workspace_opened'; readonly workspace: Workspace }
  | { readonly event: 'workspace_closed'; readonly id: WorkspaceId }
  | { readonly event: 'failed'; readonly evaluationId: string; readonly error: EvaluationError }
  | { readonly event: 'claimed'; readonly evaluationId: string | null }
  /** A commit that the store has admitted. */
  | { readonly event: 'committed'; readonly continuations: ContinuationState };

export function openMissions(limits: ContinuationLimits): MissionsState {
  return {
    continuations: openContinuations(limits),
    workspaces: NO_WORKSPACES,
    requested: 0,
    evaluating: null,
    granted: new Map(),
    checks: 0,
    agentProtocolErrors: 0,
    isEventSinkUsable: true,
    lastError: null,
    claim: null,
    isClosed: false,
  };
}

export function stepMissions(state: MissionsState, happened: MissionsEvent): MissionsState {
  switch (happened.event) {
    case 'asked':
      return { ...state, requested: state.requested + 1 };
    case 'granted': {
      const { mission, place } = happened;
      return {
        ...state,
        evaluating: place,
        granted: new Map(state.granted).set(mission, (state.granted.get(mission) ?? 0) + 1),
      };
    }
    case 'ended':
      return { ...state, evaluating: null };
    case 'committed':
      return { ...state, continuations: happened.continuations };
    case 'workspace_opened':
      return { ...state, workspaces: withWorkspace(state.workspaces, happened.workspace) };
    case 'workspace_closed':
      return closeWorkspace(state, happened.id);
    case 'failed':
      return { ...state, lastError: { evaluationId: happened.evaluationId, error: happened.error } };
    case 'claimed':
      return { ...state, claim: { evaluationId: happened.evaluationId } };
    case 'check_charged':
      return { ...state, checks: state.checks + 1 };
    case 'agent_protocol_error':
      return { ...state, agentProtocolErrors: state.agentProtocolErrors + 1 };
    case 'event_refused':
      return { ...state, isEventSinkUsable: false };
    case 'closed':
      return { ...state, isClosed: true };
  }
}

/** What usage shows of them (runtime.md §11). `missions`: all that the run declares. */
export function missionCounts(state: MissionsState, missions: readonly string[]): Omit<KernelCounts, 'isEvaluating'> {
  return {
    evaluationsByMission: Object.fromEntries([...state.granted].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    agentProtocolErrors: state.agentProtocolErrors,
    sourceChecks: state.checks,
    memories: missions.map((mission) => memoryOf(continuationsOf(state, mission))),
    lastEvaluationError: claimedError(state),
  };
}

/** A run shows the last failed evaluation only when a report says that it ended for it, and for no other. */
function claimedError({ lastError, claim }: MissionsState): EvaluationError | null {
  if (lastError === null || claim === null) return null;
  return claim.evaluationId === null || claim.evaluationId === lastError.evaluationId ? lastError.error : null;
}

/** What a workspace of no name holds ends with its loop. */
function closeWorkspace(state: MissionsState, id: WorkspaceId): MissionsState {
  const closed = state.workspaces.open.get(id);
  if (closed === undefined) return state;
  const workspaces = withoutWorkspace(state.workspaces, id);
  if (closed.name !== null) return { ...state, workspaces };
  return { ...state, workspaces, continuations: endContinuations(state.continuations, (key) => isIn(id, key)) };
}

/** That of the mission itself, and those of workspaces in it. */
function continuationsOf({ continuations }: MissionsState, mission: string): readonly StoredContinuation[] {
  return [...continuations.missions].filter(([key]) => missionOfKey(key) === mission).map(([, stored]) => stored);
}

function memoryOf(stored: readonly StoredContinuation[]): MissionMemory {
  const sum = (size: (continuation: Continuation) => number): number =>
    stored.reduce((total, { continuation }) => total + (continuation === null ? 0 : size(continuation)), 0);
  return {
    defined_count: sum(({ definedCount }) => definedCount),
    history_count: sum(({ history }) => history.length),
    memory_bytes: sum(({ memoryBytes }) => memoryBytes),
    history_bytes: sum(({ historyBytes }) => historyBytes),
  };
}
