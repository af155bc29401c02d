import type { Route } from '../../broker/interface.ts';
import type { SourceChecks } from '../missions/checks.ts';
import { programSource } from '../missions/program.ts';
import { answered, malformed } from './answers.ts';
import { exactly, hasForm, isText, textOf } from './arguments.ts';

/** `kernel-check-source`. */
export function checkSourceRoute(checks: SourceChecks, missions: ReadonlyMap<string, unknown>): Route {
  return async ({ json, caller, signal }) => {
    const isForm = hasForm(json, { required: { mission: isText, source: isText }, optional: { require: exactly('terminal') } });
    if (!isForm) return malformed('invalid_kernel_check_source_request');
    const mission = textOf(json, 'mission');
    if (!missions.has(mission)) return malformed('unknown_mission');
    return answered(await checks.check({ mission, source: programSource(textOf(json, 'source')), terminal: json.has('require'), caller, signal }));
  };
}
