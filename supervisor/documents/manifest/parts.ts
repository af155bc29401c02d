import { jsonFromPlain } from '../../../contract/json/plain.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { check } from '../fields/check.ts';
import { MANIFEST, type Manifest } from './fields.ts';

/** What of a manifest is well formed, for who looks for further faults beside one of its form. */
export interface ManifestParts {
  /** Members that are lost have stand-ins here that break no rule. */
  readonly manifest: Manifest;
  readonly lost: ReadonlySet<string>;
}

/** Takes the place of an entry where none is usable. */
const ENTRY = 'none/none';

const STAND_INS: Readonly<Record<string, unknown>> = {
  version: 1,
  workflow: { components: [], entry: ENTRY },
  input: { value: {} },
};

/** Null for a text that is no object. */
export function manifestParts(value: JsonValue): ManifestParts | null {
  if (!isJsonObject(value)) return null;
  const members = new Map<string, JsonValue>();
  const lost = new Set<string>();
  for (const [name, { shape, presence }] of Object.entries(MANIFEST.fields)) {
    const input = value.get(name);
    if (input === undefined && presence.kind !== 'required') continue;
    if (input !== undefined && check(shape, input).status === 'valid') {
      members.set(name, input);
      continue;
    }
    lost.add(name);
    const standIn = name === 'workflow' ? workflowOf(input) : jsonFromPlain(STAND_INS[name]);
    if (standIn !== undefined) members.set(name, standIn);
  }
  // What a mission is granted cannot be held against selections that are not known.
  if (lost.has('providers')) withoutGrants(members);
  const checked = check(MANIFEST, members);
  return checked.status === 'valid' ? { manifest: checked.value, lost } : null;
}

/** The components of a workflow whose entry alone is wrong. */
function workflowOf(input: JsonValue | undefined): JsonValue | undefined {
  const components = isJsonObject(input) ? input.get('components') : undefined;
  const isUsable =
    components !== undefined &&
    check(MANIFEST.fields.workflow.shape.fields.components.shape, components).status === 'valid';
  return isUsable
    ? new Map<string, JsonValue>([
        ['components', components],
        ['entry', ENTRY],
      ])
    : jsonFromPlain(STAND_INS['workflow']);
}

function withoutGrants(members: Map<string, JsonValue>): void {
  const missions = members.get('missions');
  if (!isJsonObject(missions)) return;
  members.set(
    'missions',
    new Map(
      [...missions].map(([name, mission]) => [
        name,
        isJsonObject(mission) ? withoutMember(mission, 'providers') : mission,
      ]),
    ),
  );
}

function withoutMember(object: JsonObject, name: string): JsonObject {
  return new Map([...object].filter(([key]) => key !== name));
}
