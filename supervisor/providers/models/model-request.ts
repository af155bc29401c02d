import { parsePointer } from '../../../contract/json/pointer.ts';
import { SerializedJson } from '../../../contract/json/serialized.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../contract/json/value.ts';
import { EVENT_LOOP_PACE } from '../../../system/event-loop-pace.ts';
import type { Capability, Verdict } from '../../calls/broker/capability.ts';
import { checkContractValue, type ValueViolation } from '../../documents/contracts/check-value.ts';
import { compileContract } from '../../documents/contracts/compile.ts';
import type { CompiledContract } from '../../documents/contracts/schema.ts';

const isObjects = (value: JsonValue): boolean => isJsonArray(value) && value.every(isJsonObject);

/**
 * Members of a request to a model, and what each may be (providers.md §5.3); which alias is meant is the router's
 * question.
 */
const MEMBERS: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  system: (value) => typeof value === 'string',
  messages: isObjects,
  tools: isObjects,
  cache: (value) => typeof value === 'boolean',
  schema: isJsonObject,
  model: () => true,
};

/** Characters of a key that is none, as it is named. */
const NAME_LENGTH = 64;

/** Names what is wrong by the members that models know, and a key that is none (first-day.md §3); never a value. */
export function checkModelRequest(input: JsonObject): Verdict {
  const wrong = Object.entries(MEMBERS)
    .filter(([name, fits]) => input.has(name) && !fits(input.get(name) ?? null))
    .map(([name]) => violation(`/${name}`, 'type'));
  const unknown = [...input.keys()].find((key) => !Object.hasOwn(MEMBERS, key));
  const violations = unknown === undefined ? wrong : [...wrong, unknownKey(unknown)];
  return violations.length === 0 ? { status: 'valid' } : { status: 'invalid', violations };
}

function unknownKey(key: string): ReadonlyMap<string, JsonValue> {
  return new Map<string, JsonValue>([
    ...violation('', 'additionalProperties'),
    ['unknown', key.slice(0, NAME_LENGTH).toWellFormed()],
    ['allowed', Object.keys(MEMBERS).toSorted()],
  ]);
}

function violation(path: string, rule: string): ReadonlyMap<string, JsonValue> {
  return new Map([
    ['path', path],
    ['rule', rule],
  ]);
}

/**
 * The model behind an alias, as one request finds it: within its own bound, and its structured output held to the
 * request's schema.
 */
export function withRequestSchema(model: Capability, request: SerializedJson<JsonObject>): Capability {
  const schema = request.value.get('schema');
  const compiled = schema === undefined ? null : compileContract(schema);
  const isSound = (compiled === null || compiled.ok) && !(schema !== undefined && hasTools(request.value));
  return {
    ...model,
    // The bound of an installation is reported as a request that does not fit it, not as one that no run could make.
    argumentBytes: Number.MAX_SAFE_INTEGER,
    checkArguments: async () => ({ status: 'valid' }),
    accepts: async () => isSound && Buffer.byteLength(await request.text(EVENT_LOOP_PACE)) <= model.argumentBytes,
    checkResult: async ({ value }) =>
      compiled?.ok === true ? checkStructured(compiled.schema, value) : { status: 'valid' },
  };
}

function hasTools(request: JsonObject): boolean {
  const tools = request.get('tools');
  return isJsonArray(tools) && tools.length > 0;
}

/** Of one mismatch that a program is given (world.md §1.7). */
const VIOLATIONS_MAX = 3;
const TEXT_LENGTH_MAX = 2048;

/** Answers that were cut have none; what they are is reported beside them. */
async function checkStructured({ root }: CompiledContract, value: JsonValue): Promise<Verdict> {
  const output = isJsonObject(value) ? value.get('structured_output') : undefined;
  if (output === undefined) return { status: 'valid' };
  const violations = checkContractValue(root, output);
  if (violations.length === 0) return { status: 'valid' };
  const text = await SerializedJson.of(output).text(EVENT_LOOP_PACE);
  return {
    status: 'invalid',
    violations: violations
      .slice(0, VIOLATIONS_MAX)
      .map((one) => new Map([...violation(one.path, one.rule), ['expected', expectedType(one)] as const])),
    text: text.slice(0, TEXT_LENGTH_MAX).toWellFormed(),
  };
}

/** In the words of the schema. */
function expectedType({ rule, path, refusal }: ValueViolation): string {
  // Without a node it is the whole value that is no object, or the discriminator of a union that is none of its tags.
  if (refusal === null) return rule === 'type' ? 'object' : 'string';
  const { node } = refusal;
  const missing = rule === 'required' ? parsePointer(path)?.at(-1) : undefined;
  const { types } = (missing === undefined ? undefined : node.properties.get(missing)) ?? node;
  return types.join(' or ');
}
