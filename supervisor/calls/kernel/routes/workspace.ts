import { canonicalJson } from '../../../../contract/json/canonical.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../contract/json/value.ts';
import { isDataName } from '../../../../contract/names/data-name.ts';
import type { Route } from '../../broker/route.ts';
import type { KernelMission } from '../options.ts';
import type { MissionSession } from '../missions/room.ts';
import { isIn, nextWorkspace } from '../missions/workspaces.ts';
import { answerValue, malformed } from './answers.ts';
import { anyValue, exactly, getText, hasForm, isText, type MemberCheck } from './arguments.ts';

/** Characters of a name by which loops share a workspace. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/;
const INVALID = 'invalid_workspace_request';

const isName: MemberCheck = (value) => typeof value === 'string' && NAME.test(value);

/**
 * `kernel-workspace`: `open` gives a loop the place in which its programs run, and `close` says that the loop is over
 * (world.md §3.1). What an option of the loop asks for and cannot be had is answered with the rule that it breaks.
 */
export function workspaceRoute(room: MissionSession, missions: ReadonlyMap<string, KernelMission>): Route {
  return async ({ json }) => {
    if (hasForm(json, { required: { mode: exactly('close'), workspace: isText } })) {
      await closeWorkspace(room, getText(json, 'workspace'));
      return answerValue(true);
    }
    const isOpening = hasForm(json, {
      required: { mode: exactly('open'), missions: isJsonArray },
      optional: { name: anyValue, data: anyValue },
    });
    return isOpening ? answerValue(openWorkspace(room, missions, json)) : malformed(INVALID);
  };
}

async function closeWorkspace({ note, state, isolates }: MissionSession, id: string): Promise<void> {
  const isOver = state().workspaces.open.get(id)?.name === null;
  note({ event: 'workspace_closed', id });
  if (isOver) await isolates.endPlaces((key) => isIn(id, key));
}

function openWorkspace(
  { note, state }: MissionSession,
  missions: ReadonlyMap<string, KernelMission>,
  input: JsonObject,
): JsonValue {
  const name = input.get('name') ?? null;
  if (name !== null && !isName(name)) return refused('workspace', 'invalid-workspace');
  const granted = input.get('data') ?? new Map<string, JsonValue>();
  if (!isJsonObject(granted) || !hasNames(granted)) return refused('data', 'invalid-data');
  const named = input.get('missions');
  const isShown = (isJsonArray(named) ? named : []).every(
    (mission) => typeof mission !== 'string' || missions.get(mission)?.modelContextWith(granted) !== null,
  );
  if (!isShown) return refused('data', 'data-too-large-to-show');
  const data = Object.fromEntries([...granted].map(([key, value]) => [key, canonicalJson(value)]));
  const workspace = nextWorkspace(state().workspaces, {
    name: typeof name === 'string' ? name : null,
    values: granted,
    data,
  });
  if (workspace === null) return refused('workspace', 'workspace-in-use');
  note({ event: 'workspace_opened', workspace });
  return new Map([['workspace', workspace.id]]);
}

function hasNames(values: JsonObject): boolean {
  return [...values.keys()].every(isDataName);
}

function refused(option: string, rule: string): JsonValue {
  return new Map([
    ['option', option],
    ['rule', rule],
  ]);
}
