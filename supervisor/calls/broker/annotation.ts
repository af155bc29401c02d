import { isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';

/** The closed annotations of workflows (agent-library.md §11). */
type FieldRule = readonly string[] | { readonly minimum: number; readonly maximum: number } | 'mission';

interface AnnotationRule {
  readonly required: Readonly<Record<string, FieldRule>>;
  /** All of a group or none of it. */
  readonly groups: readonly Readonly<Record<string, FieldRule>>[];
}

const TURNS = { minimum: 0, maximum: 2047 };

const RULES: ReadonlyMap<string, AnnotationRule> = new Map<string, AnnotationRule>([
  [
    'progress',
    { required: { stage: ['started', 'planning', 'executing', 'validating', 'completed', 'failed'] }, groups: [] },
  ],
  [
    'agent-action',
    {
      required: {
        turn: TURNS,
        kind: ['tool-call', 'protocol-error', 'provider-error', 'max-calls', 'model-output-truncated'],
      },
      groups: [
        { max_turns: { minimum: 1, maximum: 2048 } },
        { phase: { minimum: 0, maximum: 7 }, phase_turn: TURNS, mission: 'mission' },
      ],
    },
  ],
  ['agent-verification', { required: { status: ['accepted', 'rejected', 'unresolved'] }, groups: [] }],
]);

const MISSION_NAME = /^[a-z][a-z0-9._-]{0,127}$/;

/** Null when type and data are not an annotation. */
export function annotationData(type: JsonValue | undefined, data: JsonValue | undefined): JsonObject | null {
  const rule = typeof type === 'string' ? RULES.get(type) : undefined;
  if (rule === undefined || !isJsonObject(data)) return null;
  const present = rule.groups.filter((group) => Object.keys(group).some((name) => data.has(name)));
  const fields = [rule.required, ...present].flatMap((group) => Object.entries(group));
  const isWhole = fields.length === data.size && fields.every(([name, field]) => admits(field, data.get(name)));
  return isWhole && isTurnBelowLast(data) ? data : null;
}

function admits(rule: FieldRule, value: JsonValue | undefined): boolean {
  if (rule === 'mission') return typeof value === 'string' && MISSION_NAME.test(value);
  if ('minimum' in rule) return typeof value === 'number' && value >= rule.minimum && value <= rule.maximum;
  return typeof value === 'string' && rule.includes(value);
}

/** `max_turns` is above `turn` (evidence.md §3). */
function isTurnBelowLast(data: JsonObject): boolean {
  const turn = data.get('turn');
  const last = data.get('max_turns');
  return typeof turn !== 'number' || typeof last !== 'number' || last > turn;
}
