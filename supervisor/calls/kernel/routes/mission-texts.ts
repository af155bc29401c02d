import type { Route } from '../../broker/route.ts';
import type { MissionSession } from '../missions/room.ts';
import type { KernelMission } from '../options.ts';
import { answerValue, malformed } from './answers.ts';
import { hasForm, isText, getText } from './arguments.ts';

/** `kernel-mission-inventory`: the frozen text as it is. */
export function inventoryRoute(missions: ReadonlyMap<string, KernelMission>): Route {
  return async ({ json }) => {
    if (!hasForm(json, { required: { mission: isText } })) return malformed('invalid_mission_inventory_request');
    const mission = missions.get(getText(json, 'mission'));
    return mission === undefined ? malformed('unknown_mission') : answerValue(mission.inventory);
  };
}

const INVALID_CONTEXT = 'invalid_mission_model_context_request';

/** `kernel-mission-model-context`: the frozen text, or, for a workspace, what it is with the data of its loop. */
export function modelContextRoute(room: MissionSession, missions: ReadonlyMap<string, KernelMission>): Route {
  return async ({ json }) => {
    if (!hasForm(json, { required: { mission: isText }, optional: { workspace: isText } })) {
      return malformed(INVALID_CONTEXT);
    }
    const mission = missions.get(getText(json, 'mission'));
    if (mission === undefined) return malformed('unknown_mission');
    if (!json.has('workspace')) return answerValue(mission.modelContext);
    const workspace = room.state().workspaces.open.get(getText(json, 'workspace'));
    const context = workspace === undefined ? null : mission.modelContextWith(workspace.values);
    return context === null ? malformed(INVALID_CONTEXT) : answerValue(context);
  };
}
