import type { Route } from '../../broker/route.ts';
import type { KernelMission } from '../options.ts';
import { answerValue, malformed } from './answers.ts';
import { hasForm, isText, getText } from './arguments.ts';

/** `kernel-mission-inventory` and `kernel-mission-model-context`: the frozen texts as they are. */
export function missionTextRoute(
  missions: ReadonlyMap<string, KernelMission>,
  text: 'inventory' | 'modelContext',
): Route {
  const invalid = text === 'inventory' ? 'invalid_mission_inventory_request' : 'invalid_mission_model_context_request';
  return async ({ json }) => {
    if (!hasForm(json, { required: { mission: isText } })) return malformed(invalid);
    const mission = missions.get(getText(json, 'mission'));
    return mission === undefined ? malformed('unknown_mission') : answerValue(mission[text]);
  };
}
