import { writeCanonical } from '../../../../contract/json/canonical.ts';
import type { JsonObject } from '../../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../../system/event-loop-pace.ts';
import type { Route } from '../../broker/route.ts';
import { evaluateProgram } from '../missions/evaluate-program.ts';
import { programSource } from '../missions/program.ts';
import { isOpen, type MissionSession } from '../missions/room.ts';
import { answerValue, malformed } from './answers.ts';
import {
  anyValue,
  exactly,
  hasForm,
  integerMember,
  integerWithin,
  isText,
  getText,
  textMember,
  type ArgumentForm,
} from './arguments.ts';

/** Characters of an observation (runtime.md §6). */
const OBSERVATION_CHARACTERS = integerWithin(1, 65_536);

/** Program text, and a program value of the workflow, whose source the guest sends (language.md §14). */
const FORMS: readonly ArgumentForm[] = [
  {
    required: { mission: isText, kind: exactly('source'), source: isText },
    optional: { observation_chars: OBSERVATION_CHARACTERS, workspace: isText },
  },
  { required: { mission: isText, kind: exactly('source'), source: isText, params: anyValue } },
  { required: { mission: isText, kind: exactly('embedded'), program: isText }, optional: { params: anyValue } },
];

export interface EvaluateTools {
  readonly room: MissionSession;
  readonly missions: ReadonlyMap<string, unknown>;
  /** `capability_argument_bytes`, which bounds the parameters by themselves. */
  readonly argumentBytes: number;
}

/** `kernel-eval`. */
export function evaluateRoute({ room, missions, argumentBytes }: EvaluateTools): Route {
  return async ({ json, caller, signal }) => {
    if (!FORMS.some((form) => hasForm(json, form))) return malformed('invalid_kernel_eval_request');
    const mission = getText(json, 'mission');
    if (!missions.has(mission)) return malformed('unknown_mission');
    const place = { mission, workspace: textMember(json, 'workspace') };
    if (!isOpen(room, place)) return malformed('invalid_kernel_eval_request');
    const writing = paramsOf(json);
    // The order of evaluations is that of their calls.
    const params = writing instanceof Promise ? await writing : writing;
    if (params !== null && Buffer.byteLength(params) > argumentBytes) return malformed('invalid_kernel_eval_request');
    const source = programSource(getText(json, json.has('program') ? 'program' : 'source'));
    const observationCharacters = integerMember(json, 'observation_chars');
    return answerValue(await evaluateProgram(room, { place, source, params, observationCharacters, caller, signal }));
  };
}

function paramsOf(input: JsonObject): string | null | Promise<string> {
  const params = input.get('params');
  return params === undefined ? null : writeCanonical(params, EVENT_LOOP_PACE);
}
