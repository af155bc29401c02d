import type { Route } from '../../broker/route.ts';
import { checkSource } from '../missions/check-source.ts';
import { programSource } from '../missions/program.ts';
import type { MissionSession } from '../missions/room.ts';
import { answerValue, malformed } from './answers.ts';
import { exactly, hasForm, isText, getText } from './arguments.ts';

/** `kernel-check-source`. */
export function checkSourceRoute(room: MissionSession, missions: ReadonlyMap<string, unknown>): Route {
  return async ({ json, caller, signal }) => {
    const isForm = hasForm(json, {
      required: { mission: isText, source: isText },
      optional: { require: exactly('terminal') },
    });
    if (!isForm) return malformed('invalid_kernel_check_source_request');
    const mission = getText(json, 'mission');
    if (!missions.has(mission)) return malformed('unknown_mission');
    return answerValue(
      await checkSource(room, {
        mission,
        source: programSource(getText(json, 'source')),
        terminal: json.has('require'),
        caller,
        signal,
      }),
    );
  };
}
