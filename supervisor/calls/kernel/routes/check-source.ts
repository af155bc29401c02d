import type { Route } from '../../broker/route.ts';
import { checkSource } from '../missions/check-source.ts';
import { programSource } from '../missions/program.ts';
import { isOpen, type MissionSession } from '../missions/room.ts';
import { answerValue, malformed } from './answers.ts';
import { exactly, hasForm, isText, getText, textMember } from './arguments.ts';

/** `kernel-check-source`. */
export function checkSourceRoute(room: MissionSession, missions: ReadonlyMap<string, unknown>): Route {
  return async ({ json, caller, signal }) => {
    const isForm = hasForm(json, {
      required: { mission: isText, source: isText },
      optional: { require: exactly('terminal'), workspace: isText },
    });
    if (!isForm) return malformed('invalid_kernel_check_source_request');
    const mission = getText(json, 'mission');
    if (!missions.has(mission)) return malformed('unknown_mission');
    const place = { mission, workspace: textMember(json, 'workspace') };
    if (!isOpen(room, place)) return malformed('invalid_kernel_check_source_request');
    return answerValue(
      await checkSource(room, {
        place,
        source: programSource(getText(json, 'source')),
        terminal: json.has('require'),
        caller,
        signal,
      }),
    );
  };
}
