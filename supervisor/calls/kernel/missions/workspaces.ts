import type { JsonObject } from '../../../../contract/json/value.ts';

/**
 * Where the programs of agent loops are evaluated (world.md §3.1), as a pure state machine: each loop has a workspace,
 * which is its own or one that loops share by name, one after the other.
 */

/** Names a workspace within a run. */
export type WorkspaceId = string;

export interface Workspace {
  readonly id: WorkspaceId;
  /** What later loops of the run find it by; null: it ends with its loop. */
  readonly name: string | null;
  /** What programs see in it as `data/<name>` beside the data of their mission: values, and their JSON texts. */
  readonly values: JsonObject;
  readonly data: Readonly<Record<string, string>>;
}

export interface WorkspacesState {
  readonly opened: number;
  /** Those in which a loop works now. */
  readonly open: ReadonlyMap<WorkspaceId, Workspace>;
}

export const NO_WORKSPACES: WorkspacesState = { opened: 0, open: new Map() };

/** The next workspace, or null where another loop is in the one of that name. */
export function nextWorkspace(
  { opened, open }: WorkspacesState,
  { name, values, data }: Omit<Workspace, 'id'>,
): Workspace | null {
  const id = name === null ? `loop-${String(opened + 1)}` : `named-${name}`;
  return open.has(id) ? null : { id, name, values, data };
}

export function withWorkspace({ opened, open }: WorkspacesState, workspace: Workspace): WorkspacesState {
  return { opened: opened + 1, open: new Map(open).set(workspace.id, workspace) };
}

export function withoutWorkspace(state: WorkspacesState, id: WorkspaceId): WorkspacesState {
  const open = new Map(state.open);
  open.delete(id);
  return { ...state, open };
}

/** A mission, in the continuation that is its own or in that of a workspace. */
export interface MissionPlace {
  readonly mission: string;
  readonly workspace: WorkspaceId | null;
}

/** What a place is distinguished by. No name of a mission holds the character between the two. */
export function placeKey({ mission, workspace }: MissionPlace): string {
  return workspace === null ? mission : `${mission}${BETWEEN}${workspace}`;
}

export function missionOfKey(key: string): string {
  const end = key.indexOf(BETWEEN);
  return end < 0 ? key : key.slice(0, end);
}

export function isIn(workspace: WorkspaceId, key: string): boolean {
  return key.slice(missionOfKey(key).length) === `${BETWEEN}${workspace}`;
}

const BETWEEN = '\n';
